/** Ids of the service: branded texts, made by checks. */
import { ConfigurationError } from './errors'

declare const kind: unique symbol

/** A decimal string from 0 to 2^64 - 1. */
export type Snowflake = string & { readonly [kind]: { snowflake: true } }
/** An application's id: a snowflake. */
export type ApplicationId = Snowflake & { readonly [kind]: { application: true } }
/** A user's id: a snowflake. */
export type UserId = Snowflake & { readonly [kind]: { user: true } }

const DECIMAL = /^(0|[1-9]\d{0,19})$/
/** 2^64 - 1, with as many digits as the longest string that is compared with it. */
const MAX = '18446744073709551615'

/** Type guard for snowflakes. Numbers are rejected: they lose digits above 2^53. */
export function isSnowflake(value: unknown): value is Snowflake {
  return typeof value === 'string' && DECIMAL.test(value) && (value.length < MAX.length || value <= MAX)
}

export function isApplicationId(value: unknown): value is ApplicationId {
  return isSnowflake(value)
}

export function isUserId(value: unknown): value is UserId {
  return isSnowflake(value)
}

/** Remedy for an invalid id. */
export const ID_REMEDY = 'Give its digits as a string or a bigint, since a number loses some, without blanks'
/** For an id of a backend's options, which comes from the environment. */
export const VARIABLE_REMEDY = `${ID_REMEDY}; is FOYER_APPLICATION_ID set?`

/**
 * The application's id as a string, or undefined if it is invalid. Takes a string or a bigint (docs/interface/authorization.md#arguments).
 */
export function toApplicationId(value: unknown): ApplicationId | undefined {
  const text = typeof value === 'bigint' ? String(value) : value
  return isApplicationId(text) ? text : undefined
}

/** @throws ConfigurationError `invalid_argument`, with a message that does not quote the value. */
export function requireId(id: unknown, name: string): Snowflake {
  if (isSnowflake(id)) return id
  throw new ConfigurationError('invalid_argument', name, { remedy: ID_REMEDY })
}
