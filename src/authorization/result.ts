/** The outcome of an authorization: a code that passed every check, bound to the attempt that asked for it. */
import { isRecord } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import { Secret } from '../foundation/secret'
import type { ServiceConfig } from '../service/config'
import type { Attempt } from './request'

/** What the token request needs beyond the public fields. */
export interface ResultBinding {
  verifier?: Secret | undefined
  /** Undefined when none was sent: an ID token with a nonce is then refused. */
  nonce?: string
  /** The scopes that were asked for, space-separated; undefined when unknown. */
  scopes?: string
  clientId?: string
  /** The client that it belongs to; undefined for a trusted code, which any may redeem. */
  owner?: string
}

/** What tells one client from another. */
export interface ClientIdentity {
  service: Pick<ServiceConfig, 'issuer'>
  applicationId: string | undefined
  player: string
}

/** A client by its service, application and profile, as one text: a sign-in and its result belong to it alone. */
export function ownerOf({ service, applicationId, player }: ClientIdentity): string {
  return JSON.stringify([service.issuer, applicationId, player])
}

let mint: (code: Secret, redirectUri: string | undefined, binding: ResultBinding) => AuthorizationResult
let bindingOf: (result: AuthorizationResult) => ResultBinding | undefined

/** Only the checks of this SDK can make one, so `getToken` needs no proof beside it. */
export class AuthorizationResult {
  /** The authorization code: single use, short-lived. */
  readonly code: Secret
  /** The redirect URI that the request named; undefined inside an Activity, where the host window answers. */
  readonly redirectUri?: string
  readonly #binding: ResultBinding

  static {
    mint = (code, redirectUri, binding) => new AuthorizationResult(code, redirectUri, binding)
    bindingOf = (result) => (#binding in result ? result.#binding : undefined)
  }

  private constructor(code: Secret, redirectUri: string | undefined, binding: ResultBinding) {
    this.code = code
    if (redirectUri !== undefined) this.redirectUri = redirectUri
    this.#binding = binding
  }

  /**
   * The one way round the checks: for a code that the game's own backend or native shell obtained and verified.
   * Pass the `nonce` that was sent, if one was; without it an ID token that carries one is refused.
   */
  static fromTrustedCode(code: Secret | string, redirectUri: string, options?: { nonce?: string }): AuthorizationResult {
    const { nonce } = { ...options }
    return mint(typeof code === 'string' ? new Secret(code) : code, redirectUri, nonce === undefined ? {} : { nonce })
  }
}

/** @internal For the code that has judged an answer. */
export function mintResult(code: Secret, attempt: ResultBinding & Partial<Pick<Attempt, 'redirectUri'>>): AuthorizationResult {
  return mint(code, attempt.redirectUri, attempt)
}

/** @internal What is bound to a result. @throws ConfigurationError `invalid_argument` for a result of another client, or none at all. */
export function openResult(result: AuthorizationResult, client: ClientIdentity): ResultBinding {
  const binding = isRecord(result) ? bindingOf(result) : undefined
  if (!binding)
    throw new ConfigurationError('invalid_argument', 'result', { remedy: 'Give what authorize() or handleCallback() resolved with' })
  // Its code and verifier must not reach another service, nor its player another profile (RFC 9700 section 4.4).
  if (binding.owner !== undefined && binding.owner !== ownerOf(client))
    throw new ConfigurationError('invalid_argument', 'result', {
      remedy: 'It belongs to a client with another service, application id or profile',
    })
  return binding
}
