/** Turns checked arguments into an attempt and the URL that begins it. Pure but for its randomness. */
import { randomText } from '../foundation/random'
import type { ApplicationId } from '../foundation/ids'
import type { Secret } from '../foundation/secret'
import type { ServiceConfig } from '../service/config'
import type { AuthorizationArgsFields } from './args'
import { createAuthorizationCodeVerifier } from './pkce'

/** The record of one attempt to sign in. It never leaves the machine. */
export interface Attempt {
  state: string
  nonce: string
  /** The client that began it, and the only one that may complete it: see `ownerOf`. */
  owner: string
  clientId: ApplicationId
  scopes: string
  redirectUri: string
  /** Absent when the caller brought the challenge and keeps the verifier. */
  verifier?: Secret | undefined
  /** Epoch ms. */
  begun: number
  /** Query and fragment of the page that was left, where the answer comes back to that page. */
  page?: string | undefined
}

/** An attempt, and the URL that begins it. */
export interface Begun {
  attempt: Attempt
  url: string
}

/** Arguments that are sound, with the client's id filled in. */
export interface CheckedArgs extends AuthorizationArgsFields {
  clientId: ApplicationId
  scopes: string
}

/** What an attempt is begun for, beside its arguments. */
export interface AttemptContext {
  service: ServiceConfig
  owner: string
  now: number
}

/** `<scheme>:/authorize/callback`, by default with `<brand>-<client id>` as the scheme (S:200). One slash. */
export function customSchemeRedirectUri({ brand }: ServiceConfig, { clientId, customSchemeParam }: CheckedArgs): string {
  return `${customSchemeParam ?? `${brand}-${clientId}`}:/authorize/callback`
}

/** A new attempt and its authorize URL (RFC 6749 section 4.1.1, RFC 7636 section 4.3, supplement A.4.2). */
export function beginAttempt(args: CheckedArgs, redirectUri: string, { service, owner, now }: AttemptContext): Begun {
  const { verifier, challenge } = args.codeChallenge ? { challenge: args.codeChallenge } : createAuthorizationCodeVerifier()
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

/** A space is `%20` here (supplement A.4.2), and a query that is there stays (RFC 6749 section 3.1). */
function withQuery(address: string, query: URLSearchParams): string {
  return address + (address.includes('?') ? '&' : '?') + String(query).replace(/\+/g, '%20')
}
