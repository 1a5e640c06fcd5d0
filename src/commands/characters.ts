/** Counts characters as the interface means them: code points, neither UTF-16 units nor what looks like one letter. */

export function countCharacters(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if (isTrail(text.charCodeAt(i)) && isLead(text.charCodeAt(i - 1))) count--
  }
  return count
}

/** Whether a text has `min` to `max` characters. Counts only where UTF-16 units do not tell. */
export function hasLength(text: string, { min, max }: { min: number; max: number }): boolean {
  const { length } = text
  if (length <= max) return length >= min * 2 || countCharacters(text) >= min
  return length <= max * 2 && countCharacters(text) <= max
}

const isLead = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00
const isTrail = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000
