/** The name that was probably meant by another one: of an option, a field, a scope, a variable. */

/** The first name that differs only in case, `_`, `-`, `.`, the order of letters or a few neighbouring letters, or that begins with the given one. */
export function closestName(given: string, names: readonly string[]): string | undefined {
  const letters = lettersOf(given)
  return (
    names.find((name) => lettersOf(name) === letters) ??
    names.find((name) => differences(letters, lettersOf(name)) < (name.length > 4 ? 3 : 2)) ??
    names.find((name) => sorted(lettersOf(name)) === sorted(letters)) ??
    (letters.length > 2 ? names.find((name) => lettersOf(name).startsWith(letters)) : undefined)
  )
}

/** A question in parentheses to add after a name, with the blank before it. Empty if no name is near. */
export function didYouMean(given: string, names: readonly string[], prefix = ''): string {
  const meant = closestName(given, names)
  return meant === undefined ? '' : ` (did you mean ${prefix}${meant}?)`
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[_.\- ]/g, '')
const sorted = (letters: string): string => Array.from(letters).sort().join('')

/** Number of letters between the common prefix and the common suffix of two words. */
function differences(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++
  return long.length - start - end
}
