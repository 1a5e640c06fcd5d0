/** Reads the options of a backend when it is created: options are read once, and no wait for a store or a function of the game is without an end. */
import { type Clock, systemClock } from './clock'
import { ConfigurationError } from './errors'
import { inTime, type Wait } from './in-time'
import { isObject, requireNames } from './options'
import { ownFields } from './untrusted-values'

// A file of its own, since a page loads little of it, and late.

/**
 * A copy with the object's own fields and no prototype, so that what the caller, or a polluted prototype, changes later has no effect. Lists
 * are copied and frozen.
 * @param owner begins the names in messages, for example `on.`.
 * @throws ConfigurationError `invalid_argument` for an unknown name.
 */
export function takeOptions<T extends object>(options: T, names: readonly string[], owner = ''): T {
  const given = ownFields<T>({ ...options })
  for (const name in given)
    if (Array.isArray(given[name])) Object.assign(given, { [name]: Object.freeze([...given[name]]) })
  requireNames(given, names, owner)
  requireFunctions(given, CALLED)
  return given
}

/** Options that are called, and that nothing else checks: of another kind they would fail later, or in silence. */
const CALLED = /^(on[A-Z]\w*|logger|fetch|transport|recover|errorMessage)$/

/** Accepts undefined. @throws ConfigurationError `invalid_argument` for an option whose name fits and that is no function. */
export function requireFunctions(given: object, names: RegExp): void {
  for (const [name, value] of Object.entries(given))
    if (names.test(name) && value !== undefined)
      requireFunction(value, name, name === 'logger' ? LOGGER : 'Pass a function')
}

const LOGGER = 'Pass a function, for example (level, step, data) => logger.info({ level, step, data })'

/** @throws ConfigurationError `invalid_argument`. */
export function requireFunction(value: unknown, name: string, remedy: string): void {
  if (typeof value === 'function') return
  throw new ConfigurationError('invalid_argument', `${name}: a function`, { remedy })
}

/** An option, its required methods, and a call that returns a valid value. */
interface RequiredMethods {
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

const isMethod = (value: unknown, method: string): boolean =>
  isObject(value) && typeof Reflect.get(value, method) === 'function'

/** ms for one call. An interaction must be answered within 3 s. */
const TIMEOUT = 2500

/** Requirements of an option that is a port. */
export interface PortRule extends RequiredMethods {
  /** ms for one call. Default: 2500. */
  readonly timeout?: number | undefined
  /** Receives what a method throws or rejects with, which the caller gets too. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/**
 * Returns the object with methods that reject with `timed_out` if their promise does not settle in time. Undefined stays undefined: the
 * option has a default. What a method returns at once is returned as it is.
 * @throws ConfigurationError `invalid_argument` if a method is missing.
 */
export function takePort<T extends object>(port: T, rule: PortRule, clock?: Clock): T
export function takePort<T extends object>(port: T | undefined, rule: PortRule, clock?: Clock): T | undefined
export function takePort<T extends object>(
  port: T | undefined,
  rule: PortRule,
  clock: Clock = systemClock,
): T | undefined {
  requireMethods(port, rule)
  const { name, timeout = TIMEOUT, onFailure } = rule
  return port && boundMethods(port, { name, timeout, clock }, onFailure)
}

/** Returns the function with promises that reject with `timed_out` if they do not settle in time. Undefined stays undefined. */
export function takeCall<Args extends readonly unknown[], Result>(
  call: (...args: Args) => Promise<Result>,
  wait: Wait,
): (...args: Args) => Promise<Result>
export function takeCall<Args extends readonly unknown[], Result>(
  call: ((...args: Args) => Promise<Result>) | undefined,
  wait: Wait,
): ((...args: Args) => Promise<Result>) | undefined
export function takeCall<Args extends readonly unknown[], Result>(
  call: ((...args: Args) => Promise<Result>) | undefined,
  wait: Wait,
): ((...args: Args) => Promise<Result>) | undefined {
  return call && (async (...args) => inTime(call(...args), wait))
}

function boundMethods<T extends object>(
  port: T,
  { name, timeout, clock }: Wait,
  onFailure: PortRule['onFailure'],
): T {
  // Not of the object itself: for a frozen one, a proxy must return the methods as they are.
  const target: T = Object.create(port)
  const bound = new Map<PropertyKey, { member: unknown; call: (...args: unknown[]) => unknown }>()
  return new Proxy(target, {
    get(_, key) {
      const member: unknown = Reflect.get(port, key)
      if (typeof member !== 'function') return member
      const known = bound.get(key)
      if (known?.member === member) return known.call
      const wait = { name: `${name}.${String(key)}`, clock, timeout }
      const call = (...args: unknown[]): unknown => {
        const result = watched(() => Reflect.apply(member, port, args), onFailure)
        if (!isPending(result)) return result
        const settled = inTime(result, wait)
        if (onFailure) settled.catch(onFailure)
        return settled
      }
      bound.set(key, { member, call })
      return call
    },
  })
}

function watched(act: () => unknown, onFailure: PortRule['onFailure']): unknown {
  try {
    return act()
  } catch (error) {
    onFailure?.(error)
    throw error
  }
}

/** A promise of any origin. */
const isPending = (value: unknown): value is PromiseLike<unknown> =>
  isObject(value) && 'then' in value && typeof value.then === 'function'
