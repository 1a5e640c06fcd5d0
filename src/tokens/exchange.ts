/** Redeems an authorization code for verified tokens: one request for one code, however often it is asked. */
import type { AuthorizationResult } from '../authorization/result'
import { openResult, type ResultBinding } from '../authorization/result'
import type { Clock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import type { Log } from '../foundation/log'
import { reveal, type Secret } from '../foundation/secret'
import type { Fetch, JsonAnswer } from '../http/request'
import type { ServiceProfile } from '../service/profile'
import { requestGrant } from './grants'
import { decodeTokenSet, splitScopes, type TokenSet } from './token-set'
import type { IdTokenVerifier } from './verifier'

export interface ExchangeOptions {
  profile: ServiceProfile
  fetch: Fetch
  clock: Clock
  log: Log
  verifier: IdTokenVerifier
}

export interface RedeemOptions {
  /** For a result that names no client of its own. */
  clientId: string | undefined
  codeVerifier?: Secret | string | undefined
  signal?: AbortSignal | undefined
}

interface CodeRequest {
  fields: Readonly<Record<string, string>>
  signal?: AbortSignal | undefined
}

/** A code's token answer, kept until its ID token is verified: keys that cannot be fetched must not cost the code. */
interface Answered {
  answer: JsonAnswer
  receivedAt: number
}

export class CodeExchange {
  readonly #options: ExchangeOptions
  readonly #answers = new WeakMap<AuthorizationResult, Promise<Answered>>()
  readonly #redeemed = new WeakMap<AuthorizationResult, Promise<TokenSet>>()

  constructor(options: ExchangeOptions) {
    this.#options = options
  }

  /** The tokens of a result. A second call gives the first one's outcome; after `keys_unavailable` it verifies the same answer again. */
  async redeem(result: AuthorizationResult, options: RedeemOptions): Promise<TokenSet> {
    const binding = openResult(result)
    const known = this.#redeemed.get(result)
    if (known) return known
    const tokens = this.#redeem(result, options, binding)
    this.#redeemed.set(result, tokens)
    tokens.catch(() => this.#redeemed.delete(result))
    return tokens
  }

  async #redeem(result: AuthorizationResult, options: RedeemOptions, binding: ResultBinding): Promise<TokenSet> {
    const verifier = options.codeVerifier ?? binding.verifier
    if (!verifier) throw new ConfigurationError('invalid_argument', 'The challenge of this code is yours: pass its verifier to getToken.')
    const clientId = binding.clientId ?? options.clientId
    if (!clientId) throw new ConfigurationError('missing_application_id', 'Set applicationId on the client.')
    const fields = { client_id: clientId, code_verifier: reveal(verifier) }
    const { answer, receivedAt } = await this.#answerOf(result, { fields, signal: options.signal })
    const tokens = decodeTokenSet(answer.body, { asked: splitScopes(binding.scopes ?? ''), now: receivedAt })
    if (!tokens.idToken) return tokens
    const { nonce } = binding
    const expected = {
      clientId,
      now: receivedAt,
      ...(nonce !== undefined && { nonce }),
      ...(answer.date !== undefined && { serverDate: answer.date }),
    }
    return { ...tokens, claims: await this.#options.verifier.verify(tokens, expected, options.signal) }
  }

  #answerOf(result: AuthorizationResult, request: CodeRequest): Promise<Answered> {
    const known = this.#answers.get(result)
    if (known) return known
    const answered = this.#send(result, request)
    this.#answers.set(result, answered)
    return answered
  }

  async #send({ code, redirectUri }: AuthorizationResult, { fields, signal }: CodeRequest): Promise<Answered> {
    const { profile, clock, log } = this.#options
    const form = { grant_type: 'authorization_code', code: code.reveal(), redirect_uri: redirectUri, ...fields }
    log('info', 'token.requested', { grant: form.grant_type })
    const answer = await requestGrant(this.#options, { url: profile.tokenUrl, fields: form, signal })
    log('info', 'token.received', { checked: 'status, content_type, size, error' })
    return { answer, receivedAt: clock.now() }
  }
}
