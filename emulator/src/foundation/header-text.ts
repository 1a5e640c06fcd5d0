/** Makes words fit for a header, which takes visible ASCII only. */
export function headerText(words: string): string {
  return words.replace(/[^\x20-\x7e]/g, '?')
}
