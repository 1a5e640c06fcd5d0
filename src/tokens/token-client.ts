/** Redeems an authorization code for verified tokens: one request for one code, however often it is asked. Loaded while the player answers. */
import { type AuthorizationResult, type ClientIdentity, openResult } from '../authorization/result'
import { ConfigurationError } from '../foundation/errors'
import { factsOf } from '../foundation/ambient'
import type { Log } from '../foundation/log'
import { reveal, type Secret } from '../foundation/secret'
import { type HttpContext, type JsonAnswer, type Limits, requestJson, type SendJson, withinDeadline } from '../http/request'
import type { ServiceConfig } from '../service/config'
import { type TokenRequest, postTokenRequest, requestTokens } from './token-endpoint'
import { createRemoteJwks } from './id-token/jwks'
import { type ReceivedResponse, createTokenResponseReader, type VerifiedTokens, type TokenResponseReader } from './token-response'

export interface TokenClientOptions extends HttpContext, ClientIdentity {
  service: ServiceConfig
  log: Log
  /** For a result that names no client of its own; read anew for each. */
  applicationId: string | undefined
}

export interface TokenClient {
  redeem: CodeExchange
  /** Reads and verifies what the token endpoint answers. */
  read: TokenResponseReader
  /** Fetches the service's keys while the player answers. */
  prepare: () => void
  /** Sends what is no grant. */
  send: SendJson
  /** Runs an exchange that is not of JSON within a deadline. */
  within: <T>(limits: Limits, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** Sends one grant, whatever the answer says. */
  post: (request: TokenRequest) => Promise<JsonAnswer>
  /** The same; what is no grant rejects. */
  request: (request: TokenRequest) => Promise<JsonAnswer>
}

export interface RedeemOptions {
  codeVerifier?: Secret | string | undefined
  signal?: AbortSignal | undefined
}

/** What a result is worth. A second call reads the first one's answer again and sends nothing. */
export type CodeExchange = (result: AuthorizationResult, options: RedeemOptions) => Promise<VerifiedTokens>

interface TokenClientContext {
  options: TokenClientOptions
  read: TokenResponseReader
  /** Kept as long as the result is: keys that cannot be fetched must not cost the code, which is good for one request only. */
  answers: WeakMap<AuthorizationResult, Promise<ReceivedResponse>>
}

export function createTokenClient(options: TokenClientOptions): TokenClient {
  const keys = createRemoteJwks(options, options.service.keysUrl)
  const read = createTokenResponseReader({ ...options, service: options.service }, keys)
  const context: TokenClientContext = { options, read, answers: new WeakMap() }
  return {
    read,
    prepare: () => void keys.prefetch(),
    send: (request) => requestJson(options, request),
    within: (limits, work) => withinDeadline(options, limits, work),
    post: (request) => postTokenRequest(options, request),
    request: (request) => requestTokens(options, request),
    redeem: (result, choice) => redeem(context, result, choice),
  }
}

async function redeem(
  context: TokenClientContext,
  result: AuthorizationResult,
  { codeVerifier, signal }: RedeemOptions,
): Promise<VerifiedTokens> {
  const binding = openResult(result, context.options)
  const client = binding.clientId ?? context.options.applicationId
  const verifier = codeVerifier ?? binding.verifier
  if (!client) throw new ConfigurationError('missing_application_id')
  if (!verifier && !context.answers.has(result))
    throw new ConfigurationError('invalid_argument', 'codeVerifier', { remedy: 'A codeChallenge of your own needs its verifier' })
  const fields = {
    code: result.code.reveal(),
    redirect_uri: result.redirectUri,
    client_id: client,
    code_verifier: verifier && reveal(verifier),
  }
  const sent = context.answers.get(result) ?? send(context.options, fields, signal)
  context.answers.set(result, sent)
  return context.read(await sent, { ...binding, clientId: client }, signal)
}

async function send(
  options: TokenClientOptions,
  fields: Record<string, string | undefined>,
  signal?: AbortSignal,
): Promise<ReceivedResponse> {
  const { service, clock, log } = options
  log('info', 'token.requested')
  const request = { url: service.tokenUrl, fields: { grant_type: 'authorization_code', ...fields }, signal }
  const answer = await requestTokens(options, request).catch((error: unknown) => {
    log('warn', 'token.refused', factsOf(error))
    throw error
  })
  log('info', 'token.received')
  return { answer, receivedAt: clock.now() }
}
