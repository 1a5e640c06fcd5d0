/** A service that signs ID tokens and publishes its keys: correct by default, and as wrong as a test needs. */
import { CompactSign, exportJWK, generateKeyPair, type CryptoKey, type JWK } from 'jose'
import type { Fetch } from 'foyer-sdk'
import { createRemoteJwks, type RemoteJwks } from './internals'
import { ManualClock } from './manual-clock'

export const ISSUER = 'https://service.test'
export const CLIENT_ID = '1082700000000000001'
export const USER_ID = '80351110224678912'
export const NONCE = 'n-0S6_WzA2Mj-n-0S6_WzA2Mj-n-0S6_WzA2Mj-1234'
export const ACCESS_TOKEN = 'jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y'
export const KEYS_URL = 'https://service.test/api/v10/oauth2/keys'

export const base64url = (data: string | Uint8Array) => Buffer.from(data).toString('base64url')

/** Private key and its published JWK. */
export interface SigningKey {
  alg: 'RS256' | 'ES256'
  privateKey: CryptoKey
  jwk: JWK & { kid: string }
}

export async function createKey(alg: 'RS256' | 'ES256', kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg } }
}

export class TokenIssuer {
  readonly clock = new ManualClock()
  /** Keys at the JWKS endpoint. */
  published: unknown[]
  /** Every requested URL. */
  readonly requests: string[] = []
  /** Response to a request for the keys, if not the keys. */
  answer: ((signal: AbortSignal) => Promise<Response>) | undefined

  constructor(...keys: SigningKey[]) {
    this.published = keys.map(({ jwk }) => jwk)
  }

  /** Fresh, empty key set of a client of this service. */
  keySet(): RemoteJwks {
    return createRemoteJwks({ fetch: this.#fetch, clock: this.clock }, KEYS_URL, 5000)
  }

  readonly #fetch: Fetch = async (url, { signal }) => {
    this.requests.push(url)
    if (this.answer && signal) return this.answer(signal)
    return Response.json({ keys: this.published })
  }

  /** Epoch seconds as in a token, this many seconds from now. */
  at(seconds: number): number {
    return this.clock.now() / 1000 + seconds
  }

  /** Valid claims with the given changes; `undefined` omits a claim. */
  claims(changes: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      iss: ISSUER,
      sub: USER_ID,
      aud: CLIENT_ID,
      exp: this.at(3600),
      iat: this.at(0),
      nonce: NONCE,
      ...changes,
    }
  }

  /** Signs valid claims with the given changes. */
  sign(
    key: SigningKey,
    changes: Record<string, unknown> = {},
    header: Record<string, unknown> = {},
  ): Promise<string> {
    return signText(key, JSON.stringify(this.claims(changes)), header)
  }
}

export function signText(
  key: SigningKey,
  payload: string,
  header: Record<string, unknown> = {},
): Promise<string> {
  return new CompactSign(new TextEncoder().encode(payload))
    .setProtectedHeader({ alg: key.alg, kid: key.jwk.kid, typ: 'JWT', ...header })
    .sign(key.privateKey)
}

/** Signs any header, even one that no library would sign. */
export async function signHeader(
  key: SigningKey,
  header: Record<string, unknown>,
  payload: string,
): Promise<string> {
  const input = `${base64url(JSON.stringify({ alg: key.alg, kid: key.jwk.kid, ...header }))}.${base64url(payload)}`
  const algorithm = key.alg === 'RS256' ? 'RSASSA-PKCS1-v1_5' : { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(algorithm, key.privateKey, Buffer.from(input))
  return `${input}.${base64url(new Uint8Array(signature))}`
}
