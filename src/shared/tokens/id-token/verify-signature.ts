/** Selects the keys of a JWKS that may verify an ID token (RFC 7517, RFC 7518 section 6, RFC 8725 section 3.5), and verifies with them. */
import { type CryptoKey, importJWK } from 'jose'
import { isRecord } from '../../foundation/untrusted-values'
import { decodeBase64url } from './parse-id-token'

/** RFC 7518 section 3.3 and 3.4. The type of a key determines its algorithm: the token's header has no influence. */
const RS256 = { name: 'RSASSA-PKCS1-v1_5' }
const ES256 = { name: 'ECDSA', hash: 'SHA-256' }

export interface Signed {
  readonly signed: Uint8Array<ArrayBuffer>
  readonly signature: Uint8Array<ArrayBuffer>
}

/** Resolves with false also for a key that cannot be imported. */
export type Verify = (key: VerificationKey, token: Signed) => Promise<boolean>

export function createVerify(): Verify {
  const imported = new WeakMap<VerificationKey, Promise<CryptoKey | Uint8Array>>()
  return async (key, { signed, signature }) => {
    const isRsa = key.kty === 'RSA'
    try {
      const importing = imported.get(key) ?? importJWK({ ...key }, isRsa ? 'RS256' : 'ES256')
      imported.set(key, importing)
      const publicKey = await importing
      // Only symmetric keys are imported as bytes, and a `VerificationKey` is never symmetric.
      return (
        !(publicKey instanceof Uint8Array) &&
        (await crypto.subtle.verify(isRsa ? RS256 : ES256, publicKey, signature, signed))
      )
    } catch {
      return false
    }
  }
}

/** RFC 7518 section 3.3. */
const MIN_MODULUS_BITS = 2048
/** Maximum number of keys to try for one token. */
const MAX_CANDIDATES = 4

/** A public key, rebuilt from its public members: other published members, such as a private part, are dropped. */
export type VerificationKey =
  | { readonly kty: 'RSA'; readonly n: string; readonly e: string }
  | { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string }

/** A usable key of the service. */
export interface PublishedKey {
  readonly kid: string | undefined
  /** The key's only algorithm, which follows from its type. */
  readonly alg: 'RS256' | 'ES256'
  readonly key: VerificationKey
}

/** Header fields of a token that select its key. */
export interface KeyQuery {
  readonly alg: string
  readonly kid?: string | undefined
}

/** The usable keys of a key set. Broken, weak or unsuitable keys are skipped (RFC 7517 section 5). */
export function readKeys(keys: readonly unknown[]): readonly PublishedKey[] {
  return keys.map(readKey).filter((key) => key !== undefined)
}

/** Candidate keys for a token with this header, four at most. Without `kid`, every key of the algorithm is a candidate. */
export function selectKeys(
  keys: readonly PublishedKey[],
  { alg, kid }: KeyQuery,
): readonly VerificationKey[] {
  const candidates = keys.filter((key) => key.alg === alg && (kid === undefined || key.kid === kid))
  return candidates.slice(0, MAX_CANDIDATES).map(({ key }) => key)
}

function readKey(value: unknown): PublishedKey | undefined {
  if (!isRecord(value) || !isForVerifying(value)) return undefined
  const key = readRsaKey(value) ?? readEcKey(value)
  const { kid, alg } = value
  if (!key || (kid !== undefined && typeof kid !== 'string')) return undefined
  const algorithm = key.kty === 'RSA' ? 'RS256' : 'ES256'
  return alg === undefined || alg === algorithm ? { kid, alg: algorithm, key } : undefined
}

/** RFC 7517 section 4.2 and 4.3. */
function isForVerifying({ use, key_ops: operations }: Readonly<Record<string, unknown>>): boolean {
  if (use !== undefined && use !== 'sig') return false
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'))
}

function readRsaKey({ kty, n, e }: Readonly<Record<string, unknown>>): VerificationKey | undefined {
  if (kty !== 'RSA' || typeof n !== 'string' || typeof e !== 'string') return undefined
  return bitLength(n) >= MIN_MODULUS_BITS && bitLength(e) > 1 ? { kty, n, e } : undefined
}

function readEcKey({ kty, crv, x, y }: Readonly<Record<string, unknown>>): VerificationKey | undefined {
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string') return undefined
  return [x, y].every((coordinate) => decodeBase64url(coordinate)?.length === 32)
    ? { kty, crv, x, y }
    : undefined
}

/** Bit length of a base64url number without leading zeros. 0 if it is invalid. */
function bitLength(text: string): number {
  const bytes = decodeBase64url(text) ?? new Uint8Array()
  const first = bytes.findIndex((byte) => byte !== 0)
  return first < 0 ? 0 : (bytes.length - first) * 8 - (Math.clz32(bytes[first] ?? 0) - 24)
}
