/** An attempt to sign in, in a sealed cookie of the browser that began it. */
import type { Attempt } from '../authorization/begin-attempt'
import { isApplicationId } from '../foundation/ids'
import { isRecord } from '../foundation/values/guard-untrusted-values'
import type { Seal } from './sealed-text'

export interface AttemptRecord extends Omit<Attempt, 'verifier' | 'page'> {
  readonly verifier: string
  /** Path to return to. */
  readonly returnTo: string
}

export function writeAttempt(seal: Seal, { verifier, ...attempt }: Attempt, returnTo: string): Promise<string> {
  return seal.seal('attempt', JSON.stringify({ ...attempt, verifier: verifier?.reveal(), returnTo }))
}

/** Undefined for a cookie that this backend did not seal. */
export async function readAttempt(seal: Seal, cookie: string | undefined): Promise<AttemptRecord | undefined> {
  const text = cookie && (await seal.open('attempt', cookie))
  const value: unknown = text ? JSON.parse(text) : undefined
  if (!isRecord(value)) return undefined
  const { clientId, begun } = value
  if (!isApplicationId(clientId) || typeof begun !== 'number') return undefined
  const field = (name: string): string => (typeof value[name] === 'string' ? value[name] : '')
  return {
    clientId,
    begun,
    owner: '',
    state: field('state'),
    nonce: field('nonce'),
    scopes: field('scopes'),
    redirectUri: field('redirectUri'),
    verifier: field('verifier'),
    returnTo: field('returnTo'),
  }
}
