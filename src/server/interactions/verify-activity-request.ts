/** Verifies requests that the proxy of an Activity has signed: Ed25519 over a payload in a header (docs/interface/activities.md#proxy). */
import { takeOptions } from '../../shared/foundation/take-options'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { requireRequest } from '../requests/require-request'
import { bytesOfHex, importPublicKey, type PublicKey, requirePublicKey } from './public-key'

/** Time in seconds by which the service's clock may be ahead. */
const CLOCK_SKEW = 300
/** Longest accepted payload in characters. */
const MAX_PAYLOAD = 8192

/** Options of `verifyActivityRequest`. */
export interface VerifyActivityRequestOptions {
  /** Word in the name of the payload's header, `x-<brand>-proxy-payload`. Default: `service`. */
  brand?: string | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Payload of a signed request. Only its times are documented; the other fields describe the player. */
export interface ActivityProxyPayload {
  /** Time of the signature in epoch seconds. */
  readonly created_at: number
  /** End of the payload's validity in epoch seconds. */
  readonly expires_at: number
  /** Further fields, as received. */
  readonly [field: string]: unknown
}

/** Result of a verification: the payload, or the reason of the refusal. */
export type ActivityRequestVerification =
  | { readonly ok: true; readonly payload: ActivityProxyPayload }
  | {
      readonly ok: false
      readonly reason:
        | 'missing_header'
        | 'malformed_payload'
        | 'malformed_signature'
        | 'timestamp_mismatch'
        | 'future_timestamp'
        | 'expired'
        | 'bad_signature'
        | 'key_unusable'
    }

/**
 * Verifies that a request has passed the service's proxy of Activities. Respond with 401 if it is refused. The signature covers the payload
 * alone, not the method, the address or the body, and is valid until `expires_at`: it identifies the player, and does not replace a session.
 *
 * @throws ConfigurationError `invalid_argument` for an invalid key, and for a `request` that is no Fetch API `Request`. Request content
 * never causes an exception.
 * @example
 * ```ts
 * const verified = await verifyActivityRequest(request, process.env.FOYER_PUBLIC_KEY)
 * if (!verified.ok) return new Response(null, { status: 401 })
 * ```
 */
export async function verifyActivityRequest(
  request: Request,
  publicKey: PublicKey,
  options?: VerifyActivityRequestOptions,
): Promise<ActivityRequestVerification> {
  const { brand = 'service', clock = systemClock } = takeOptions({ ...options }, ['brand', 'clock'])
  const key = requirePublicKey(publicKey)
  requireRequest(request)
  const read = readSigned(request.headers, brand)
  if (typeof read === 'string') return { ok: false, reason: read }
  const problem = findProblem(read, clock.now() / 1000) ?? (await findBadSignature(read, key))
  return problem ? { ok: false, reason: problem } : { ok: true, payload: read.payload }
}

type Reason = Extract<ActivityRequestVerification, { ok: false }>['reason']

interface SignedPayload {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly payload: ActivityProxyPayload
  readonly signature: Uint8Array<ArrayBuffer>
  readonly timestamp: string
}

function readSigned(headers: Headers, brand: string): SignedPayload | Reason {
  const [encoded, timestamp] = [headers.get(`x-${brand}-proxy-payload`), headers.get('x-signature-timestamp')]
  const signed = headers.get('x-signature-ed25519')
  if (!encoded || !timestamp || !signed) return 'missing_header'
  const bytes = encoded.length > MAX_PAYLOAD ? undefined : bytesOfBase64(encoded)
  const payload = bytes && readPayload(bytes)
  if (!payload) return 'malformed_payload'
  // The public documentation encodes signatures as base64 in one example, and as hex in another.
  const signature = signed.length === 128 ? bytesOfHex(signed) : bytesOfBase64(signed)
  return signature?.length === 64 ? { bytes, payload, signature, timestamp } : 'malformed_signature'
}

function readPayload(bytes: Uint8Array): ActivityProxyPayload | undefined {
  try {
    const payload: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return isPayload(payload) ? payload : undefined
  } catch {
    return undefined
  }
}

const isPayload = (value: unknown): value is ActivityProxyPayload =>
  isRecord(value) && Number.isFinite(value['created_at']) && Number.isFinite(value['expires_at'])

function findProblem({ payload, timestamp }: SignedPayload, now: number): Reason | undefined {
  if (String(payload.created_at) !== timestamp) return 'timestamp_mismatch'
  if (payload.created_at > now + CLOCK_SKEW) return 'future_timestamp'
  return payload.expires_at < Math.floor(now) ? 'expired' : undefined
}

async function findBadSignature(
  { signature, bytes }: SignedPayload,
  key: PublicKey,
): Promise<Reason | undefined> {
  try {
    return (await crypto.subtle.verify('Ed25519', await importPublicKey(key), signature, bytes))
      ? undefined
      : 'bad_signature'
  } catch {
    return 'key_unusable'
  }
}

/** Returns undefined for invalid base64. */
function bytesOfBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
