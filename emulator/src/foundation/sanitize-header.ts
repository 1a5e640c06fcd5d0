/** Replaces characters that a header cannot contain: all except visible ASCII and spaces. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
