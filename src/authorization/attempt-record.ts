/** Stored form of a pending sign-in, with its limits. Decoding validates every field. Pure. */
import { isRecord, isText, ownFields } from '../foundation/values/guard-untrusted-values'
import { isApplicationId } from '../foundation/ids'
import { Secret } from '../foundation/secret'
import type { Attempt } from './begin-attempt'

/** Maximum number of stored records; the oldest one is replaced. */
export const MAX_RECORDS = 8
/** Lifetime of a record in ms. */
export const LIFETIME = 600_000
/** Matches any string. */
const ANY_STRING = /^/

/** Plain data with the verifier in clear text. */
export function encodeAttempt({ verifier, ...attempt }: Attempt): object {
  return { ...attempt, verifier: verifier?.reveal() }
}

/** Returns undefined for invalid data. */
export function decodeAttempt(value: unknown): Attempt | undefined {
  if (!isRecord(value)) return undefined
  const { state, nonce, owner, clientId, scopes, redirectUri, verifier, begun, page } = ownFields(value)
  if (
    !isText(state, ANY_STRING) ||
    !isText(nonce, ANY_STRING) ||
    !isText(owner, ANY_STRING) ||
    !isText(scopes, ANY_STRING) ||
    !isText(redirectUri, ANY_STRING)
  )
    return undefined
  if (!isApplicationId(clientId) || typeof begun !== 'number') return undefined
  return {
    state,
    nonce,
    owner,
    clientId,
    scopes,
    redirectUri,
    begun,
    verifier: isText(verifier, ANY_STRING) ? new Secret(verifier) : undefined,
    page: isText(page, ANY_STRING) ? page : undefined,
  }
}

export function isFresh({ begun }: Attempt, now: number): boolean {
  return now - begun <= LIFETIME
}
