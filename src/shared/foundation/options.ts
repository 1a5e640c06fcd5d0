/** First and last steps of a public call: options and arguments are checked and copied once, and whatever is thrown leaves as an error of the SDK. */
import { ConfigurationError, FoyerError } from './errors'
import { isRecord, ownArguments, withoutUndefined } from './untrusted-values'

// Options. The compiler checks them for TypeScript, and plain JavaScript lacks that.

/** Options of every call that waits. */
export interface CallOptions {
  /** Aborts the call, waiting or in progress, with `aborted`. */
  signal?: AbortSignal | undefined
}

/** Settings of which each may be left out. One that is undefined counts as left out, also under `exactOptionalPropertyTypes`. */
export type Optional<T> = { [Name in keyof T]?: T[Name] | undefined }

/**
 * The event of a click counts as no options: `button.onclick = lobby.leave` passes one.
 *
 * Returns a copy of the options and of what they hold, without inherited fields and without those that are undefined.
 * @throws ConfigurationError `invalid_argument` for an unknown name, with the one that was probably meant, and for options that cannot be read.
 */
export function checkOptions<T extends object>(
  options: T | null | undefined,
  names: readonly (keyof T & string)[],
): ReturnType<typeof withoutUndefined<T>> {
  return createTyped('options', () => {
    if (options === undefined || options === null || isEvent(options)) return withoutUndefined<T>(undefined)
    const remedy = `Give an object with ${names.join(', ')}`
    // The fields of a signal are inherited: it would be no option at all.
    if (typeof options !== 'object' || Array.isArray(options) || 'aborted' in options)
      throw new ConfigurationError('invalid_argument', 'options', { remedy })
    const given = ownArguments(options)
    requireNames(given, names)
    return withoutUndefined(given)
  })
}

/** Tells the event of a click from options: `button.onclick = client.signIn` passes one, and so do React's and PixiJS's. */
export const isEvent = (value: unknown): boolean =>
  isRecord(value) && typeof value['preventDefault'] === 'function'

/** Names that people know from other libraries, and the service's own, by their letters. */
const KNOWN_AS: ReadonlyMap<string, string> = new Map([
  ['store', 'tokenStore'],
  ['storage', 'tokenStore'],
  ['host', 'service'],
  ['authority', 'service'],
  ['clientid', 'applicationId'],
  ['appid', 'applicationId'],
  ['lobbymetadata', 'metadata'],
  ['membermetadata', 'member'],
  ['callbackurl', 'redirectUri'],
  ['abortsignal', 'signal'],
])

/**
 * Rejects names that are not in the list, all at once.
 * @throws ConfigurationError `invalid_argument`, with the names that were probably meant, or all names.
 */
export function requireNames(options: object, names: readonly string[], owner = ''): void {
  // A text in place of the options has its characters as fields: the missing options are the fault.
  const unknown = Object.keys(options).filter((name) => !names.includes(name) && !/^\d+$/.test(name))
  if (unknown.length === 0) return
  const meant = unknown.flatMap((name) => {
    const known = KNOWN_AS.get(lettersOf(name))
    const suggestion = known !== undefined && names.includes(known) ? known : closestName(name, names)
    return suggestion === undefined ? [] : [owner + suggestion]
  })
  const question = meant.length > 0 ? `Did you mean ${meant.join(', ')}?` : 'No such option.'
  const subject = unknown.map((name) => owner + name.slice(0, 32)).slice(0, 8)
  throw new ConfigurationError('invalid_argument', subject.join(', '), {
    remedy: meant.length === unknown.length ? question : `${question} Known: ${names.join(', ')}`,
  })
}

/** The first name that differs only in case, `_`, `-`, or a few neighbouring letters. */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(name)
  return names.find((other) => differences(letters, lettersOf(other)) < (other.length > 4 ? 3 : 2))
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

/** Number of letters between the common prefix and the common suffix of two words. */
function differences(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short[short.length - 1 - end] === long[long.length - 1 - end]) end++
  return long.length - start - end
}

// Single values. A message names the option or argument, and never quotes its value.

/** Condition that a number must meet. */
export interface NumberRule {
  /** Its unit and bounds, for the message: `ms`, `a number above 0`. */
  readonly kind: string
  /** Default 0. */
  readonly min?: number
  /** Default: none. `Infinity` itself is accepted then. */
  readonly max?: number
  /** A valid value, for the message. */
  readonly example: string
}

/** ms: a shorter time can only be one in seconds, which would otherwise end each call at once. 0 stays what it is. */
const SHORTEST = 100

/** Accepts undefined: the option has a default. @throws ConfigurationError `invalid_argument`. */
export function requireNumber(
  value: unknown,
  name: string,
  { kind, min = 0, max = Number.POSITIVE_INFINITY, example }: NumberRule,
): void {
  if (value === undefined) return
  const isValid = typeof value === 'number' && value >= min && value <= max
  const isShort = isValid && kind.endsWith('ms') && value > 0 && value < SHORTEST
  if (isValid && !isShort) return
  throw new ConfigurationError('invalid_argument', `${name}: ${kind}`, {
    remedy: isShort
      ? `For ${value} seconds pass ${value * 1000}; at least ${SHORTEST} ms are possible`
      : `Pass a number, for example ${example}`,
  })
}

/** Requires an object. @throws ConfigurationError `invalid_argument`. */
export function requireRecord(value: unknown, name: string): void {
  if (!isRecord(value)) throw new ConfigurationError('invalid_argument', name)
}

/** @throws ConfigurationError `invalid_argument`. */
export function requireRevealed(text: unknown, name: string): void {
  if (typeof text === 'string' && text.includes('[secret]'))
    throw new ConfigurationError('invalid_argument', name, {
      remedy: 'It prints as [secret]: pass its reveal()',
    })
}

// Public calls: whatever is thrown inside leaves as an error of the SDK. What the game's own code throws does not.

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
  const calls = new Map<PropertyKey, { member: unknown; call: (...args: unknown[]) => unknown }>()
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name)
      if (typeof member !== 'function') return member
      const known = calls.get(name)
      if (known?.member === member) return known.call
      const run = (...args: unknown[]): unknown => Reflect.apply(member, object, args)
      const call = name === callback ? run : typedCall(`${subject}.${String(name)}`, run)
      calls.set(name, { member, call })
      return call
    },
  })
}

function typedCall(subject: string, run: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
  const fail = (error: unknown): never => {
    throw toTypedError(error, subject)
  }
  return (...args) => {
    try {
      const result = run(...args)
      return result instanceof Promise ? result.catch(fail) : result
    } catch (error) {
      return fail(error)
    }
  }
}

/** Runs the game's own code. An error that it throws is reported to the page's error handler and does not interrupt the SDK. */
export function runCallback<T>(code: () => T): T | undefined {
  try {
    return code()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
    return undefined
  }
}

/**
 * Defines each inherited method as the object's own, bound, so that it works when it is handed over: `button.onclick = client.signIn`.
 */
export function bindMethods(object: object): void {
  for (
    let type: unknown = Object.getPrototypeOf(object);
    isObject(type) && type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  )
    for (const name of Object.getOwnPropertyNames(type)) {
      const method: unknown = Object.getOwnPropertyDescriptor(type, name)?.value
      if (
        typeof method !== 'function' ||
        name === 'constructor' ||
        Object.getOwnPropertyDescriptor(object, name)
      )
        continue
      const value = (...args: unknown[]): unknown => Reflect.apply(method, object, args)
      Object.defineProperty(object, name, { value, configurable: true, writable: true })
    }
}

/** Also of another realm, such as a test in a context of its own, where `instanceof` fails. */
export const isObject = (value: unknown): value is object => Object(value) === value
