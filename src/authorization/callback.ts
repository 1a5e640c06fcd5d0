/** Reads and judges the URL that an authorization comes back with. Everything in it is hostile until checked. Pure. */
import type { ServiceProfile } from '../service/profile'
import { equalText } from '../foundation/encoding'
import { AuthorizationError, type AuthorizationErrorCode } from '../foundation/errors'
import { Secret } from '../foundation/secret'
import { knownErrorCode } from '../foundation/oauth-error'
import type { Attempt } from './request'

const MAX_LENGTH = 8192
const MAX_PARAMETERS = 32
/** Control characters and lone surrogates: whatever is none of the rest. */
const UNPRINTABLE = /[^ -~\u00a0-\ud7ff\ue000-\u{10ffff}]/u
/** What an implicit or hybrid answer would carry; this client never asks for one (RFC 9700 section 2.1.2). */
const FOREIGN = ['access_token', 'id_token', 'token_type', 'response']
const FRAGMENT_ANSWER = /(?:^|[#&])(?:code|state|error|access_token|id_token)=/

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
  if (typeof url !== 'string' || url.length > MAX_LENGTH || UNPRINTABLE.test(url)) throw malformed('too long, or not printable')
  const [beforeFragment = '', ...fragments] = url.split('#')
  const [address = '', ...queries] = beforeFragment.split('?')
  return { address, parameters: readParameters(queries.join('?')), fragment: fragments.join('#') }
}

/** The `state` that a URL carries, without throwing: to find the attempt it may belong to. */
export function callbackState(url: string): string | undefined {
  try {
    return readCallback(url).parameters.get('state')
  } catch {
    return undefined
  }
}

/**
 * Judges a callback against its attempt, in this order: redirect URI, state, issuer, error, response type, code.
 * @throws AuthorizationError with the code of the first check that fails.
 */
export function judgeCallback(callback: Callback, attempt: Attempt, profile: ServiceProfile): Secret {
  const { parameters, fragment } = callback
  if (FRAGMENT_ANSWER.test(fragment)) throw refusal('response_type_mismatch', 'The answer came in the fragment, which was not asked for.')
  if (fragment || !isRedirect(callback.address, attempt.redirectUri))
    throw refusal('redirect_mismatch', 'The answer came to another address than the redirect URI.')
  if (!equalText(parameters.get('state') ?? '', attempt.state))
    throw refusal('state_mismatch', 'The answer does not belong to this attempt.')
  requireIssuer(parameters.get('iss'), profile)
  const error = parameters.get('error')
  if (error !== undefined) throw serviceRefusal(error, parameters.get('error_description'))
  if (FOREIGN.some((name) => parameters.has(name)))
    throw refusal('response_type_mismatch', 'The answer carries a token, which was not asked for.')
  const code = parameters.get('code')
  if (!code) throw refusal('missing_code', 'The answer carries neither a code nor an error.')
  return new Secret(code)
}

function readParameters(query: string): ReadonlyMap<string, string> {
  const parts = query.split('&').filter(Boolean)
  if (parts.length > MAX_PARAMETERS) throw malformed('too many parameters')
  const parameters = new Map<string, string>()
  for (const part of parts) {
    const [name = '', ...value] = part.split('=').map(decode)
    if (parameters.has(name)) throw malformed('a parameter stands twice')
    parameters.set(name, value.join('='))
  }
  return parameters
}

function decode(text: string): string {
  let decoded: string | undefined
  try {
    decoded = decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    // Reported below together with what decodes to something unprintable.
  }
  if (decoded === undefined || UNPRINTABLE.test(decoded)) throw malformed('a parameter is not readable')
  return decoded
}

/** Exact, but for a custom scheme, where `scheme:/path` may arrive as `scheme:///path`. */
function isRedirect(address: string, redirectUri: string): boolean {
  const [expected = ''] = redirectUri.split('?')
  if (address === expected) return true
  return /^[a-z][a-z\d+.-]*:\/[^/]/.test(expected) && address === expected.replace(':/', ':///')
}

/** RFC 9207 section 2.4: compared before anything else of the answer is believed. */
function requireIssuer(issuer: string | undefined, { issuer: expected, issuerInCallback }: ServiceProfile): void {
  if (issuer === undefined ? issuerInCallback === 'optional' : issuer === expected) return
  throw refusal('issuer_mismatch', 'The answer does not come from the expected authorization server.')
}

/** RFC 6749 section 4.1.2.1. */
function serviceRefusal(error: string, description: string | undefined): AuthorizationError {
  const serviceError = clean(error, 64)
  return new AuthorizationError(knownErrorCode(error) ?? 'authorization_failed', `The service answered ${serviceError}.`, {
    serviceError,
    ...(description && { untrustedDescription: clean(description, 256) }),
  })
}

/** Visible ASCII only, and not much of it: the text may come from anyone. */
function clean(text: string, length: number): string {
  return text.replace(/[^ -~]/g, '?').slice(0, length)
}

function malformed(reason: string): AuthorizationError {
  return refusal('malformed_callback', `The answer cannot be read: ${reason}.`)
}

function refusal(code: AuthorizationErrorCode, message: string): AuthorizationError {
  return new AuthorizationError(code, message)
}
