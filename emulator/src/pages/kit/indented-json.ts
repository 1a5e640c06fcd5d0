/** JSON as it is read: an object or a list is indented, and anything else stays as it is. */

export function indentedJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
