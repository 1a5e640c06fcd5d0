/** Signing in on a device without a browser, as messages: what is asked, what must come back, and what each answer means (RFC 8628). Pure. */
import { isText } from '../../foundation/encoding'
import { AuthorizationError, type FoyerError, NetworkError, ProtocolError } from '../../foundation/errors'
import { Secret } from '../../foundation/secret'
import type { JsonAnswer } from '../../http/request'
import type { ServiceConfig } from '../../service/config'
import { type AccountRequest, type Fields, refusalOf } from '../accounts/account-request'

/** What the player needs to answer on another device: a short code to type, or a link to scan. Show the host along with the code. */
export interface DeviceUserCode {
  /** 4 to 16 of `A-Z`, `0-9` and `-`. */
  userCode: string
  /** Where the code is typed: a page of the service's own host, never of another. */
  verificationUri: string
  /** The same with the code filled in, where the service has such a link: what to draw as a QR code. Visible ASCII, 512 characters at most. */
  verificationUriComplete: string
  /** Epoch ms after which the code is worth nothing. */
  expiresAt: number
}

/** A device that waits for its player. */
export interface DeviceAuthorization extends DeviceUserCode {
  deviceCode: Secret
  /** ms between two questions. */
  interval: number
}

/** Whom the tokens are for. */
export interface DeviceContext {
  service: ServiceConfig
  clientId: string
  scopes: string
  /** Fields of an account that is merged at the same time. */
  external: Fields
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** The most that an `expires_in` is believed, in ms. */
export const LONGEST_LIFE = 3_600_000
/** RFC 8628 section 3.5, in ms: what holds without a word of the service, and never less. */
const SHORTEST_INTERVAL = 5000
const SLOWER_BY = 5000
const LONGEST_INTERVAL = 60_000

/** RFC 8628 section 3.1. */
export function deviceRequest({ service, clientId, scopes }: DeviceContext): AccountRequest {
  const route = 'POST /oauth2/device/authorize'
  return { url: service.deviceUrl, route, as: 'form', fields: { client_id: clientId, scope: scopes } }
}

/** RFC 8628 section 3.4. */
export function deviceTokenRequest({ service, clientId, external }: DeviceContext, deviceCode: Secret): AccountRequest {
  const fields = { grant_type: DEVICE_GRANT, client_id: clientId, device_code: deviceCode.reveal(), ...external }
  return { url: service.tokenUrl, route: 'POST /oauth2/token', as: 'form', fields }
}

/**
 * RFC 8628 section 3.2. A page elsewhere, or a code that no player could type, never reaches the screen (sections 5.4 and 6.1).
 * @throws ProtocolError `malformed_response`.
 */
export function decodeDevice({ body }: JsonAnswer, { host, now }: { host: string; now: number }): DeviceAuthorization {
  const { device_code: deviceCode, user_code: userCode, verification_uri: page, verification_uri_complete: link, expires_in: life } = body
  requireField(isText(deviceCode, /^[!-~]{1,1024}$/), 'device_code', 'a code')
  requireField(isText(userCode, /^[A-Z0-9-]{4,16}$/), 'user_code', '4 to 16 of A-Z, 0-9 and -')
  requireField(isPageOf(host, page), 'verification_uri', host)
  requireField(link === undefined || isPageOf(host, link), 'verification_uri_complete', host)
  requireField(typeof life === 'number' && life > 0, 'expires_in', 'seconds')
  return {
    deviceCode: new Secret(deviceCode),
    userCode,
    verificationUri: page,
    verificationUriComplete: link ?? page,
    expiresAt: now + Math.min(life * 1000, LONGEST_LIFE),
    interval: intervalOf(body['interval']),
  }
}

/** What a question led to: tokens, or so many ms until the next one; an error that ends it all is thrown. */
export type Verdict = { granted: JsonAnswer } | { interval: number }

/**
 * RFC 8628 section 3.5. Words that are none of OAuth's mean that nobody has answered yet, as this service wants it (supplement A.4.5).
 * @throws AuthorizationError `access_denied`, `timed_out`. @throws ApiError.
 */
export function judgeAnswer(answer: JsonAnswer, { route, interval }: { route: string; interval: number }): Verdict {
  const { status, body } = answer
  const refusal = refusalOf(answer, route)
  if (!refusal) return { granted: answer }
  if (body['error'] === 'slow_down') return { interval: interval + SLOWER_BY }
  if (body['error'] === 'expired_token') throw new AuthorizationError('timed_out')
  const isPending = status === 400 && body['code'] === undefined && /^(authorization_failed|http_400)$/.test(refusal.code)
  if (isPending || status === 423) return { interval }
  return judgeFailure(refusal, interval)
}

/** No answer, or one of a service in trouble: asked again, more and more slowly. @throws the failure, when asking again would not help. */
export function judgeFailure(failure: FoyerError, interval: number): Verdict {
  const isPassing = !(failure instanceof AuthorizationError) && failure.retryable
  if (!isPassing) throw failure
  return { interval: Math.max(interval, Math.min(interval * 2, LONGEST_INTERVAL)) }
}

/** Whether a failure is worth a judgement; anything else is a fault of ours. */
export const isFailure = (error: unknown): error is NetworkError | ProtocolError =>
  error instanceof NetworkError || error instanceof ProtocolError

/** Letter for letter of the service's own origin: no other host, no look-alike, no credentials, nothing but `https:` unless the service itself is on loopback. */
function isPageOf(host: string, page: unknown): page is string {
  return isText(page, /^[!-~]{1,512}$/) && page.startsWith(`${new URL(host).origin}/`)
}

function intervalOf(seconds: unknown): number {
  const asked = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : SHORTEST_INTERVAL
  return Math.min(Math.max(asked, SHORTEST_INTERVAL), LONGEST_INTERVAL)
}

function requireField(ok: boolean, path: string, expected: string): asserts ok {
  if (!ok) throw new ProtocolError('malformed_response', path, { path, expected })
}
