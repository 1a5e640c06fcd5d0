/** Detects misspelt options and events, which plain JavaScript would ignore silently. */
import { ConfigurationError } from './errors'

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
    const remedy = suggestion === undefined ? `Known: ${names.join(', ')}` : `Did you mean ${owner}${suggestion}?`
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
