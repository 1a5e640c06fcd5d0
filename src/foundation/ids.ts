/** Snowflakes: 64-bit ids that travel as decimal strings (S:18), branded so that one kind cannot stand for another. */

declare const kind: unique symbol

/** A decimal string from 0 to 2^64 - 1. */
export type Snowflake = string & { readonly [kind]: { snowflake: true } }
export type ApplicationId = Snowflake & { readonly [kind]: { application: true } }
export type UserId = Snowflake & { readonly [kind]: { user: true } }

const DECIMAL = /^(0|[1-9]\d{0,19})$/
/** 2^64 - 1, with as many digits as the longest text that is compared with it. */
const MAX = '18446744073709551615'

/** Whether a value is a snowflake. Numbers are not: they lose digits above 2^53. */
export function isSnowflake(value: unknown): value is Snowflake {
  return typeof value === 'string' && DECIMAL.test(value) && value.padStart(20, '0') <= MAX
}

export function isApplicationId(value: unknown): value is ApplicationId {
  return isSnowflake(value)
}

export function isUserId(value: unknown): value is UserId {
  return isSnowflake(value)
}

/** What to do about an id that is none. */
export const ID_REMEDY = 'Give its digits as a string or a bigint, since a number loses some'

/** The application's id as text, or undefined when it is none. Takes a string or a bigint (S:194). */
export function toApplicationId(value: unknown): ApplicationId | undefined {
  const text = typeof value === 'bigint' ? String(value) : value
  return isApplicationId(text) ? text : undefined
}
