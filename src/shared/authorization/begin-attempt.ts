/** Creates an attempt and its authorize URL from valid arguments. Pure except for random values. */
import { randomText } from '../foundation/crypto'
import type { ApplicationId } from '../foundation/ids'
import type { Secret } from '../foundation/secret'
import type { ServiceConfig } from '../service/service-config'
import type { AuthorizationArgsFields } from './authorization-args'
import { createAuthorizationCodeVerifier } from './pkce'

/** Record of one authorization attempt. It never leaves the machine. */
export interface Attempt {
  state: string
  nonce: string
  /** Client that started the attempt, and the only one that may complete it; see `ownerOf`. */
  owner: string
  clientId: ApplicationId
  scopes: string
  redirectUri: string
  /** PKCE verifier; absent if the caller stores it. */
  verifier?: Secret | undefined
  /** Start time in epoch ms. */
  begun: number
  /** Secret of an invitation that the game has taken, for a surface that leaves the page. */
  invitation?: string | undefined
  /** Query and fragment of the page to return to, if the redirect URI is that page. */
  page?: string | undefined
}

/** Attempt with its authorize URL. */
export interface StartedAttempt {
  attempt: Attempt
  url: string
}

/** Valid arguments with the client id filled in. */
export interface CheckedArgs extends AuthorizationArgsFields {
  clientId: ApplicationId
  scopes: string
}

/** Input of an attempt besides its arguments. */
export interface AttemptContext {
  service: ServiceConfig
  owner: string
  now: number
}

/**
 * Returns `<scheme>:/authorize/callback` with a single slash. Default scheme: `<brand>-<client id>`
 * (docs/interface/authorization.md#redirects).
 */
export function customSchemeRedirectUri(
  { brand }: ServiceConfig,
  { clientId, customSchemeParam }: CheckedArgs,
): string {
  return `${customSchemeParam ?? `${brand}-${clientId}`}:/authorize/callback`
}

/**
 * Creates an attempt and its authorize URL (RFC 6749 section 4.1.1, RFC 7636 section 4.3,
 * docs/interface/authorization.md#authorize-request).
 */
export function beginAttempt(
  args: CheckedArgs,
  redirectUri: string,
  { service, owner, now }: AttemptContext,
): StartedAttempt {
  const { verifier, challenge } = args.codeChallenge
    ? { challenge: args.codeChallenge }
    : createAuthorizationCodeVerifier()
  const { clientId, scopes, state = randomText(), nonce = randomText() } = args
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    scope: scopes,
    redirect_uri: redirectUri,
    state,
    nonce,
    code_challenge: challenge.challenge,
    code_challenge_method: challenge.method,
  })
  if (args.integrationType !== undefined) query.set('integration_type', String(args.integrationType))
  return {
    attempt: { state, nonce, owner, clientId, scopes, redirectUri, verifier, begun: now },
    url: withQuery(service.authorizeUrl, query),
  }
}

/** Encodes a space as `%20` (docs/interface/authorization.md#authorize-request) and preserves an existing query (RFC 6749 section 3.1). */
function withQuery(address: string, query: URLSearchParams): string {
  return address + (address.includes('?') ? '&' : '?') + String(query).replace(/\+/g, '%20')
}
