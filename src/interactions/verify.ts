/** Whether a request comes from the service: Ed25519 over timestamp and raw body, recent, and not seen before (supplement A.5.1). */
import { type Clock, systemClock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import type { Interaction } from '../wire/interaction'
import { type Body, readBody } from './body'
import { decodeInteraction } from './decode'
import { InteractionError, type VerificationReason } from './error'
import { bytesOfHex, importPublicKey, type PublicKey, requirePublicKey } from './key'
import type { ReplayStore } from './replay'

/** An interaction's token lives for 15 minutes: nothing older is worth believing. */
const MAX_AGE = 15 * 60_000

export interface VerifyOptions {
  /** ms that a signature is good for, before and after its time. Default: 5 minutes; at most 15. */
  maxAge?: number
  /** Default: 256 KiB. */
  maxBodyBytes?: number
  /** What was seen before. Without it a recorded request passes again while it is recent. */
  replays?: ReplayStore
  clock?: Clock
}

/** The interaction, or why it is refused. `malformed_interaction` and `unknown_type` are well signed; every other reason is not to be believed. */
export type Verification =
  | { readonly ok: true; readonly interaction: Interaction }
  | { readonly ok: false; readonly reason: VerificationReason | 'malformed_interaction' | 'unknown_type' }

/**
 * Verifies a request of the service. Give it untouched: a body that was parsed and written again has another signature.
 * Answer 401 when it is refused. The service sends wrong signatures on purpose and drops an endpoint that believes them.
 * @throws ConfigurationError `invalid_argument` for a key or an option that is none, and for a request that is no `Request` of the Fetch API,
 * as that of Node's `http` is none; nothing else, whatever the request says.
 */
export async function verifyInteraction(request: Request, publicKey: PublicKey, options?: VerifyOptions): Promise<Verification> {
  return createVerifier(publicKey, { ...options })(request)
}

/** The same with the key imported once. @throws ConfigurationError `invalid_argument`. */
export function createVerifier(publicKey: PublicKey, options: VerifyOptions): (request: Request) => Promise<Verification> {
  const { maxAge = 5 * 60_000, maxBodyBytes = 256 * 1024, replays, clock = systemClock } = { ...options }
  if (!(maxAge > 0 && maxAge <= MAX_AGE)) throw new ConfigurationError('invalid_argument', 'maxAge: 1 to 900,000 ms')
  if (!(maxBodyBytes > 0 && maxBodyBytes < 2 ** 31)) throw new ConfigurationError('invalid_argument', 'maxBodyBytes')
  const rules = { maxAge, maxBodyBytes, replays, clock }
  const key = requirePublicKey(publicKey)
  // One for all: making it costs as much as everything else but the signature.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let imported: Promise<CryptoKey> | undefined
  return async (request) => {
    if (typeof request?.headers?.get !== 'function') throw new ConfigurationError('invalid_argument', 'request: a Request of the Fetch API')
    const signed = await readSigned(request, rules)
    if (typeof signed === 'string') return { ok: false, reason: signed }
    const refusal = await refuse(signed, (imported ??= importPublicKey(key)), rules)
    return refusal ? { ok: false, reason: refusal } : decode(signed.body.bytes, decoder)
  }
}

interface Rules {
  readonly maxAge: number
  readonly maxBodyBytes: number
  readonly replays: ReplayStore | undefined
  readonly clock: Clock
}

interface Signed {
  readonly signature: string
  readonly timestamp: string
  readonly body: Body
}

/** What can be said before anything is computed. */
async function readSigned(request: Request, { maxAge, maxBodyBytes, clock }: Rules): Promise<Signed | VerificationReason> {
  const { headers } = request
  const signature = headers.get('x-signature-ed25519')
  const timestamp = headers.get('x-signature-timestamp')
  if (!signature || !timestamp) return 'missing_header'
  if (!/^[\da-f]{128}$/i.test(signature)) return 'malformed_signature'
  if (!/^\d{1,12}$/.test(timestamp)) return 'malformed_timestamp'
  const age = clock.now() - Number(timestamp) * 1000
  if (age > maxAge) return 'old_timestamp'
  if (age < -maxAge) return 'future_timestamp'
  const body = await readBody(request, maxBodyBytes)
  return typeof body === 'string' ? body : { signature, timestamp, body }
}

async function refuse(signed: Signed, key: Promise<CryptoKey>, { replays, maxAge }: Rules): Promise<VerificationReason | undefined> {
  let valid: boolean
  try {
    const signature = bytesOfHex(signed.signature) ?? new Uint8Array()
    valid = await crypto.subtle.verify('Ed25519', await key, signature, message(signed))
  } catch {
    return 'key_unusable'
  }
  if (!valid) return signed.body.altered ? 'body_altered' : 'bad_signature'
  try {
    // Lower case: the same signature must not pass again in other letters. A time from the future is good for twice as long.
    return (await replays?.seen(signed.signature.toLowerCase(), 2 * maxAge)) ? 'replayed' : undefined
  } catch {
    return 'replay_unknown'
  }
}

function message({ timestamp, body }: Signed): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(timestamp.length + body.bytes.length)
  for (let i = 0; i < timestamp.length; i++) bytes[i] = timestamp.charCodeAt(i)
  bytes.set(body.bytes, timestamp.length)
  return bytes
}

function decode(bytes: Uint8Array, decoder: TextDecoder): Verification {
  let payload: unknown
  try {
    payload = JSON.parse(decoder.decode(bytes))
  } catch {
    return { ok: false, reason: 'malformed_body' }
  }
  const interaction = decodeInteraction(payload)
  return typeof interaction === 'string' ? { ok: false, reason: interaction } : { ok: true, interaction }
}

/** What each reason means for whoever runs the endpoint. */
const HINTS: Partial<Record<string, string>> = {
  missing_header: 'x-signature-ed25519 and x-signature-timestamp must reach the handler',
  bad_signature: 'the public key is of another application, or the body was parsed and written again',
  body_altered: 'the body is not as long as announced: hand over the raw bytes',
  body_consumed: 'a body parser such as express.json() read the body first: put the endpoint before it',
  old_timestamp: 'recorded earlier, or the clock of this machine is ahead',
  future_timestamp: 'the clock of this machine is behind',
  key_unusable: 'the runtime has no Ed25519, or the public key is none',
}

export const refusalError = (reason: InteractionError['code']): InteractionError => new InteractionError(reason, HINTS[reason])
