/** Type guards and readers for `unknown` values. */

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields of an object; an empty object for any other value. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const DECIMAL = /^(?:0|[1-9][0-9]*)$/

/** An id of the service: a 64-bit unsigned integer, written in decimal digits without leading zeros. */
export function isSnowflake(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 20 && DECIMAL.test(value) && BigInt(value) < 2n ** 64n
}
