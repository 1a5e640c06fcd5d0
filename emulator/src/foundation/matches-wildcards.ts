/** Compares a text with one in which `*` stands for any text. Not by a pattern: the time of many `.*` in one grows with each. */

export function matchesWildcards(text: string, wanted: string): boolean {
  const [first = '', ...rest] = wanted.split('*')
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first)) return false
  let from = first.length
  for (const part of rest) {
    const at = text.indexOf(part, from)
    if (at < 0) return false
    from = at + part.length
  }
  return text.length - last.length >= from && text.endsWith(last)
}
