/** Checks and replaces what a header can contain. */
import { validateHeaderName, validateHeaderValue } from 'node:http'

/** True if Node can send the header. */
export function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return true
  } catch {
    return false
  }
}

/** Replaces characters that a header cannot contain: all except visible ASCII and spaces. */
export function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?')
}
