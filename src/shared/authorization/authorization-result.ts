/** Result of an authorization: a verified code, bound to the attempt that requested it. */
import { isRecord, ownFields } from '../foundation/untrusted-values'
import { ConfigurationError } from '../foundation/errors'
import { Secret } from '../foundation/secret'
import type { ServiceConfig } from '../service/service-config'
import type { Attempt } from './attempt'

/** Data for the token request besides the public fields. */
export interface ResultBinding {
  verifier?: Secret | undefined
  /** Nonce of the request. Undefined if none was sent: an ID token with a nonce is then rejected. */
  nonce?: string | undefined
  /** Requested scopes, space-separated; undefined if unknown. */
  scopes?: string | undefined
  clientId?: string | undefined
  /** Client that the result belongs to; undefined for a trusted code, which any client may redeem. */
  owner?: string | undefined
}

/** Properties that identify a client. */
export interface ClientIdentity {
  service: Pick<ServiceConfig, 'issuer'>
  applicationId: string | undefined
  profile: string
}

/** Serializes a client's identity: service, application and profile. Sign-ins and results are bound to it. */
export function ownerOf({ service, applicationId, profile }: ClientIdentity): string {
  return JSON.stringify([service.issuer, applicationId, profile])
}

let mint: (code: Secret, redirectUri: string | undefined, binding: ResultBinding) => AuthorizationResult
let bindingOf: (result: AuthorizationResult) => ResultBinding | undefined

/** Verified authorization code. Created only by this SDK's checks or by `fromTrustedCode`; pass it to `getToken` or `signIn`. */
export class AuthorizationResult {
  /** Authorization code: single use, short-lived. */
  readonly code: Secret
  /** Redirect URI of the request; undefined inside an Activity, where the host window delivers the code. */
  readonly redirectUri?: string
  readonly #binding: ResultBinding

  static {
    mint = (code, redirectUri, binding) => new AuthorizationResult(code, redirectUri, binding)
    bindingOf = (result) => (#binding in result ? result.#binding : undefined)
  }

  private constructor(code: Secret, redirectUri: string | undefined, binding: ResultBinding) {
    this.code = code
    if (redirectUri !== undefined) this.redirectUri = redirectUri
    this.#binding = ownFields(binding)
  }

  /**
   * Creates a result without checks, for a code that the game's own backend or native shell obtained and verified. `nonce`: the nonce that
   * was sent, if any; without it, an ID token with a nonce is rejected.
   */
  static fromTrustedCode(
    code: Secret | string,
    redirectUri: string,
    options?: { nonce?: string | undefined },
  ): AuthorizationResult {
    const { nonce } = ownFields({ ...options })
    return mint(typeof code === 'string' ? new Secret(code) : code, redirectUri, { nonce })
  }
}

/** @internal Creates a result after verification. */
export function mintResult(
  code: Secret,
  attempt: ResultBinding & Partial<Pick<Attempt, 'redirectUri'>>,
): AuthorizationResult {
  return mint(code, attempt.redirectUri, attempt)
}

/** @internal Returns the binding of a result. @throws ConfigurationError `invalid_argument` for a foreign or invalid result. */
export function openResult(result: AuthorizationResult, client: ClientIdentity): ResultBinding {
  const binding = isRecord(result) ? bindingOf(result) : undefined
  if (!binding)
    throw new ConfigurationError('invalid_argument', 'result', {
      remedy: 'Pass the result of authorize() or handleCallback()',
    })
  // Prevents mix-up: code and verifier must not reach another service or profile (RFC 9700 section 4.4).
  if (binding.owner !== undefined && binding.owner !== ownerOf(client))
    throw new ConfigurationError('invalid_argument', 'result', {
      remedy: 'It belongs to a client with another service, application id or profile',
    })
  return binding
}
