/** Finds misspelt options and events, which TypeScript would have refused and plain JavaScript takes in silence. */
import { ConfigurationError } from './errors'

/**
 * A name that is none of these but close to one is refused. Other names are left alone: they may be the game's own.
 * @throws ConfigurationError `invalid_argument`, with the name that was probably meant.
 */
export function requireNames(options: object, names: readonly string[], owner = ''): void {
  for (const name of Object.keys(options)) {
    const meant = names.includes(name) ? undefined : closest(name, names)
    if (meant) throw new ConfigurationError('invalid_argument', owner + name.slice(0, 32), { remedy: `Did you mean ${owner}${meant}?` })
  }
}

/** The name that differs in upper and lower case, in `_` and `-`, or in two letters beside each other at most. */
function closest(name: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(name)
  return names.find((other) => differences(letters, lettersOf(other)) < (other.length > 6 ? 3 : 2))
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[_-]/g, '')

/** Letters between what two words begin with and what they end with in common. */
function differences(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short[short.length - 1 - end] === long[long.length - 1 - end]) end++
  return long.length - start - end
}
