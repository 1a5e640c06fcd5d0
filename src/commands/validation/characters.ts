/** Counts characters as the interface means them: code points, neither UTF-16 units nor what looks like one letter. */

export function countCharacters(text: string): number {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    if (kindOf(text, i) === TRAIL && kindOf(text, i - 1) === LEAD) count--
  }
  return count
}

/** The two halves of a code point that takes two units: their first six bits tell them. */
const LEAD = 0xd800
const TRAIL = 0xdc00
const kindOf = (text: string, index: number): number => text.charCodeAt(index) & 0xfc00
