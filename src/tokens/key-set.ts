/** The service's public keys (RFC 7517): fetched when needed, kept for a while, and never fetched in a storm. */
import { ProtocolError } from '../foundation/errors'
import { requestJson, type HttpContext } from '../http/request'
import type { KeySetResponse } from '../wire/oauth'
import { readKeys, selectKeys, type KeyQuery, type PublishedKey, type VerificationKey } from './key'
import { afterFailure, afterFetch, isUsable, nextStep, type KeyCache } from './key-cache'
import { SingleFlight } from './key-flight'

const ROUTE = 'GET /oauth2/keys'

/** One for each client. Holds no timer; nothing is fetched before the first token comes. */
export class KeySet {
  readonly #http: HttpContext
  readonly #url: string
  readonly #timeout: number
  readonly #flight = new SingleFlight((signal) => this.#fetch(signal))
  #cache: KeyCache = { keys: [] }

  /** @param timeout ms for one fetch of the keys. Default: 10 000. */
  constructor(http: HttpContext, url: string, timeout = 10_000) {
    this.#http = http
    this.#url = url
    this.#timeout = timeout
  }

  /**
   * The keys that a token with this header may have been signed with, four at most; none when the service publishes no such key.
   * @throws ProtocolError `keys_unavailable` (retryable). @throws NetworkError `aborted`.
   */
  async find(header: KeyQuery, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<readonly VerificationKey[]> {
    const kept = selectKeys(this.#cache.keys, header)
    const step = nextStep(this.#cache, { known: kept.length > 0, now: this.#http.clock.now() })
    if (step === 'use') return kept
    if (step === 'fetch') return this.#search(header, signal)
    if (step === 'none') return []
    throw unavailable()
  }

  /** Fetches, and falls back on a kept key when that fails. */
  async #search(header: KeyQuery, signal: AbortSignal | undefined): Promise<readonly VerificationKey[]> {
    try {
      await this.#flight.join(signal)
      return selectKeys(this.#cache.keys, header)
    } catch (error) {
      const kept = isUsable(this.#cache, this.#http.clock.now()) ? selectKeys(this.#cache.keys, header) : []
      if (signal?.aborted || kept.length === 0) throw error
      return kept
    }
  }

  async #fetch(signal: AbortSignal): Promise<void> {
    const now = this.#http.clock.now()
    try {
      this.#cache = afterFetch(this.#cache, await this.#request(signal), now)
    } catch (error) {
      if (!signal.aborted) this.#cache = afterFailure(this.#cache, now)
      throw unavailable(error)
    }
  }

  async #request(signal: AbortSignal): Promise<readonly PublishedKey[]> {
    const answer = await requestJson(this.#http, { method: 'GET', url: this.#url, route: ROUTE, timeout: this.#timeout, signal })
    const { keys }: KeySetResponse = answer.body
    if (answer.status !== 200 || !Array.isArray(keys)) {
      throw new ProtocolError('malformed_response', `${ROUTE} answered ${answer.status} without keys.`, {
        path: 'keys',
        expected: 'an array',
      })
    }
    return readKeys(keys)
  }
}

/** The same token can be verified later: nothing was consumed. */
function unavailable(cause?: unknown): ProtocolError {
  return new ProtocolError('keys_unavailable', 'The keys that sign ID tokens cannot be fetched at the moment.', { retryable: true, cause })
}
