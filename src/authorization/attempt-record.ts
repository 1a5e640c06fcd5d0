/** The stored form of a pending sign-in, and how long and how many are kept. What is read is checked like anything from outside. Pure. */
import { isRecord, isText, ownFields } from '../foundation/encoding'
import { isApplicationId } from '../foundation/ids'
import { Secret } from '../foundation/secret'
import type { Attempt } from './request'

/** Records that are kept at once; one more takes the place of the oldest. */
export const MAX_RECORDS = 8
/** How long a record is good for, in ms. */
const LIFETIME = 600_000
/** Any text. */
const ANY = /^/

/** Plain data: the verifier is readable in it. */
export function encodeAttempt({ verifier, ...attempt }: Attempt): object {
  return { ...attempt, verifier: verifier?.reveal() }
}

/** Undefined for anything that is no record. */
export function decodeAttempt(value: unknown): Attempt | undefined {
  if (!isRecord(value)) return undefined
  const { state, nonce, owner, clientId, scopes, redirectUri, verifier, begun, page } = ownFields(value)
  if (!isText(state, ANY) || !isText(nonce, ANY) || !isText(owner, ANY) || !isText(scopes, ANY) || !isText(redirectUri, ANY))
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
    verifier: isText(verifier, ANY) ? new Secret(verifier) : undefined,
    page: isText(page, ANY) ? page : undefined,
  }
}

export function isFresh({ begun }: Attempt, now: number): boolean {
  return now - begun <= LIFETIME
}
