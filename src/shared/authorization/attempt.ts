/** An attempt to sign in: its arguments are checked, and it begins with a PKCE pair and an authorize URL. Pure except for random values. */
import { base64url, randomText, sha256 } from '../foundation/crypto'
import { toApplicationId, type ApplicationId } from '../foundation/ids'
import { Secret } from '../foundation/secret'
import { isRecord, isText, ownFields } from '../foundation/untrusted-values'
import type { ServiceConfig } from '../service/service-config'
import type {
  AuthorizationArgs,
  AuthorizationArgsFields,
  AuthorizationCodeChallenge,
} from './authorization-args'

// Arguments, checked before a window opens. The messages are in `argument-error.ts`.

/** Scope tokens separated by single spaces (RFC 6749 appendix A.4). */
const SCOPES = /^[!#-[\]-~]+( [!#-[\]-~]+)*$/
/** Visible ASCII (RFC 6749 appendix A.5), with a length limit. */
const VISIBLE = /^[ -~]{1,512}$/
/** Unpadded base64url of a SHA-256 (RFC 7636 section 4.2). */
const CHALLENGE = /^[\w-]{43}$/
/** URI scheme in lower case (RFC 3986 section 3.1), except schemes that browsers and operating systems handle themselves. */
const SCHEME = /^(?!(about|blob|data|file|https?|javascript|ms-.*|vbscript|wss?)$)[a-z][a-z\d+.-]{1,63}$/

/** Field name, or `object` for arguments that are no object or were moved. */
export type ArgumentField = keyof AuthorizationArgsFields | 'object'

/** Pure. Never throws, for any value. */
export function findInvalidArguments(args: AuthorizationArgsFields): ArgumentField[] {
  if (!isRecord(args) || isInvalid(args)) return ['object']
  // Absent optional fields count as valid.
  const {
    clientId = '0',
    scopes,
    state = 'any',
    nonce = 'any',
    codeChallenge,
    integrationType = 0,
    customSchemeParam = 'any',
  } = ownFields(args)
  const invalid: (ArgumentField | false)[] = [
    !toApplicationId(clientId) && 'clientId',
    !isText(scopes, SCOPES) && 'scopes',
    !isText(state, VISIBLE) && 'state',
    !isText(nonce, VISIBLE) && 'nonce',
    codeChallenge !== undefined && !isChallenge(codeChallenge) && 'codeChallenge',
    integrationType !== 0 && integrationType !== 1 && 'integrationType',
    !isText(customSchemeParam, SCHEME) && 'customSchemeParam',
  ]
  return invalid.filter((field) => field !== false)
}

/** Checks the method instead of the class, so that games without `AuthorizationArgs` do not load it. */
function isInvalid(args: AuthorizationArgsFields & Partial<Pick<AuthorizationArgs, 'isValid'>>): boolean {
  return args.isValid?.() === false
}

function isChallenge(value: unknown): boolean {
  return isRecord(value) && value['method'] === 'S256' && isText(value['challenge'], CHALLENGE)
}

// PKCE (RFC 7636): binds an authorization code to the client that requested it.

/** PKCE pair (docs/interface/authorization.md#code-challenge): send the challenge, and pass the verifier to `getToken`. */
export interface AuthorizationCodeVerifier {
  /** Code verifier (RFC 7636 section 4.1). */
  verifier: Secret
  /** Challenge for `AuthorizationArgsFields.codeChallenge`. */
  challenge: AuthorizationCodeChallenge
}

/**
 * Creates a pair from 256 random bits. Synchronous, unlike Web Crypto, so that a popup can open inside the player's click. The challenge is
 * `BASE64URL(SHA256(ASCII(verifier)))` (RFC 7636 section 4.2).
 *
 * @throws ConfigurationError `unsupported` without a secure random source.
 */
export function createAuthorizationCodeVerifier(): AuthorizationCodeVerifier {
  const verifier = randomText()
  return {
    verifier: new Secret(verifier),
    challenge: { method: 'S256', challenge: base64url(sha256(verifier)) },
  }
}

// The attempt and its authorize URL.

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
