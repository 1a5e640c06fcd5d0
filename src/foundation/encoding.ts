/** Small tools for untrusted text and data: base64url (RFC 4648 section 5), comparison in constant time, guards. */

/** Bytes to base64url. */
export function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (character) => ({ '+': '-', '/': '_' })[character] ?? '')
}

/** Compares two texts in a time that depends on their lengths only. */
export function equalText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

export function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** Whether a value is an object with named fields. Read those by name only: it may hold `__proto__`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What is there and undefined counts as left out: many a configuration is read from where there may be nothing. */
export function withoutUndefined<T extends object>(options: T): Partial<T> {
  const given: Partial<T> = { ...options }
  for (const name in given) if (given[name] === undefined) delete given[name]
  return given
}
