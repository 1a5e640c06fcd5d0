/** Reads and judges the URL that an authorization comes back with. Everything in it is hostile until checked. Pure. */
import { equalText } from '../foundation/encoding'
import { AuthorizationError, type AuthorizationErrorCode } from '../foundation/errors'
import { Secret } from '../foundation/secret'
import type { ServiceConfig } from '../service/config'
import type { Attempt } from './request'

const MAX_LENGTH = 8192
const MAX_PARAMETERS = 32
/** Control characters and lone surrogates: whatever is none of the rest. */
const UNPRINTABLE = /[^ -~\u00a0-\ud7ff\ue000-\u{10ffff}]/u
const PARTS = /^([^?#]*)\??([^#]*)#?(.*)$/

/** The parts of a callback URL. */
export interface Callback {
  /** Before the query, as it arrived. */
  address: string
  parameters: ReadonlyMap<string, string>
  fragment: string
}

/**
 * Takes a callback URL apart under caps on its length and its number of parameters.
 * @throws AuthorizationError `malformed_callback`.
 */
export function readCallback(url: string): Callback {
  const [, address = '', query = '', fragment = ''] = isReadable(url) ? (PARTS.exec(url) ?? []) : []
  const pairs = [...new URLSearchParams(query)]
  const parameters = new Map(pairs)
  // A name that stands twice makes the map the smaller of the two (RFC 6749 section 3.1).
  if (!address || pairs.length > MAX_PARAMETERS || parameters.size < pairs.length) throw new AuthorizationError('malformed_callback')
  return { address, parameters, fragment }
}

/** The `state` that a URL carries, without throwing: to find the attempt it may belong to. */
export function callbackState(url: string): string | undefined {
  try {
    return readCallback(url).parameters.get('state')
  } catch {
    return undefined
  }
}

/** What a callback says once it is known to be the service's own. */
export interface Verdict {
  code?: Secret
  /** The service's error word, unchecked. */
  error?: string
}

/**
 * Judges a callback against its attempt. An error beside a code is an error (RFC 6749 section 4.1.2.1).
 * @throws AuthorizationError with the code of the first check that fails.
 */
export function judgeCallback(callback: Callback, attempt: Attempt, service: ServiceConfig): Verdict {
  const { parameters } = callback
  const error = parameters.get('error')
  const code = parameters.get('code')
  const fault = originFault(callback, attempt, service)
  if (fault) throw new AuthorizationError(fault)
  if (error !== undefined) return { error }
  // What an implicit or hybrid answer would carry; this client never asks for one (RFC 9700 section 2.1.2).
  if (parameters.has('access_token') || parameters.has('id_token')) throw new AuthorizationError('response_type_mismatch')
  if (!code) throw new AuthorizationError('missing_code')
  return { code: new Secret(code) }
}

/** Whether the answer comes from where it must; asked before its error or code is believed (RFC 9207 section 2.4). */
function originFault(
  { address, parameters, fragment }: Callback,
  attempt: Attempt,
  service: ServiceConfig,
): AuthorizationErrorCode | undefined {
  const issuer = parameters.get('iss')
  if (fragment) return 'response_type_mismatch'
  if (!isRedirect(address, attempt.redirectUri)) return 'redirect_mismatch'
  if (!equalText(parameters.get('state') ?? '', attempt.state)) return 'state_mismatch'
  if (issuer === undefined ? service.issuerInCallback === 'required' : issuer !== service.issuer) return 'issuer_mismatch'
  return undefined
}

/** Bounded, and nothing in it that cannot be shown, encoded or not. */
function isReadable(url: unknown): url is string {
  try {
    return typeof url === 'string' && url.length <= MAX_LENGTH && !UNPRINTABLE.test(url + decodeURIComponent(url))
  } catch {
    return false
  }
}

/** Exact, or as browsers write the same address; with a custom scheme `scheme:/path` may arrive as `scheme:///path`. */
function isRedirect(address: string, redirectUri: string): boolean {
  const [expected = ''] = redirectUri.split('?')
  const isLink = /^[^/]+:\/[^/]/.test(expected)
  return address === expected || address === (isLink ? expected.replace(':/', ':///') : normalized(expected))
}

/** A URI as it stands in the address bar: host in lower case, no default port, everything else encoded (WHATWG URL). */
function normalized(uri: string): string {
  try {
    return new URL(uri).href
  } catch {
    return uri
  }
}
