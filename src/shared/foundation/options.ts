/** Checks of options and arguments, which the compiler makes for TypeScript and plain JavaScript lacks. */
import { ConfigurationError } from './errors'
import { isRecord, ownArguments, withoutUndefined } from './untrusted-values'
import { createTyped } from './with-typed-errors'

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

/** Names that people know from other libraries, and the service's own. */
const KNOWN_AS: ReadonlyMap<string, string> = new Map([
  ['store', 'tokenStore'],
  ['storage', 'tokenStore'],
  ['clientId', 'applicationId'],
  ['appId', 'applicationId'],
  ['lobbyMetadata', 'metadata'],
  ['memberMetadata', 'member'],
  ['callbackUrl', 'redirectUri'],
  ['abortSignal', 'signal'],
])

/**
 * Rejects a name that is not in the list.
 * @throws ConfigurationError `invalid_argument`, with the name that was probably meant, or all names.
 */
export function requireNames(options: object, names: readonly string[], owner = ''): void {
  for (const name of Object.keys(options)) {
    // A text in place of the options has its characters as fields: the missing options are the fault.
    if (names.includes(name) || /^\d+$/.test(name)) continue
    const known = KNOWN_AS.get(name)
    const suggestion = known !== undefined && names.includes(known) ? known : closestName(name, names)
    const remedy =
      suggestion === undefined ? `Known: ${names.join(', ')}` : `Did you mean ${owner}${suggestion}?`
    throw new ConfigurationError('invalid_argument', owner + name.slice(0, 32), { remedy })
  }
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

/** Accepts undefined: the option has a default. @throws ConfigurationError `invalid_argument`. */
export function requireNumber(
  value: unknown,
  name: string,
  { kind, min = 0, max = Number.POSITIVE_INFINITY, example }: NumberRule,
): void {
  if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return
  throw new ConfigurationError('invalid_argument', `${name}: ${kind}`, {
    remedy: `Pass a number, for example ${example}`,
  })
}

/** Requires an object. The message names the argument and never quotes its value. @throws ConfigurationError `invalid_argument`. */
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

/** Options that every such call has. */
export interface CallOptions {
  /** Aborts the call, waiting or in progress, with `aborted`. */
  signal?: AbortSignal | undefined
}

/** Settings of which each may be left out. One that is undefined counts as left out, also under `exactOptionalPropertyTypes`. */
export type Optional<T> = { [Name in keyof T]?: T[Name] | undefined }
