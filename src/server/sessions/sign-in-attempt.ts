/** An attempt to sign in, in a sealed cookie of the browser that began it. */
import { encodeAttempt } from '../../shared/authorization/attempt-record'
import { decodeAttempt } from '../../shared/authorization/decode-attempt'
import type { Attempt } from '../../shared/authorization/begin-attempt'
import { isRecord, isText, readJson } from '../../shared/foundation/untrusted-values'
import type { Seal } from './sealed-text'

/** An attempt, and the path to return to. */
export interface SignInAttempt {
  readonly attempt: Attempt
  readonly returnTo: string
}

export function sealAttempt(seal: Seal, { attempt, returnTo }: SignInAttempt): Promise<string> {
  return seal.seal('attempt', JSON.stringify({ attempt: encodeAttempt(attempt), returnTo }))
}

/** Undefined for a cookie that this backend did not seal. */
export async function openAttempt(seal: Seal, cookie: string | undefined): Promise<SignInAttempt | undefined> {
  const value = readJson((cookie && (await seal.open('attempt', cookie))) || '')
  const { attempt: stored, returnTo } = isRecord(value) ? value : {}
  const attempt = decodeAttempt(stored)
  return attempt && isText(returnTo, /^\//) ? { attempt, returnTo } : undefined
}
