/** Redeems an authorization code for verified tokens, with one request per code. Loaded while the player signs in. */
import {
  type AuthorizationResult,
  type ClientIdentity,
  openResult,
} from '../../shared/authorization/authorization-result'
import { ConfigurationError } from '../../shared/foundation/errors'
import { factsOf, type Log } from '../../shared/foundation/log-entry'
import {
  type HttpContext,
  type JsonResponse,
  requestJson,
  type SendJson,
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
} from '../../shared/tokens/requests/token-endpoint'
import {
  fetchUser,
  identifyPlayer,
  type IdentifiedTokens,
  type IdentifyContext,
  type KnownPlayer,
} from '../../shared/tokens/requests/identify-player'
import type { SessionUser } from '../../shared/tokens/session-user'
import { createRemoteJwks } from '../../shared/tokens/id-token/remote-jwks'

export interface TokenClientOptions extends HttpContext, ClientIdentity {
  service: ServiceConfig
  log: Log
  /** For results without a client id of their own; evaluated for each result. */
  applicationId: string | undefined
}

export interface RedeemOptions {
  codeVerifier?: GivenVerifier | undefined
  signal?: AbortSignal | undefined
}

/** Exchanges a result's code for tokens. A second call for the same result reads the first response again and sends nothing. */
export type CodeExchange = (result: AuthorizationResult, options: RedeemOptions) => Promise<VerifiedTokens>

interface TokenClientContext {
  options: TokenClientOptions
  read: TokenResponseReader
  /** Responses by result: if the keys cannot be fetched, the verification can be retried without using the code twice. */
  responses: WeakMap<AuthorizationResult, Promise<ReceivedResponse>>
}

export type TokenClient = ReturnType<typeof createTokenClient>

export function createTokenClient(options: TokenClientOptions) {
  const keys = createRemoteJwks(options, options.service.keysUrl)
  const read = createTokenResponseReader({ ...options, service: options.service }, keys)
  const context: TokenClientContext = { options, read, responses: new WeakMap() }
  const send: SendJson = (request) => requestJson(options, request)
  const asking: IdentifyContext = { send, clock: options.clock, service: options.service, log: options.log }
  return {
    /** Decodes and verifies a response of the token endpoint. */
    read,
    /** Prefetches the service's keys while the player signs in. */
    prepare: (): void => void keys.prefetch(),
    /** Adds the player to tokens. */
    identify: (verified: VerifiedTokens, signal?: AbortSignal): Promise<IdentifiedTokens> =>
      identifyPlayer(asking, verified, signal),
    /** Asks for the names of a known player. */
    fetchUser: (player: KnownPlayer): Promise<SessionUser | undefined> => fetchUser(asking, player),
    /** Sends a JSON request that is not a token request. */
    send,
    /** Sends a token request and resolves with any response. */
    post: (request: TokenRequest): Promise<JsonResponse> => postTokenRequest(options, request),
    /** Sends a token request and rejects for error responses. */
    request: (request: TokenRequest): Promise<JsonResponse> => requestTokens(options, request),
    /** Exchanges a result's code for tokens. A second call for the same result reads the first response again and sends nothing. */
    redeem: (result: AuthorizationResult, given: RedeemOptions): Promise<VerifiedTokens> =>
      redeem(context, result, given),
  }
}

async function redeem(
  context: TokenClientContext,
  result: AuthorizationResult,
  { codeVerifier, signal }: RedeemOptions,
): Promise<VerifiedTokens> {
  const binding = openResult(result, context.options)
  const clientId = binding.clientId ?? context.options.applicationId
  const verifier = readVerifier(codeVerifier ?? binding.verifier)
  if (!clientId) throw new ConfigurationError('missing_application_id')
  if (!verifier && !context.responses.has(result))
    throw new ConfigurationError('invalid_argument', 'codeVerifier', {
      remedy: 'A codeChallenge of your own needs its verifier',
    })
  const fields = {
    code: result.code.reveal(),
    redirect_uri: result.redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  }
  const received = context.responses.get(result) ?? sendCode(context.options, fields, signal)
  context.responses.set(result, received)
  return context.read(await received, { ...binding, clientId: clientId }, signal)
}

async function sendCode(
  options: TokenClientOptions,
  fields: Record<string, string | undefined>,
  signal?: AbortSignal,
): Promise<ReceivedResponse> {
  const { service, clock, log } = options
  log('info', 'token.requested')
  const request = { url: service.tokenUrl, fields: { grant_type: 'authorization_code', ...fields }, signal }
  const response = await requestTokens(options, request).catch((error: unknown) => {
    log('warn', 'token.refused', factsOf(error))
    throw error
  })
  log('info', 'token.received')
  return { response, receivedAt: clock.now() }
}
