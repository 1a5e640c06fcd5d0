/** The last wrapper of a public call: whatever is thrown inside leaves as an error of the SDK. */
import { ConfigurationError, FoyerError } from './errors'

const REMEDY = 'See cause: is an argument of the wrong kind, or does this platform lack something?'

const UNREADABLE = 'See cause: an option cannot be read. Pass a plain object with plain values'

/** Errors of the SDK are returned as they are. @param subject name of the call. */
function toTypedError(error: unknown, subject: string): FoyerError {
  return error instanceof FoyerError
    ? error
    : new ConfigurationError('unexpected', subject, { cause: error, remedy: REMEDY })
}

/** Runs a public call. @throws FoyerError. */
export async function withTypedErrors<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toTypedError(error, subject)
  }
}

/** Runs a public call that returns at once. @throws FoyerError. */
export function callTyped<T>(subject: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toTypedError(error, subject)
  }
}

/**
 * Creates something from options. Whatever they throw when they are read is their own fault: a getter, or a proxy that was revoked.
 * @throws FoyerError.
 */
export function createTyped<T>(subject: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof FoyerError
      ? error
      : new ConfigurationError('invalid_argument', subject, { cause: error, remedy: UNREADABLE })
  }
}

/**
 * The object with methods that throw and reject as `callTyped` and `withTypedErrors` do. `callback`: the method that runs a function of the
 * game, whose own exception stays as it is.
 */
export function typedMethods<T extends object>(subject: string, target: T, callback?: keyof T): T {
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name)
      if (typeof member !== 'function') return member
      if (name === callback) return (...args: unknown[]): unknown => Reflect.apply(member, object, args)
      const call = `${subject}.${String(name)}`
      return (...args: unknown[]): unknown =>
        callTyped(call, () => {
          const result: unknown = Reflect.apply(member, object, args)
          return result instanceof Promise ? withTypedErrors(call, () => result) : result
        })
    },
  })
}
