/** Tokens of players for a backend: each request carries the application's secret (docs/interface/authorization.md#token-requests). */
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import type { Clock } from '../../shared/foundation/clock'
import { ConfigurationError } from '../../shared/foundation/errors'
import { takeOptions } from '../../shared/foundation/take-options'
import { isText, ownFields } from '../../shared/foundation/untrusted-values'
import { reveal, type Secret } from '../../shared/foundation/secret'
import { endpointRoute, type HttpContext, type JsonResponse } from '../../shared/http/http-client'
import type { Api } from '../../shared/http/api'
import type { ServiceConfig } from '../../shared/service/service-config'
import {
  childTokenRequest,
  type ExternalAccount,
  externalFields,
  PROVISIONAL_SCOPES,
  provisionalTokenRequest,
  unmergeRequest,
  withoutEmptyRefresh,
  type AccountRequest,
  type Fields,
  requestAccount,
} from '../../shared/tokens/account-requests'
import { createRemoteJwks } from '../../shared/tokens/remote-jwks'
import {
  createTokenResponseReader,
  type Expected,
  type TokenResponseReader,
} from '../../shared/tokens/token-endpoint'
import { type TokenSet } from '../../shared/tokens/token-set'

/** An authorization code, and what its request was bound to. */
export interface CodeExchangeArgs {
  /** The code of the callback. */
  code: Secret | string
  /** The redirect URI of the authorize request. Absent for a code that an Activity's host window delivered. */
  redirectUri?: string | undefined
  /** Needed if the authorize request had a challenge (PKCE). */
  codeVerifier?: Secret | string | undefined
  /** The nonce of the authorize request, if it had one: an ID token with another one is rejected. */
  nonce?: string | undefined
  /** Requested scopes, divided by single spaces, in case the response names none. */
  scopes?: string | undefined
}

/**
 * Tokens of players, for a backend that holds them itself. Requires the client secret: `clientSecret(…)` or `clientCredentials(…)` as
 * credentials, or the option `clientSecret` beside a bot token. ID tokens in responses are verified, and `claims` holds them; a service may
 * issue none to a backend. `createSessionHandler` does all of this for a page.
 */
export interface ApplicationTokens {
  /**
   * Exchanges an authorization code. A code works once: the request is repeated only if the service cannot have received it.
   *
   * @throws AuthorizationError `invalid_grant`, `invalid_client`, … @throws ProtocolError `invalid_id_token`, `keys_unavailable`,
   *   `malformed_response`. @throws ConfigurationError `invalid_argument`. @throws RateLimitError, NetworkError or ApiError.
   * @example
   * ```ts
   * const client = new ApplicationClient({ applicationId, service, credentials: clientSecret(process.env.FOYER_CLIENT_SECRET) })
   * const tokens = await client.tokens.exchangeCode({ code, redirectUri, codeVerifier, nonce })
   * ```
   */
  exchangeCode(args: CodeExchangeArgs, options?: CallOptions): Promise<TokenSet>
  /**
   * Redeems a refresh token. The old pair is invalid afterwards: store the new one before anything else.
   *
   * @throws AuthorizationError `invalid_grant`: try the provisional account of the player, and if it is `account_not_provisional`, let the
   *   player sign in. @throws the other errors of `exchangeCode`.
   */
  refresh(refreshToken: Secret | string, options?: CallOptions): Promise<TokenSet>
  /** Revokes a token, and with it all tokens of this player and this application. @throws AuthorizationError, ApiError, RateLimitError, NetworkError. */
  revoke(token: Secret | string, options?: CallOptions): Promise<void>
  /**
   * Gets tokens for a player without an account, by a proof of another service. There is no refresh token: call it again.
   *
   * @throws ApiError `account_not_provisional`, `wrong_client_secret`, … @throws the other errors of `exchangeCode`.
   */
  provisional(account: ExternalAccount, options?: CallOptions): Promise<TokenSet>
  /**
   * Exchanges an authorization code and merges a provisional account into the account that approved. If the service refuses the merge, the
   * code stays valid.
   *
   * @throws ApiError `account_locked` (retryable), `identity_already_attached`, `source_not_provisional`, … and the errors of `exchangeCode`.
   */
  merge(args: CodeExchangeArgs & ExternalAccount, options?: CallOptions): Promise<TokenSet>
  /** Detaches an external identity from a full account, and revokes that account's tokens. @throws ApiError `account_provisional`, `unknown_user`. */
  unmerge(account: ExternalAccount, options?: CallOptions): Promise<void>
  /** Exchanges a parent application's token for one of another application of the publisher. @throws ApiError `invalid_token`, `unknown_application`. */
  child(
    parentToken: Secret | string,
    childApplicationId: string | bigint,
    options?: CallOptions,
  ): Promise<TokenSet>
}

export interface ApplicationTokensOptions {
  api: Pick<Api, 'sendJson'>
  service: Readonly<ServiceConfig>
  applicationId: string
  clock: Clock
  /** For the service's keys. */
  http: HttpContext
  clientSecret: Secret | undefined
  /** Verifies the ID tokens of responses. Default: one of its own, with the service's keys. */
  reader?: TokenResponseReader | undefined
}

const SECRET_REMEDY =
  'Pass credentials: clientSecret(process.env.FOYER_CLIENT_SECRET), or clientSecret beside the bot token'
const CODE_ARGS: readonly (keyof CodeExchangeArgs)[] = [
  'code',
  'redirectUri',
  'codeVerifier',
  'nonce',
  'scopes',
]
/** Printable ASCII (RFC 6749 appendix A): a code, a token or a verifier. */
const TOKEN = /^[!-~]{1,8192}$/

interface Sender {
  /** Sends a request with the secret. */
  send: (request: AccountRequest, secretField?: string) => Promise<JsonResponse>
  read: (
    response: JsonResponse,
    expected: Partial<Expected>,
    signal: AbortSignal | undefined,
  ) => Promise<TokenSet>
}

export function createApplicationTokens(options: ApplicationTokensOptions): ApplicationTokens {
  const { service, applicationId: clientId } = options
  const sender = createSender(options)
  const { send, read } = sender
  const context = (given?: CallOptions) => ({ service, clientId, signal: signalOf(given) })
  return {
    ...createGrants(options, sender),
    async revoke(token, given) {
      const fields = { token: requireToken(token, 'token'), client_id: clientId }
      await send({ ...formRequest(service.revokeUrl, fields, given), isStatusEnough: true })
    },
    async provisional(account, given) {
      const response = withoutEmptyRefresh(await send(provisionalTokenRequest(account, context(given))))
      return read(response, { scopes: PROVISIONAL_SCOPES }, signalOf(given))
    },
    async unmerge(account, given) {
      await send(unmergeRequest(account, context(given)))
    },
    async child(parentToken, childApplicationId, given) {
      const response = await send(
        childTokenRequest(parentToken, childApplicationId, context(given)),
        'parent_client_secret',
      )
      return read(response, { clientId: String(childApplicationId) }, signalOf(given))
    },
  }
}

/** The requests of the token endpoint. */
function createGrants(
  { service, applicationId }: ApplicationTokensOptions,
  { send, read }: Sender,
): Pick<ApplicationTokens, 'exchangeCode' | 'refresh' | 'merge'> {
  const exchange = async (args: CodeExchangeArgs, more: Fields, given?: CallOptions): Promise<TokenSet> => {
    const { code, redirectUri, codeVerifier, nonce, scopes } = args
    const fields = {
      grant_type: 'authorization_code',
      code: requireToken(code, 'code'),
      redirect_uri: redirectUri,
      client_id: applicationId,
      code_verifier: codeVerifier === undefined ? undefined : requireToken(codeVerifier, 'codeVerifier'),
      ...more,
    }
    return read(await send(formRequest(service.tokenUrl, fields, given)), { nonce, scopes }, signalOf(given))
  }
  return {
    exchangeCode: async (args, given) => exchange(takeOptions(args, CODE_ARGS), {}, given),
    merge: async (args, given) => {
      const own = ownFields({ ...args })
      return exchange(own, externalFields(own, CODE_ARGS), given)
    },
    async refresh(refreshToken, given) {
      const token = requireToken(refreshToken, 'refreshToken')
      const fields = { grant_type: 'refresh_token', refresh_token: token, client_id: applicationId }
      return read(
        await send(formRequest(service.tokenUrl, fields, given)),
        { isRefresh: true },
        signalOf(given),
      )
    },
  }
}

function createSender({
  api,
  http,
  service,
  clock,
  clientSecret,
  applicationId,
  reader: given,
}: ApplicationTokensOptions): Sender {
  let reader = given
  return {
    async send({ fields, ...request }, secretField = 'client_secret') {
      if (!clientSecret)
        throw new ConfigurationError('invalid_argument', 'clientSecret', { remedy: SECRET_REMEDY })
      const secret = { [secretField]: clientSecret.reveal() }
      return requestAccount((sent) => api.sendJson(sent), { ...request, fields: { ...fields, ...secret } })
    },
    async read(response, expected, signal) {
      reader ??= createResponseReader({ http, service })
      return (
        await reader({ response, receivedAt: clock.now() }, { clientId: applicationId, ...expected }, signal)
      ).tokens
    },
  }
}

/** Verifies the ID tokens of responses with the service's keys, which it keeps. */
export function createResponseReader({
  http,
  service,
}: Pick<ApplicationTokensOptions, 'http' | 'service'>): TokenResponseReader {
  return createTokenResponseReader(
    { ...http, service, log: () => undefined },
    createRemoteJwks(http, service.keysUrl),
  )
}

const signalOf = (given: CallOptions | undefined) => checkOptions(given, ['signal']).signal

function formRequest(url: string, fields: Fields, given: CallOptions | undefined): AccountRequest {
  return { url, route: `POST ${endpointRoute(url)}`, as: 'form', fields, signal: signalOf(given) }
}

/** @throws ConfigurationError `invalid_argument`, without the value. */
function requireToken(value: Secret | string, field: string): string {
  const text = reveal(value)
  if (isText(text, TOKEN)) return text
  throw new ConfigurationError('invalid_argument', field, {
    remedy: 'Pass it as a string or a Secret, without spaces',
  })
}
