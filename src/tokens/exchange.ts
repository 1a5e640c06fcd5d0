/** Redeems an authorization code for verified tokens: one request for one code, however often it is asked. Loaded while the player answers. */
import { type AuthorizationResult, type ClientIdentity, openResult } from '../authorization/result'
import { ConfigurationError } from '../foundation/errors'
import { factsOf } from '../foundation/facts'
import type { Log } from '../foundation/log'
import { reveal, type Secret } from '../foundation/secret'
import { type HttpContext, type JsonAnswer, type Limits, requestJson, type SendJson, withinDeadline } from '../http/request'
import type { ServiceProfile } from '../service/profile'
import { type GrantRequest, postGrant, requestGrant } from './grants'
import { createKeySet } from './key-set'
import { type Answered, createTokenReader, type Redeemed, type TokenReader } from './token-reader'

export interface ExchangeOptions extends HttpContext, ClientIdentity {
  profile: ServiceProfile
  log: Log
  /** For a result that names no client of its own; read anew for each. */
  applicationId: string | undefined
}

export interface TokenExchange {
  redeem: CodeExchange
  /** Reads and verifies what the token endpoint answers. */
  read: TokenReader
  /** Fetches the service's keys while the player answers. */
  prepare: () => void
  /** Sends what is no grant. */
  send: SendJson
  /** Runs an exchange that is not of JSON within a deadline. */
  within: <T>(limits: Limits, work: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** Sends one grant, whatever the answer says. */
  post: (request: GrantRequest) => Promise<JsonAnswer>
  /** The same; what is no grant rejects. */
  request: (request: GrantRequest) => Promise<JsonAnswer>
}

export interface RedeemOptions {
  codeVerifier?: Secret | string | undefined
  signal?: AbortSignal | undefined
}

/** What a result is worth. A second call reads the first one's answer again and sends nothing. */
export type CodeExchange = (result: AuthorizationResult, options: RedeemOptions) => Promise<Redeemed>

interface Desk {
  options: ExchangeOptions
  read: TokenReader
  /** Kept as long as the result is: keys that cannot be fetched must not cost the code, which is good for one request only. */
  answers: WeakMap<AuthorizationResult, Promise<Answered>>
}

export function createExchange(options: ExchangeOptions): TokenExchange {
  const keys = createKeySet(options, options.profile.keysUrl)
  const read = createTokenReader(options, keys)
  const desk: Desk = { options, read, answers: new WeakMap() }
  return {
    read,
    prepare: () => void keys.prefetch(),
    send: (request) => requestJson(options, request),
    within: (limits, work) => withinDeadline(options, limits, work),
    post: (request) => postGrant(options, request),
    request: (request) => requestGrant(options, request),
    redeem: (result, choice) => redeem(desk, result, choice),
  }
}

async function redeem(desk: Desk, result: AuthorizationResult, { codeVerifier, signal }: RedeemOptions): Promise<Redeemed> {
  const binding = openResult(result, desk.options)
  const client = binding.clientId ?? desk.options.applicationId
  const verifier = codeVerifier ?? binding.verifier
  if (!client) throw new ConfigurationError('missing_application_id')
  if (!verifier && !desk.answers.has(result))
    throw new ConfigurationError('invalid_argument', 'codeVerifier', { remedy: 'A codeChallenge of your own needs its verifier' })
  const fields = {
    code: result.code.reveal(),
    redirect_uri: result.redirectUri,
    client_id: client,
    code_verifier: verifier && reveal(verifier),
  }
  const sent = desk.answers.get(result) ?? send(desk.options, fields, signal)
  desk.answers.set(result, sent)
  return desk.read(await sent, { ...binding, clientId: client }, signal)
}

async function send(options: ExchangeOptions, fields: Record<string, string | undefined>, signal?: AbortSignal): Promise<Answered> {
  const { profile, clock, log } = options
  log('info', 'token.requested')
  const request = { url: profile.tokenUrl, fields: { grant_type: 'authorization_code', ...fields }, signal }
  const answer = await requestGrant(options, request).catch((error: unknown) => {
    log('warn', 'token.refused', factsOf(error))
    throw error
  })
  log('info', 'token.received')
  return { answer, receivedAt: clock.now() }
}
