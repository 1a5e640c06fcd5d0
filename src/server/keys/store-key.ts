/** The one name of everything that a backend stores: the application, the kind of thing, and its id. What is sealed is bound to the same name. */
import { isSnowflake } from '../../shared/foundation/ids'

declare const kind: unique symbol

/**
 * Key of something that a backend stores: `<application id>:<kind>:<id>`. The SDK makes all keys itself, and a store takes them as they are. Two
 * games that share a store never meet.
 */
export type StoreKey = string & { readonly [kind]: 'store key' }

/** `session`: a record. `ended`: the end of a session. `end`: the end of all sessions of a player. `lock`: of a session. */
export const STORE_KINDS = [
  'session',
  'ended',
  'end',
  'lock',
  'attempt',
  'ticket',
  'seen',
  'purchase',
] as const
export type StoreKind = (typeof STORE_KINDS)[number]

const KEY = /^\d+:[a-z]+:[!-~]+$/
/** For a request that names no application. */
const NOBODY = '0'

/** @param id printable characters without blanks: a hash where it must not be known to whoever reads the store. */
export function storeKey(applicationId: unknown, of: StoreKind, id: string): StoreKey {
  const key = `${isSnowflake(applicationId) ? applicationId : NOBODY}:${of}:${id}`
  if (!isStoreKey(key)) throw new TypeError(`An id of a ${of} has no printable characters`)
  return key
}

const isStoreKey = (text: string): text is StoreKey => KEY.test(text)

/** The key in a Redis that others share: with a hash tag for each installation and application, so that a cluster keeps what belongs together. */
export function redisKey(prefix: string, key: StoreKey): string {
  const at = key.indexOf(':')
  return `{${prefix}:${key.slice(0, at)}}${key.slice(at)}`
}
