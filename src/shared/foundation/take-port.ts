/** Takes an object of the caller, such as a store or a broker: its methods are checked, and no wait for one is without an end. */
import { type Clock, systemClock } from './clock'
import { createDeferred } from './deferred'
import { NetworkError } from './errors'
import { requireMethods, type RequiredMethods } from './require-methods'

/** ms for one call. An interaction must be answered within 3 s. */
const TIMEOUT = 2500

/**
 * Returns the object with methods that reject with `timed_out` if their promise does not settle within 2.5 s. Undefined stays undefined: the
 * option has a default. What a method returns at once is returned as it is.
 * @throws ConfigurationError `invalid_argument` if a method is missing.
 */
export function takePort<T extends object>(port: T, rule: RequiredMethods, clock?: Clock): T
export function takePort<T extends object>(
  port: T | undefined,
  rule: RequiredMethods,
  clock?: Clock,
): T | undefined
export function takePort<T extends object>(
  port: T | undefined,
  rule: RequiredMethods,
  clock: Clock = systemClock,
): T | undefined {
  requireMethods(port, rule)
  return port && boundMethods(port, { name: rule.name, clock })
}

function boundMethods<T extends object>(port: T, { name, clock }: { name: string; clock: Clock }): T {
  return new Proxy(port, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, args)
        return isPending(result)
          ? settledInTime(result, { subject: `${name}.${String(key)}`, clock })
          : result
      }
    },
  })
}

function settledInTime(
  result: PromiseLike<unknown>,
  { subject, clock }: { subject: string; clock: Clock },
): Promise<unknown> {
  const pending = createDeferred<unknown>(clock, {
    timeout: TIMEOUT,
    signals: [],
    makeError: (code) => new NetworkError(code, subject),
  })
  result.then(pending.resolve, pending.reject)
  return pending.promise
}

/** A promise of any origin. */
const isPending = (value: unknown): value is PromiseLike<unknown> =>
  value instanceof Object && 'then' in value && typeof value.then === 'function'
