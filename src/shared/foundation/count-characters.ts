/** Counts characters as the service does: in code points, not in UTF-16 units or graphemes. */

export function countCharacters(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if (kindOf(text, i) === TRAIL && kindOf(text, i - 1) === LEAD) count--
  }
  return count
}

/** Prefixes of the two units of a surrogate pair. */
const LEAD = 0xd800
const TRAIL = 0xdc00
const kindOf = (text: string, index: number): number => text.charCodeAt(index) & 0xfc00
