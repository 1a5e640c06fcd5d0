/** Verifies signatures: `jose` imports each public key once, and Web Crypto verifies with it. */
import { type CryptoKey, importJWK } from 'jose'
import type { VerificationKey } from './select-keys'

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
      return !(publicKey instanceof Uint8Array) && (await crypto.subtle.verify(isRsa ? RS256 : ES256, publicKey, signature, signed))
    } catch {
      return false
    }
  }
}
