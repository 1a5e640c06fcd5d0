/** Detects misspelt options and events, which plain JavaScript would ignore silently. */
import { ConfigurationError } from './errors'

/**
 * Rejects a name that is not in the list but close to one that is. Other names are allowed: they may be the game's own.
 * @throws ConfigurationError `invalid_argument`, with the name that was probably meant.
 */
export function requireNames(options: object, names: readonly string[], owner = ''): void {
  for (const name of Object.keys(options)) {
    const suggestion = names.includes(name) ? undefined : closestName(name, names)
    if (suggestion)
      throw new ConfigurationError('invalid_argument', owner + name.slice(0, 32), { remedy: `Did you mean ${owner}${suggestion}?` })
  }
}

/** The first name that differs only in case, `_`, `-`, or a few neighbouring letters. */
export function closestName(name: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(name)
  return names.find((other) => differences(letters, lettersOf(other)) < (other.length > 6 ? 3 : 2))
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
