/** Reads the fields of a JSON body, and reports all problems at once. */
import { isObject } from '../foundation/values.js'
import { accountError, invalidForm } from './account-error.js'

export class Form {
  readonly #fields: Record<string, unknown>
  readonly #errors: Record<string, unknown> = {}

  /** @throws ApiError 50109 */
  constructor(body: unknown) {
    if (!isObject(body)) throw accountError(50_109)
    this.#fields = body
  }

  required(name: string, longest: number): string {
    if ((this.#fields[name] ?? undefined) === undefined)
      this.#refuse(name, 'BASE_TYPE_REQUIRED', 'This field is required')
    return this.optional(name, longest) ?? ''
  }

  /** Undefined if the field is absent or null. */
  optional(name: string, longest: number): string | undefined {
    const value = this.#fields[name] ?? undefined
    if (value === undefined) return undefined
    if (typeof value === 'string' && value.length >= 1 && value.length <= longest) return value
    this.#refuse(name, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${longest} in length.`)
    return undefined
  }

  /** @throws ApiError 50035 if any field read so far is invalid. */
  check(): void {
    const wrong = Object.keys(this.#errors)
    if (wrong.length === 0) return
    const rule = `wrong or missing: ${wrong.join(', ')}`
    throw invalidForm(rule, this.#errors)
  }

  #refuse(name: string, code: string, message: string): void {
    this.#errors[name] ??= { _errors: [{ code, message }] }
  }
}
