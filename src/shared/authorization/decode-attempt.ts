/** Reads the stored form of a pending sign-in, and validates every field. Needed only after a return from another page. Pure. */
import { isRecord, isText, ownFields } from '../foundation/untrusted-values'
import { isApplicationId } from '../foundation/ids'
import { Secret } from '../foundation/secret'
import { LIFETIME } from './attempt-record'
import { type Attempt } from './attempt'

/** Matches any string. */
const ANY_STRING = /^/

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
