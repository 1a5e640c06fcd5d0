/** Parses and verifies callback URLs. All content is untrusted until verified. Pure. */
import { equalText } from '../foundation/crypto'
import { AuthorizationError, type AuthorizationErrorCode } from '../foundation/errors'
import { isSameMachine, issuerRemedy } from '../foundation/oauth-errors'
import { Secret } from '../foundation/secret'
import type { ServiceConfig } from '../service/service-config'
import type { Attempt } from './attempt'

const MAX_LENGTH = 8192
const MAX_PARAMETERS = 32
/** Control characters and lone surrogates, as the complement of all others. */
const UNPRINTABLE = /[^ -~\u00a0-\ud7ff\ue000-\u{10ffff}]/u
const PARTS = /^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/

/** Components of a callback URL. */
export interface Callback {
  /** URL before the query, unmodified. */
  address: string
  parameters: ReadonlyMap<string, string>
  fragment: string
}

/**
 * Parses a callback URL, with limits on its length and number of parameters.
 *
 * @throws AuthorizationError `malformed_callback`.
 */
export function readCallback(url: string): Callback {
  const [, address = '', query = '', fragment = ''] = PARTS.exec(isReadable(url) ? url : '') ?? []
  const pairs = [...new URLSearchParams(query)]
  const parameters = new Map(pairs)
  // A repeated parameter makes the map smaller than the list (RFC 6749 section 3.1).
  if (!address || pairs.length > MAX_PARAMETERS || parameters.size < pairs.length)
    throw new AuthorizationError('malformed_callback')
  return { address, parameters, fragment }
}

/** Extracts the `state` of a URL without throwing, to find the attempt it may belong to. */
export function callbackState(url: string): string | undefined {
  try {
    return readCallback(url).parameters.get('state')
  } catch {
    return undefined
  }
}

/** Verified content of a callback: a code or an error. */
export interface CallbackOutcome {
  code?: Secret
  /** Error code from the service, not yet validated. */
  error?: string
}

/**
 * Verifies a callback against its attempt. If it contains an error and a code, the error counts (RFC 6749 section 4.1.2.1).
 *
 * @throws AuthorizationError with the code of the first failed check.
 */
export function checkCallback(callback: Callback, attempt: Attempt, service: ServiceConfig): CallbackOutcome {
  const { parameters } = callback
  const error = parameters.get('error')
  const code = parameters.get('code')
  const fault = findOriginFault(callback, attempt, service)
  if (fault) throw new AuthorizationError(fault, remedyFor(fault, { callback, attempt, service }))
  if (error !== undefined) return { error }
  // Parameters of an implicit or hybrid response, which this client never requests (RFC 9700 section 2.1.2).
  if (parameters.has('access_token') || parameters.has('id_token'))
    throw new AuthorizationError('response_type_mismatch')
  if (!code) throw new AuthorizationError('missing_code')
  return { code: new Secret(code) }
}

interface Compared {
  callback: Callback
  attempt: Attempt
  service: ServiceConfig
}

function remedyFor(
  fault: AuthorizationErrorCode,
  { callback, attempt, service }: Compared,
): { remedy?: string } {
  if (fault === 'issuer_mismatch')
    return { remedy: issuerRemedy(callback.parameters.get('iss'), service.issuer) }
  if (fault !== 'redirect_mismatch') return {}
  const twoNames = isSameMachine(callback.address, attempt.redirectUri)
  const names = ': localhost and 127.0.0.1 are two origins, so use one name everywhere'
  return { remedy: `The callback must arrive at the redirectUri that was sent${twoNames ? names : ''}` }
}

/** Checks redirect URI, state and issuer, before error or code are trusted (RFC 9207 section 2.4). */
function findOriginFault(
  { address, parameters, fragment }: Callback,
  attempt: Attempt,
  service: ServiceConfig,
): AuthorizationErrorCode | undefined {
  const issuer = parameters.get('iss')
  if (fragment) return 'response_type_mismatch'
  if (!isRedirect(address, attempt.redirectUri)) return 'redirect_mismatch'
  if (!equalText(parameters.get('state') ?? '', attempt.state)) return 'state_mismatch'
  if (issuer === undefined ? service.issuerInCallback === 'required' : issuer !== service.issuer)
    return 'issuer_mismatch'
  return undefined
}

/** Checks length and printable characters, encoded or not. */
function isReadable(url: unknown): url is string {
  try {
    return (
      typeof url === 'string' && url.length <= MAX_LENGTH && !UNPRINTABLE.test(url + decodeURIComponent(url))
    )
  } catch {
    return false
  }
}

/** Compares exactly, or as browsers normalize the address. With a custom scheme, `scheme:/path` may arrive as `scheme:///path`. */
function isRedirect(address: string, redirectUri: string): boolean {
  const [expected = ''] = redirectUri.split('?')
  const isLink = /^[^/]+:\/[^/]/.test(expected)
  return address === expected || address === (isLink ? expected.replace(':/', ':///') : normalized(expected))
}

/** Returns the URI as shown in the address bar: lower-case host, no default port, everything else encoded (WHATWG URL). */
function normalized(uri: string): string {
  try {
    return new URL(uri).href
  } catch {
    return uri
  }
}
