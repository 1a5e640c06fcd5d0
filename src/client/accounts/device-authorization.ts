/** Messages of the device flow (RFC 8628): requests, and decoding of the responses. Pure. */
import { isText } from '../../shared/foundation/untrusted-values'
import {
  AuthorizationError,
  type FoyerError,
  NetworkError,
  ProtocolError,
} from '../../shared/foundation/errors'
import type { CallOptions } from '../../shared/foundation/options'
import { Secret } from '../../shared/foundation/secret'
import { type JsonResponse, endpointRoute } from '../../shared/http/http-client'
import type { ServiceConfig } from '../../shared/service/service-config'
import { type AccountRequest, type Fields, errorFromResponse } from '../../shared/tokens/account-requests'
import { requireField } from '../../shared/tokens/token-set'

/** Data for the player to approve the sign-in on another device: a code to type, or a link to scan. Show the host along with the code. */
export interface DeviceUserCode {
  /** 4 to 16 of `A-Z`, `0-9` and `-`. */
  userCode: string
  /** Page for typing the code: always on the service's own host. */
  verificationUri: string
  /**
   * The same page with the code filled in, if the service has such a link: content for a QR code. Visible ASCII, 512 characters at most.
   */
  verificationUriComplete: string
  /** Expiry of the code, epoch ms. */
  expiresAt: number
}

/** Arguments of a device sign-in. */
export interface DeviceArgs {
  /** Scopes, divided by single spaces. */
  scopes: string
  /** Application id. Default: the client's own. */
  clientId?: string | bigint | undefined
}

/** Options of a device sign-in. */
export interface DeviceOptions extends CallOptions {
  /** Shows the player the code to type, or draws `verificationUriComplete` as a QR code. Called once, before polling starts. */
  onUserCode: (code: DeviceUserCode) => void
}

/** A device that waits for approval. */
export interface DeviceAuthorization extends DeviceUserCode {
  deviceCode: Secret
  /** Polling interval in ms. */
  interval: number
}

/** Client and scopes of the requested tokens. */
export interface DeviceContext {
  service: ServiceConfig
  clientId: string
  scopes: string
  /** Fields of an account that is merged at the same time. */
  external: Fields
}

const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
/** Upper bound for `expires_in`, in ms. */
export const MAX_LIFETIME = 3_600_000
/** Default and minimum polling interval in ms (RFC 8628 section 3.5). */
const MIN_INTERVAL = 5000
const SLOW_DOWN_STEP = 5000
const MAX_INTERVAL = 60_000

/** RFC 8628 section 3.1. */
export function deviceRequest({ service, clientId, scopes }: DeviceContext): AccountRequest {
  return formRequest(service.deviceUrl, { client_id: clientId, scope: scopes })
}

/** RFC 8628 section 3.4. */
export function deviceTokenRequest(
  { service, clientId, external }: DeviceContext,
  deviceCode: Secret,
): AccountRequest {
  return formRequest(service.tokenUrl, {
    grant_type: DEVICE_GRANT,
    client_id: clientId,
    device_code: deviceCode.reveal(),
    ...external,
  })
}

const formRequest = (url: string, fields: Fields): AccountRequest => ({
  url,
  route: `POST ${endpointRoute(url)}`,
  as: 'form',
  fields,
})

/**
 * RFC 8628 section 3.2. Rejects a page on another host and a code that players cannot type (sections 5.4 and 6.1).
 * @throws ProtocolError `malformed_response`.
 */
export function decodeDevice(
  { body }: JsonResponse,
  { host, now }: { host: string; now: number },
): DeviceAuthorization {
  const {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: link,
    expires_in: lifetime,
  } = body
  requireField(isText(deviceCode, /^[!-~]{1,1024}$/), 'device_code', 'a code')
  requireField(isText(userCode, /^[A-Z0-9-]{4,16}$/), 'user_code', '4 to 16 of A-Z, 0-9 and -')
  requireField(isServicePage(host, page), 'verification_uri', host)
  requireField(link === undefined || isServicePage(host, link), 'verification_uri_complete', host)
  requireField(typeof lifetime === 'number' && lifetime > 0, 'expires_in', 'seconds')
  return {
    deviceCode: new Secret(deviceCode),
    userCode,
    verificationUri: page,
    verificationUriComplete: link ?? page,
    expiresAt: now + Math.min(lifetime * 1000, MAX_LIFETIME),
    interval: intervalOf(body['interval']),
  }
}

/** Result of a poll: a token response, or the ms until the next poll. Errors that end the flow are thrown. */
export type PollResult = { granted: JsonResponse } | { interval: number }

/**
 * RFC 8628 section 3.5. This service uses a non-standard error code while the approval is pending
 * (docs/interface/authorization.md#devices).
 * @throws AuthorizationError `access_denied`, `timed_out`. @throws ApiError.
 */
export function evaluateResponse(
  response: JsonResponse,
  { route, interval }: { route: string; interval: number },
): PollResult {
  const { status, body } = response
  const error = errorFromResponse(response, route)
  if (!error) return { granted: response }
  if (body['error'] === 'slow_down') return { interval: interval + SLOW_DOWN_STEP }
  if (body['error'] === 'expired_token') throw new AuthorizationError('timed_out')
  const isPending =
    status === 400 && body['code'] === undefined && ['authorization_failed', 'http_400'].includes(error.code)
  if (isPending || status === 423) return { interval }
  return evaluateFailure(error, interval)
}

/** After a network failure or a service error: polls with exponential backoff. @throws the failure if polling again would not help. */
export function evaluateFailure(failure: FoyerError, interval: number): { interval: number } {
  const isTransient = !(failure instanceof AuthorizationError) && failure.retryable
  if (!isTransient) throw failure
  return { interval: Math.max(interval, Math.min(interval * 2, MAX_INTERVAL)) }
}

/** Type guard for failures of a request; any other error is a bug of the SDK. */
export const isFailure = (error: unknown): error is NetworkError | ProtocolError =>
  error instanceof NetworkError || error instanceof ProtocolError

/**
 * Requires the exact origin of the service: no other host, no look-alike, no credentials, nothing but `https:` unless the service is on
 * loopback.
 */
function isServicePage(host: string, page: unknown): page is string {
  return isText(page, /^[!-~]{1,512}$/) && page.startsWith(`${new URL(host).origin}/`)
}

function intervalOf(seconds: unknown): number {
  const requested = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds * 1000 : MIN_INTERVAL
  return Math.min(Math.max(requested, MIN_INTERVAL), MAX_INTERVAL)
}
