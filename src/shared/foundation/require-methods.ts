/** Checks options that are objects with methods: plain JavaScript may give a factory that was not called, or an address. */
import { ConfigurationError } from './errors'

/** An option, its required methods, and a call that returns a valid value. */
export interface RequiredMethods {
  /** Name of the option. */
  readonly name: string
  readonly methods: readonly string[]
  /** Example of a valid value, for the message. */
  readonly example: string
}

/** Accepts undefined: the option has a default. @throws ConfigurationError `invalid_argument`. */
export function requireMethods(value: unknown, { name, methods, example }: RequiredMethods): void {
  if (value === undefined || methods.every((method) => isMethod(value, method))) return
  throw new ConfigurationError('invalid_argument', name, { remedy: `Pass a store, for example ${example}` })
}

/** Also of another realm, such as a test in a context of its own, where `instanceof` fails. */
export const isObject = (value: unknown): value is object => Object(value) === value

const isMethod = (value: unknown, method: string): boolean =>
  isObject(value) && typeof Reflect.get(value, method) === 'function'
