/** Request verification: Ed25519 signature over timestamp and raw body, maximum age, and replay protection (docs/interface/interactions.md#delivery). */
import { takeOptions } from '../../shared/foundation/take-options'
import { type StoreKey, storeKey } from '../keys/store-key'
import { type Clock, systemClock } from '../../shared/foundation/clock'
import { requireNumber } from '../../shared/foundation/options'
import { takePort } from '../../shared/foundation/take-options'
import type { Interaction } from '../../shared/wire/interaction-request'
import { requireRequest } from '../requests/require-request'
import { type Body, readBody } from './read-body'
import { decodeInteraction } from './decode-interaction'
import { InteractionError, type VerificationReason } from './interaction-error'
import { bytesOfHex, importPublicKey, type PublicKey, requirePublicKey } from './public-key'
import { REPLAYS, type ReplayStore } from './replay-store'
import { ownFields } from '../../shared/foundation/untrusted-values'

/** Interaction tokens expire after 15 minutes, so older signatures are useless. */
const MAX_AGE = 15 * 60_000
const MAX_AGE_DEFAULT = 5 * 60_000
const SIGNATURE = 'x-signature-ed25519'
const TIMESTAMP = 'x-signature-timestamp'

/** Options of `verifyInteraction`. */
export interface VerifyOptions {
  /** Maximum deviation of the timestamp in ms, in both directions. Default: 300,000 (5 minutes); maximum: 900,000. */
  maxAge?: number | undefined
  /** Maximum body size in bytes. Default: 262,144 (256 KiB). */
  maxBodyBytes?: number | undefined
  /** Replay store. Default: none; a recorded request passes again within `maxAge`. */
  replays?: ReplayStore | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/**
 * Result of a verification: the interaction with the time of its signature, or the reason for the refusal. `malformed_interaction` and `unknown_type` have a valid
 * signature.
 */
export type Verification =
  | {
      readonly ok: true
      readonly interaction: Interaction
      /** Time of the signature in epoch ms, in whole seconds: the service waits 3 seconds from then. */
      readonly signedAt: number
    }
  | { readonly ok: false; readonly reason: VerificationReason | 'malformed_interaction' | 'unknown_type' }

/**
 * Verifies a request of the service. Pass the request unmodified: a re-serialized body has another signature. Respond with 401 if it is
 * refused: the service deliberately sends invalid signatures and removes endpoints that accept them.
 *
 * @throws ConfigurationError `invalid_argument` for an invalid key or option, and for a `request` that is no Fetch API `Request`, such as
 * the one of Node's `http`. Request content never causes an exception.
 */
export async function verifyInteraction(
  request: Request,
  publicKey: PublicKey,
  options?: VerifyOptions,
): Promise<Verification> {
  const given = takeOptions({ ...options }, ['maxAge', 'maxBodyBytes', 'replays', 'clock'])
  return createVerifier(publicKey, { ...given, replays: takePort(given.replays, REPLAYS, given.clock) })(
    request,
  )
}

/** Creates a verifier that imports the key once. @throws ConfigurationError `invalid_argument`. */
export function createVerifier(
  publicKey: PublicKey,
  options: VerifyOptions,
): (request: Request) => Promise<Verification> {
  const { replays, maxAge = MAX_AGE_DEFAULT } = options
  const verify = createSignatureVerifier(publicKey, options)
  // Shared, because creating a decoder costs as much as everything else except the signature.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return async (request) => {
    const bytes = await verify(request)
    if (typeof bytes === 'string') return { ok: false, reason: bytes }
    const interaction = decode(bytes, decoder)
    if (typeof interaction === 'string') return { ok: false, reason: interaction }
    const key = replayKey(interaction, request.headers)
    try {
      // Future timestamps stay valid for twice as long.
      if (await replays?.seen(key, 2 * maxAge)) return { ok: false, reason: 'replayed' }
    } catch {
      return { ok: false, reason: 'replay_unknown' }
    }
    return { ok: true, interaction, signedAt: Number(request.headers.get(TIMESTAMP)) * 1000 }
  }
}

/**
 * The interaction's id, because a repeated delivery has another timestamp and signature. The signature (in one spelling) of a PING and of a
 * request for suggestions: they change nothing, and may be repeated.
 */
function replayKey({ id, type, application_id: application }: Interaction, headers: Headers): StoreKey {
  const isRepeatable = type === 1 || type === 4
  return storeKey(
    application,
    'seen',
    isRepeatable ? `signature:${headers.get(SIGNATURE)?.toLowerCase()}` : `interaction:${id}`,
  )
}

/** Creates a verifier that resolves with the body's bytes, or with the reason of the refusal. @throws ConfigurationError `invalid_argument`. */
export function createSignatureVerifier(
  publicKey: PublicKey,
  options: Omit<VerifyOptions, 'replays'>,
): (request: Request) => Promise<Uint8Array<ArrayBuffer> | VerificationReason> {
  const {
    maxAge = MAX_AGE_DEFAULT,
    maxBodyBytes = 256 * 1024,
    clock = systemClock,
  } = ownFields({ ...options })
  requireNumber(maxAge, 'maxAge', { kind: '1 to 900,000 ms', min: 1, max: MAX_AGE, example: '300_000' })
  requireNumber(maxBodyBytes, 'maxBodyBytes', {
    kind: 'a number of bytes',
    min: 1,
    max: 2 ** 31 - 1,
    example: '262_144',
  })
  const rules = { maxAge, clock }
  const key = requirePublicKey(publicKey)
  let imported: Promise<CryptoKey> | undefined
  return async (request) => {
    requireRequest(request)
    const signed = readSignature(request.headers, rules)
    if (typeof signed === 'string') return signed
    const body = await readBody(request, maxBodyBytes, clock)
    if (typeof body === 'string') return body
    return (await findFault({ ...signed, body }, (imported ??= importPublicKey(key)))) ?? body.bytes
  }
}

interface Rules {
  readonly maxAge: number
  readonly clock: Clock
}

interface Signature {
  readonly signature: Uint8Array<ArrayBuffer>
  readonly timestamp: string
}

/** Checks headers and age, before the body is read. */
function readSignature(headers: Headers, { maxAge, clock }: Rules): Signature | VerificationReason {
  const hex = headers.get(SIGNATURE)
  const timestamp = headers.get(TIMESTAMP)
  if (!hex || !timestamp) return 'missing_header'
  const signature = hex.length === 128 && bytesOfHex(hex)
  if (!signature) return 'malformed_signature'
  if (!/^\d{1,12}$/.test(timestamp)) return 'malformed_timestamp'
  const age = clock.now() - Number(timestamp) * 1000
  if (age > maxAge) return 'old_timestamp'
  if (age < -maxAge) return 'future_timestamp'
  return { signature, timestamp }
}

interface Signed extends Signature {
  readonly body: Body
}

/** Undefined for a request that the service has signed. */
async function findFault(signed: Signed, key: Promise<CryptoKey>): Promise<VerificationReason | undefined> {
  try {
    if (await crypto.subtle.verify('Ed25519', await key, signed.signature, signedBytes(signed)))
      return undefined
  } catch {
    return 'key_unusable'
  }
  return signed.body.altered ? 'body_altered' : 'bad_signature'
}

function signedBytes({ timestamp, body }: Signed): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(timestamp.length + body.bytes.length)
  for (let i = 0; i < timestamp.length; i++) bytes[i] = timestamp.charCodeAt(i)
  bytes.set(body.bytes, timestamp.length)
  return bytes
}

function decode(
  bytes: Uint8Array,
  decoder: TextDecoder,
): Interaction | 'malformed_body' | 'malformed_interaction' | 'unknown_type' {
  let payload: unknown
  try {
    payload = JSON.parse(decoder.decode(bytes))
  } catch {
    return 'malformed_body'
  }
  return decodeInteraction(payload)
}

/** Likely cause of each refusal, for the operator of the endpoint. */
const HINTS: Partial<Record<string, string>> = {
  missing_header: 'The headers x-signature-ed25519 and x-signature-timestamp must reach the handler',
  bad_signature:
    'The public key is of another application, the body was parsed and written again, or the service tests the endpoint with a forged request',
  body_altered: 'The body is not as long as announced: hand over the raw bytes',
  body_consumed: 'A body parser such as express.json() read the body first: put the endpoint before it',
  old_timestamp: 'It was recorded earlier, or the clock of this machine is ahead',
  future_timestamp: 'The clock of this machine is behind',
  key_unusable: 'The runtime has no Ed25519, or the public key is none',
}

export const refusalError = (reason: InteractionError['code']): InteractionError =>
  new InteractionError(reason, '', { remedy: HINTS[reason] })
