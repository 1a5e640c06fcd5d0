/** Calls whose `await` was forgotten: reading a field of the result says so, in place of an undefined that is passed on. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { typedMethods } from '../../shared/foundation/options'

/** Fields of what the calls of a backend resolve with: players, lobbies, members, users, tokens, purchases, commands and instances. */
const FIELDS: readonly (readonly string[])[] = [
  ['id', 'username', 'globalName', 'expiresAt', 'claims'],
  ['application_id', 'metadata', 'members', 'linked_channel', 'flags', 'additional_name', 'code'],
  ['global_name', 'avatar', 'instance_id', 'users', 'location', 'instanceId'],
  ['accessToken', 'refreshToken', 'tokenType', 'scopes', 'idToken'],
  ['sku_id', 'user_id', 'name', 'version'],
]

/** @param call as it is written, for example `verify(request)`. */
export function toBeAwaited<Result>(promise: Promise<Result>, call: string): Promise<Result> {
  const [name = call] = call.split('(')
  const get = (): never => {
    // Nobody would handle the rejection.
    promise.catch(() => undefined)
    throw new ConfigurationError('invalid_argument', name, { remedy: `Write await ${call}` })
  }
  return Object.defineProperties(promise, Object.fromEntries(FIELDS.flat().map((field) => [field, { get }])))
}

/** The object with methods as `typedMethods` makes them, whose results say that they were not awaited. */
export function awaitedMethods<T extends object>(subject: string, target: T, callback?: keyof T): T {
  const calls = new WeakMap<object, (...args: unknown[]) => unknown>()
  return new Proxy(typedMethods(subject, target, callback), {
    get(object, name) {
      const member: unknown = Reflect.get(object, name)
      if (typeof member !== 'function') return member
      const call = calls.get(member) ?? awaitedCall(`${subject}.${String(name)}(…)`, member)
      calls.set(member, call)
      return call
    },
  })
}

function awaitedCall(call: string, member: object): (...args: unknown[]) => unknown {
  return (...args) => {
    const result: unknown = typeof member === 'function' ? Reflect.apply(member, undefined, args) : undefined
    return result instanceof Promise ? toBeAwaited(result, call) : result
  }
}
