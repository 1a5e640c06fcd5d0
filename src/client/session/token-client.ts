/** Everything that follows a consent, as one part: reading the callback, and redeeming the code for verified tokens, with one request per code. */
import {
  type AuthorizationResult,
  type ClientIdentity,
  openResult,
} from '../../shared/authorization/authorization-result'
import { ConfigurationError, type FoyerError } from '../../shared/foundation/errors'
import { parseRetryAfter, tokenErrorFrom } from '../../shared/foundation/oauth-errors'
import { factsOf, type Log } from '../../shared/foundation/log-entry'
import {
  type HttpContext,
  type HttpRequest,
  type JsonResponse,
  requestJson,
  endpointRoute,
} from '../../shared/http/http-client'
import type { ServiceConfig } from '../../shared/service/service-config'
import {
  type GivenVerifier,
  readVerifier,
  type TokenRequest,
  postTokenRequest,
  requestTokens,
  type ReceivedResponse,
  createTokenResponseReader,
  type VerifiedTokens,
  type TokenResponseReader,
} from '../../shared/tokens/token-endpoint'
import {
  fetchUser,
  identifyPlayer,
  type IdentifiedTokens,
  type IdentifyContext,
  type KnownPlayer,
} from '../../shared/tokens/identify-player'
import type { SessionUser } from '../../shared/tokens/session-user'
import { createRemoteJwks, type RemoteJwks } from '../../shared/tokens/remote-jwks'

export { verifyCallback } from '../../shared/authorization/verify-callback'

export interface RedeemOptions {
  codeVerifier?: GivenVerifier | undefined
  signal?: AbortSignal | undefined
}

/** Options of a client, as far as its token requests need them. */
export interface TokenClientOptions extends Omit<HttpContext, 'closeSignal'>, ClientIdentity {
  readonly service: ServiceConfig
  /** Rejects the response to a sign-in without an ID token. */
  readonly requireIdToken?: boolean | undefined
}

export class TokenClient {
  readonly #options: TokenClientOptions
  readonly #http: HttpContext
  readonly #log: Log
  readonly #keys: RemoteJwks
  /** Decodes and verifies a response of the token endpoint. */
  readonly read: TokenResponseReader
  /** Responses by result: if the keys cannot be fetched, the verification can be retried without using the code twice. */
  readonly #responses = new WeakMap<AuthorizationResult, Promise<ReceivedResponse>>()

  constructor(options: TokenClientOptions, log: Log, closeSignal: AbortSignal) {
    const { service, fetch, clock, userAgent, tokenTimeout, requireIdToken } = options
    this.#options = options
    this.#http = {
      fetch,
      clock,
      userAgent,
      tokenTimeout,
      closeSignal,
    }
    this.#log = log
    this.#keys = createRemoteJwks(this.#http, service.keysUrl)
    this.read = createTokenResponseReader({ service, log, requireIdToken }, this.#keys)
  }

  /** Fetches the service's keys while the player signs in. Never rejects: they can be fetched later. */
  fetchKeys(): void {
    void this.#keys.prefetch()
  }

  /** Adds the player to tokens. */
  identify(verified: VerifiedTokens, signal?: AbortSignal): Promise<IdentifiedTokens> {
    return identifyPlayer(this.#identifyContext, verified, signal)
  }

  /** Asks for the names of a known player. */
  fetchUser(player: KnownPlayer): Promise<SessionUser | undefined> {
    return fetchUser(this.#identifyContext, player)
  }

  /** Sends a JSON request that is not a token request. */
  send(request: HttpRequest): Promise<JsonResponse> {
    return requestJson(this.#http, request)
  }

  /** Method and path of a token request, for its errors. */
  get route(): string {
    return `POST ${endpointRoute(this.#options.service.tokenUrl)}`
  }

  /** Sends a token request and resolves with any response. */
  post(fields: TokenRequest['fields']): Promise<JsonResponse> {
    return postTokenRequest(this.#http, { url: this.#options.service.tokenUrl, fields })
  }

  /** The content of an error response: the error, and the wait in ms that the service requested. */
  readRefusal(response: JsonResponse): { error: FoyerError; delay: number } {
    const { retryAfter, date = this.#options.clock.now() } = response
    return {
      error: tokenErrorFrom({ ...response, route: this.route }),
      delay: parseRetryAfter(retryAfter, date),
    }
  }

  /** Sends a token request and rejects for error responses. */
  request(fields: TokenRequest['fields'], signal: AbortSignal | undefined): Promise<JsonResponse> {
    return requestTokens(this.#http, { url: this.#options.service.tokenUrl, fields, signal })
  }

  /** Exchanges a result's code for tokens. A second call for the same result reads the first response again and sends nothing. */
  async redeem(
    result: AuthorizationResult,
    { codeVerifier, signal }: RedeemOptions,
  ): Promise<VerifiedTokens> {
    const { service, applicationId } = this.#options
    const binding = openResult(result, this.#options)
    const clientId = binding.clientId ?? applicationId
    const verifier = readVerifier(codeVerifier ?? binding.verifier)
    if (!clientId) throw new ConfigurationError('missing_application_id')
    if (!verifier && !this.#responses.has(result))
      throw new ConfigurationError('invalid_argument', 'codeVerifier', {
        remedy: 'A codeChallenge of your own needs its verifier',
      })
    const fields = {
      grant_type: 'authorization_code',
      code: result.code.reveal(),
      redirect_uri: result.redirectUri,
      client_id: clientId,
      code_verifier: verifier,
    }
    let received = this.#responses.get(result)
    if (!received) {
      this.#log('info', 'token.requested')
      received = requestTokens(this.#http, { url: service.tokenUrl, fields, signal }).then(
        this.#logReceived,
        this.#logRefused,
      )
      this.#responses.set(result, received)
    }
    return this.read(await received, { ...binding, clientId }, signal)
  }

  readonly #logReceived = (response: JsonResponse): ReceivedResponse => {
    this.#log('info', 'token.received')
    return { response, receivedAt: this.#options.clock.now() }
  }

  readonly #logRefused = (error: unknown): never => {
    this.#log('warn', 'token.refused', factsOf(error))
    throw error
  }

  get #identifyContext(): IdentifyContext {
    const { service, clock } = this.#options
    return { send: (request) => requestJson(this.#http, request), clock, service, log: this.#log }
  }
}
