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

/** A copy that has the object's own fields and inherits none: a polluted `Object.prototype` cannot fill in what was left out. */
export function ownFields<T extends object>(options: T): T {
  return Object.assign<T, T>(Object.create(null), options)
}

/** A copy without the fields that are undefined, which count as left out. It inherits nothing; see `ownFields`. */
export function withoutUndefined<T extends object>(options: T | null | undefined): Partial<T> {
  const given: Partial<T> = ownFields<Partial<T>>(options ?? {})
  for (const name in given) if (given[name] === undefined) delete given[name]
  return given
}
