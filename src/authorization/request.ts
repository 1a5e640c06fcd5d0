/** Turns checked arguments into an attempt and the URL that begins it. Pure but for its randomness. */
import type { ServiceProfile } from '../service/profile'
import { randomText } from '../foundation/encoding'
import { ConfigurationError, ValidationError } from '../foundation/errors'
import { type ApplicationId, toApplicationId } from '../foundation/ids'
import type { Secret } from '../foundation/secret'
import type { AuthorizationArgsFields } from './args'
import { argumentIssues } from './args-check'
import { createAuthorizationCodeVerifier } from './pkce'

/** The record of one attempt to sign in. It never leaves the machine. */
export interface Attempt {
  state: string
  nonce: string
  clientId: ApplicationId
  scopes: string
  redirectUri: string
  /** Absent when the caller brought the challenge and keeps the verifier. */
  verifier?: Secret
  /** Epoch ms. */
  begun: number
}

/** What the client knows when an attempt begins. */
export interface RequestContext {
  profile: ServiceProfile
  /** Epoch ms. */
  now: number
}

/** An attempt before it is known where its answer will arrive. */
export interface CheckedArgs extends AuthorizationArgsFields {
  clientId: ApplicationId
  scopes: string
}

/**
 * Checks every argument at once.
 * @throws ValidationError `invalid_argument`. @throws ConfigurationError `missing_application_id`.
 */
export function checkArgs(args: AuthorizationArgsFields, applicationId: ApplicationId | undefined): CheckedArgs {
  const issues = argumentIssues(args)
  if (issues.length > 0) throw new ValidationError('invalid_argument', issues)
  const clientId = args.clientId === undefined ? applicationId : toApplicationId(args.clientId)
  if (!clientId) throw new ConfigurationError('missing_application_id', 'Set applicationId on the client, or clientId in the arguments.')
  return { ...args, clientId, scopes: args.scopes ?? '' }
}

/** `<scheme>:/authorize/callback`, by default with `<brand>-<client id>` as the scheme (S:200). One slash. */
export function customSchemeRedirectUri(profile: ServiceProfile, { clientId, customSchemeParam }: CheckedArgs): string {
  return `${customSchemeParam ?? `${profile.brand}-${clientId}`}:/authorize/callback`
}

/** A new attempt and its authorize URL (RFC 6749 section 4.1.1, RFC 7636 section 4.3, supplement A.4.2). */
export function beginAttempt({ profile, now }: RequestContext, args: CheckedArgs, redirectUri: string): { attempt: Attempt; url: string } {
  const pair = args.codeChallenge ? undefined : createAuthorizationCodeVerifier()
  const { clientId, scopes } = args
  const attempt: Attempt = {
    state: args.state ?? randomText(),
    nonce: args.nonce ?? randomText(),
    clientId,
    scopes,
    redirectUri,
    begun: now,
    ...(pair && { verifier: pair.verifier }),
  }
  const challenge = args.codeChallenge ?? pair?.challenge
  const query: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: clientId,
    scope: scopes,
    redirect_uri: redirectUri,
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: challenge?.challenge,
    code_challenge_method: challenge?.method,
    integration_type: args.integrationType?.toString(),
  }
  return { attempt, url: withQuery(profile.authorizeUrl, query) }
}

/** Written by hand rather than by `URLSearchParams`: a space is `%20` here (supplement A.4.2), and a query that is there stays (RFC 6749 section 3.1). */
function withQuery(address: string, query: Record<string, string | undefined>): string {
  let url = address
  let separator = address.includes('?') ? '&' : '?'
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    url += `${separator}${name}=${encodeURIComponent(value)}`
    separator = '&'
  }
  return url
}
