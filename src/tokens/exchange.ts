/** Redeems an authorization code for verified tokens: one request for one code, however often it is asked. */
import { type AuthorizationResult, openResult } from '../authorization/result'
import { ConfigurationError, NetworkError } from '../foundation/errors'
import type { Log } from '../foundation/log'
import { reveal, type Secret } from '../foundation/secret'
import type { HttpContext, JsonAnswer } from '../http/request'
import type { ServiceProfile } from '../service/profile'
import { requestGrant } from './grants'
import type { Redeemed, TokenReader } from './token-reader'

export interface ExchangeOptions extends HttpContext {
  profile: ServiceProfile
  log: Log
}

export interface RedeemOptions {
  /** For a result that names no client of its own. */
  clientId: string | undefined
  codeVerifier?: Secret | string | undefined
  signal?: AbortSignal | undefined
}

/** A token answer as it came, and when. */
export interface Answered {
  answer: JsonAnswer
  /** Epoch ms. */
  receivedAt: number
}

/** What a result is worth. A second call reads the first one's answer again and sends nothing. */
export type CodeExchange = (result: AuthorizationResult, options: RedeemOptions) => Promise<Redeemed>

export function createCodeExchange(options: ExchangeOptions): CodeExchange {
  const { profile, clock, log } = options
  /** Kept as long as the result is: keys that cannot be fetched must not cost the code, which is good for one request only. */
  const answers = new WeakMap<AuthorizationResult, Promise<Answered>>()
  let reader: Promise<TokenReader> | undefined

  async function send(
    { code, redirectUri }: AuthorizationResult,
    binding: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<Answered> {
    const fields = { grant_type: 'authorization_code', code: code.reveal(), redirect_uri: redirectUri, ...binding }
    log('info', 'token.requested')
    const answer = await requestGrant(options, { url: profile.tokenUrl, fields, signal })
    log('info', 'token.received')
    return { answer, receivedAt: clock.now() }
  }

  /** What reads and verifies an answer is loaded while the answer is under way: a page that signs nobody in never pays for it. */
  function loadReader(): Promise<TokenReader> {
    reader ??= import('./token-reader').then(
      ({ createTokenReader }) => createTokenReader(options),
      (error: unknown) => {
        reader = undefined
        throw new NetworkError('connection_failed', 'import()', { cause: error })
      },
    )
    return reader
  }

  return async (result, { clientId, codeVerifier, signal }) => {
    const binding = openResult(result)
    const client = binding.clientId ?? clientId
    const verifier = codeVerifier ?? binding.verifier
    if (!client) throw new ConfigurationError('missing_application_id')
    if (!verifier) throw new ConfigurationError('invalid_argument', 'codeVerifier')
    const sent = answers.get(result) ?? send(result, { client_id: client, code_verifier: reveal(verifier) }, signal)
    answers.set(result, sent)
    const [read, answered] = await Promise.all([loadReader(), sent])
    return read(answered, { ...binding, clientId: client }, signal)
  }
}
