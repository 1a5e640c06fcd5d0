/** Looks at values whose type nobody has promised. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object, or none. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
