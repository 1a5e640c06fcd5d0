/** Types of the facade for game engines. */
import type { ClientEvents } from '../../client/context/client-events'
import type { ClientOptions } from '../../client/context/client-options'
import type * as Sdk from '../../index'

/** Parts of the SDK that the facade uses. */
export type EngineSdk = Pick<
  typeof Sdk,
  'AuthorizationError' | 'ConfigurationError' | 'FoyerError' | 'lobbyStream' | 'redirectSurface'
> & {
  Client: new (options: ClientOptions) => EngineClient
}

/** A `Client`, or the client of an Electron window. */
export interface EngineClient {
  /** Listens to an event. */
  on(event: keyof ClientEvents, listener: (data: unknown) => void): () => void
  /** Closes the client. */
  close(): void
}

/** Receives one message, as JSON. */
export type EngineCallback = (json: string) => void

/**
 * The client for game engines: strings in, strings out. No function throws, and every message comes later than the call that caused it, to
 * a callback or to `poll`.
 *
 * A result is `{ id, method, ok: true, value }` or `{ id, method, ok: false, error: { code, message, retryable, help, … } }`, an event
 * `{ event, data }`.
 */
export interface Engine {
  /**
   * Calls a method of `Client` by its path, for example `backend.fetch`, and returns the call's id. `lobby.send` and the other calls of a
   * lobby take the lobby's id before their arguments. `init` creates the client from its options. Earlier calls wait for it, and fail with
   * `invalid_argument` after 10 s without a client. The arguments are a JSON array, or one value, or an empty string. Without a callback the result comes with `poll`.
   *
   * @example
   * ```js
   * Foyer.engine.call('init', '{"applicationId":"1234567890123456789","service":{"host":"https://service.example"}}')
   * Foyer.engine.call('signIn', '', (json) => console.log(JSON.parse(json).ok))
   * ```
   */
  call(method: string, argsJson?: string, callback?: EngineCallback | null): number
  /**
   * Like `call`, inside the player's current or next click, tap or key: for engines that process input later than the browser, where a
   * popup would be blocked. A second such call replaces the first while it waits, which fails with `superseded`.
   */
  callOnGesture(method: string, argsJson?: string, callback?: EngineCallback | null): number
  /** Aborts a call, or stops what it has started (`lobby.watch`, `lobby.autoLeave`, `pauseRefresh`). An unknown id has no effect. */
  cancel(id: number): void
  /** Calls back for each event. Returns a function that ends this. What is no function is answered with the event `refused`. */
  on(callback: EngineCallback): () => void
  /**
   * Returns the results of calls without a callback, and the events that no `on` has received, as a JSON array; each once. Of more than
   * 1,000 the oldest events are dropped, and only without any event the oldest results. They are counted:
   * `{ "event": "messagesDropped", "data": { "count" } }`.
   */
  poll(): string
  /** Uses a client that a script of the page has created, instead of `init`. What is no client is answered with the event `refused`. */
  use(client: EngineClient): void
}
