/** `client.backend`: requests of the signed-in player to the game's own backend. */
import { bindMethods, type CallOptions } from '../../shared/foundation/options'
import { loadBackend } from '../context/capabilities'
import type { BackendRequestInit, PlayerCall } from './backend-calls'

/** The game's own backend, at the origins of the option `backendOrigins`. */
export class Backend {
  readonly #parts: Omit<PlayerCall, 'caller'>

  /** @internal */
  constructor(parts: Omit<PlayerCall, 'caller'>) {
    this.#parts = parts
    bindMethods(this)
  }

  /**
   * Sends a request to the game's own backend with the player's token in the Authorization header, and resolves with the response, whatever
   * its status. Only for the origins in `backendOrigins`: a token never goes anywhere else, and a redirect is refused. A path such as
   * `/score` belongs to the first of them. A token that expires within a minute is refreshed first; after a 401 it is refreshed, and the
   * request is sent once more, unless its body is a stream or the backend refused a refreshed token before. If the backend of `backendSession`
   * keeps the tokens, its cookie is sent in place of one, to its origin only.
   *
   * @throws ConfigurationError `invalid_argument` for another origin. @throws SessionError `signed_out`, and the errors of `refreshToken`.
   * @throws NetworkError `connection_failed`, `aborted`.
   * @example
   * ```ts
   * const client = new Client({ applicationId, service, backendOrigins: ['https://game.example'] })
   * const response = await client.backend.fetch('/score', { method: 'POST', body: '42' })
   * ```
   */
  fetch(url: string, init?: BackendRequestInit): Promise<Response> {
    return this.#run([url, init], (calls, ...call) => calls.fetchFromBackend(...call))
  }

  /**
   * Exchanges the player's token for a ticket, at the endpoint of `createPlayerTickets` in the game's backend. It is valid for one
   * connection within 30 s: fetch one for each connection, also for another attempt.
   *
   * @throws ApiError for a refusal of the backend, for example `http_401`; `retryable` for 429, and from 500.
   * @throws ProtocolError `malformed_response`. @throws NetworkError `timed_out` after `requestTimeout`, `aborted`, and the errors of `fetch`.
   * @example
   * ```ts
   * const socket = io('https://game.example', {
   *   auth: (send) => void client.backend.fetchTicket('/tickets?purpose=match').then((ticket) => send({ ticket })),
   * })
   * ```
   */
  fetchTicket(url: string, options?: CallOptions): Promise<string> {
    return this.#run([url, options], (calls, ...call) => calls.fetchTicket(...call))
  }

  #run<const Given extends readonly unknown[], T>(
    given: Given,
    work: (calls: Awaited<ReturnType<typeof loadBackend>>, call: PlayerCall, ...given: Given) => Promise<T>,
  ): Promise<T> {
    const { context, answers } = this.#parts
    return context.call('backend', given, async (caller, ...own) =>
      work(await loadBackend(), { context, answers, caller }, ...own),
    )
  }
}
