/** Options of `authorize` and `signIn`. */
import type { AuthorizationArgsFields } from '../../shared/authorization/authorization-args'
import type { AuthorizationResult } from '../../shared/authorization/authorization-result'
import type { AuthorizationSurface } from '../../shared/authorization/authorization-surface'
import type { AuthorizationCodeVerifier } from '../../shared/authorization/pkce'
import type { Secret } from '../../shared/foundation/secret'

/** Options of `authorize`. */
export interface AuthorizeOptions {
  /** Presents the authorize page. Default: the client's own surface. */
  surface?: AuthorizationSurface | undefined
  /** Time in ms until `timed_out`. Default: 300,000 (5 minutes); 600,000 for a surface that leaves the page. */
  timeout?: number | undefined
  /** Aborts the sign-in with `aborted`. */
  signal?: AbortSignal | undefined
}

/** Options of `signIn`. */
export interface SignInOptions extends AuthorizeOptions {
  /**
   * Scopes, divided by single spaces; they must contain `openid`. Shorter than `args: { scopes }`. Default: the communication scopes, see
   * `Client.getDefaultCommunicationScopes`.
   */
  scopes?: string | undefined
  /**
   * Arguments of the authorization. Default: the communication scopes. `scopes` must contain `openid`, because a session needs an ID token.
   */
  args?: AuthorizationArgsFields | undefined
  /** A result from `handleCallback` or `authorize`. With it, no authorize page is shown. */
  result?: AuthorizationResult | undefined
  /** Required only if `args.codeChallenge` was set: the verifier that belongs to that challenge, or the pair with it. */
  codeVerifier?: Secret | string | AuthorizationCodeVerifier | undefined
}
