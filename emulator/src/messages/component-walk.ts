/** State of one check of components: ids seen so far, and counts over all of them. */
import type { ValidationContext } from '../api/validation-context.js'
import { isObject } from '../foundation/type-guards.js'
import { checkInteger, invalid, notObjectAt, unknownType, type Fields } from './fields.js'

const LARGEST_ID = 2 ** 31 - 1

/** Checks the fields of one type of component. */
export type CheckType = (component: Fields, at: ValidationContext, walk: ComponentWalk) => void

export class ComponentWalk {
  readonly #customIds = new Set<string>()
  readonly #ids = new Set<number>()
  readonly #checks: Readonly<Record<number, CheckType>>
  /** Number of components, and of characters in text displays. */
  components = 0
  text = 0
  /** Names in `attachment://`, with their places. */
  readonly references: { name: string; at: ValidationContext }[] = []

  constructor(checks: Readonly<Record<number, CheckType>>) {
    this.#checks = checks
  }

  /** Checks a component of one of these types, and everything in it. */
  check(value: unknown, at: ValidationContext, allowed: readonly number[]): void {
    if (!isObject(value)) return notObjectAt(at)
    const { type, id } = value
    if (typeof type !== 'number' || !allowed.includes(type)) return unknownType(at.at('type'), type, allowed)
    this.components += 1
    if (id !== undefined) checkInteger(id, at.at('id'), [0, LARGEST_ID])
    if (typeof id === 'number' && id !== 0) {
      if (this.#ids.has(id)) at.at('id').addError(REPEATED_ID)
      this.#ids.add(id)
    }
    this.#checks[type]?.(value, at, this)
  }

  /** Checks that no other component has this `custom_id`. */
  claim(customId: unknown, at: ValidationContext): void {
    if (typeof customId !== 'string') return
    if (this.#customIds.has(customId)) at.addError(REPEATED_CUSTOM_ID)
    this.#customIds.add(customId)
  }
}

const REPEATED_CUSTOM_ID = invalid(
  'COMPONENT_CUSTOM_ID_DUPLICATED',
  'Component custom id cannot be duplicated',
  'must differ from every other custom_id of the message',
)
const REPEATED_ID = invalid(
  'COMPONENT_ID_DUPLICATED',
  'Component id cannot be duplicated',
  'must differ from every other id of the message',
)
