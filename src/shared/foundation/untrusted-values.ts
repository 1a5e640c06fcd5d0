/** Reads untrusted data: type guards, copies without inherited fields, and JSON that may be anything. */

export function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

/** Type guard for objects that are not arrays. Read fields by name only: the object may hold `__proto__`. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy with the object's own fields and no prototype, so that a polluted `Object.prototype` cannot supply missing options. */
export function ownFields<T extends object>(options: T): T {
  return Object.assign<T, T>(Object.create(null), options)
}

/** Fields that may be missing, and are not undefined. */
type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

/** A copy without fields that are undefined, which count as missing. It has no prototype; see `ownFields`. */
export function withoutUndefined<T extends object>(options: T | null | undefined): Defined<T> {
  const given: Defined<T> = ownFields<Defined<T>>(options ?? {})
  for (const name in given) if (given[name] === undefined) delete given[name]
  return given
}

/** Undefined for a text that is not JSON. The parser's own error is dropped, since it quotes the text. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
