/** Reads a JSON body field by field, and tells all that is wrong with it at once. */
import { isObject } from '../foundation/decode.js'
import { AccountError } from './errors.js'

export class Form {
  readonly #fields: Record<string, unknown>
  readonly #errors: Record<string, unknown> = {}

  /** @throws PartnerRefusal 50109 */
  constructor(body: unknown) {
    if (!isObject(body)) throw new AccountError(50_109)
    this.#fields = body
  }

  required(name: string, longest: number): string {
    if (this.#fields[name] === undefined) this.#refuse(name, 'BASE_TYPE_REQUIRED', 'This field is required')
    return this.optional(name, longest) ?? ''
  }

  /** Absent or null is nothing. */
  optional(name: string, longest: number): string | undefined {
    const value = this.#fields[name] ?? undefined
    if (value === undefined) return undefined
    if (typeof value === 'string' && value.length >= 1 && value.length <= longest) return value
    this.#refuse(name, 'BASE_TYPE_BAD_LENGTH', `Must be between 1 and ${longest} in length.`)
    return undefined
  }

  /** @throws PartnerRefusal 50035 when one of the fields read so far is wrong. */
  check(): void {
    const wrong = Object.keys(this.#errors)
    if (wrong.length === 0) return
    const rule = `wrong or missing: ${wrong.join(', ')}`
    throw new AccountError({ status: 400, code: 50_035, message: 'Invalid Form Body', rule }, { errors: this.#errors })
  }

  #refuse(name: string, code: string, message: string): void {
    this.#errors[name] ??= { _errors: [{ code, message }] }
  }
}
