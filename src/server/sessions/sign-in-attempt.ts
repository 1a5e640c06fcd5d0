/** An attempt to sign in, in a sealed cookie of the browser that began it. */
import { encodeAttempt } from '../../shared/authorization/attempt-record'
import { type Attempt } from '../../shared/authorization/attempt'
import { decodeAttempt } from '../../shared/authorization/decode-attempt'
import { base64url, sha256 } from '../../shared/foundation/crypto'
import type { ApplicationId } from '../../shared/foundation/ids'
import { isRecord, isText, readJson } from '../../shared/foundation/untrusted-values'
import { type StoreKey, storeKey } from '../keys/store-key'
import type { Seal } from './sealed-text'

/** An attempt, and the path to return to. */
export interface SignInAttempt {
  readonly attempt: Attempt
  readonly returnTo: string
}

export interface AttemptPlace {
  readonly seal: Seal
  readonly applicationId: ApplicationId
}

export function sealAttempt(
  { seal, applicationId }: AttemptPlace,
  { attempt, returnTo }: SignInAttempt,
): Promise<string> {
  return seal.seal(placeOf(applicationId), JSON.stringify({ attempt: encodeAttempt(attempt), returnTo }))
}

/** Undefined for a cookie that this backend did not seal. */
export async function openAttempt(
  { seal, applicationId }: AttemptPlace,
  cookie: string | undefined,
): Promise<SignInAttempt | undefined> {
  const value = readJson((cookie && (await seal.open(placeOf(applicationId), cookie))) || '')
  const { attempt: stored, returnTo } = isRecord(value) ? value : {}
  const attempt = decodeAttempt(stored)
  return attempt && isText(returnTo, /^\//) ? { attempt, returnTo } : undefined
}

/** The place of its use: an attempt is used for one code. */
export const useOf = (applicationId: ApplicationId, { state }: Attempt): StoreKey =>
  storeKey(applicationId, 'attempt', base64url(sha256(state)))

const placeOf = (applicationId: ApplicationId): StoreKey => storeKey(applicationId, 'attempt', 'cookie')
