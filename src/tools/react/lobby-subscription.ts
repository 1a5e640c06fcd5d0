/** One lobby in use by components: joined with the first, left after the last. */
import type { Client } from '../../client/page/client'
import type { FoyerError } from '../../shared/foundation/errors'
import type { Lobby } from '../../client/lobbies/lobby'
import type { LobbyMessage, Metadata } from '../../client/lobbies/lobby-state'
import type { JoinOptions } from '../../client/lobbies/lobby-requests'
import { requireFoyerError } from './require-foyer-error'

/** `idle`: there is no secret, or no player is signed in. `failed`: see `error`; `retry()` joins again. */
export type LobbyHookStatus = 'idle' | 'joining' | 'joined' | 'failed'

/** A lobby at one moment. */
export interface LobbySnapshot {
  /** The live lobby; null unless `status` is `joined`. Components render again when it changes. */
  readonly lobby: Lobby | null
  /** Messages since the player joined, after those that `history` asked for, each once, oldest first; at most the last 200. */
  readonly messages: readonly LobbyMessage[]
  /** State of the membership. */
  readonly status: LobbyHookStatus
  /** Error of the last join or message; null after the next attempt has begun. */
  readonly error: FoyerError | null
}

/** Options of one use of a lobby; those of the first component count. */
export interface SubscriptionOptions extends JoinOptions {
  /** Time in ms between two looks for messages; 0: none, for games with `lobbyUpdates`. */
  interval: number
  /** Number of earlier messages to begin with, at most 200. */
  history?: number | undefined
}

/** Owner of subscriptions, which stays open until their players have left. */
export interface SubscriptionOwner {
  readonly client: Client
  readonly addDeparture: (departure: Promise<unknown>) => void
}

export const IDLE: LobbySnapshot = Object.freeze({ lobby: null, messages: [], status: 'idle', error: null })
const MAX_MESSAGES = 200

export class LobbySubscription {
  readonly #client: Client
  readonly #secret: string
  readonly #addDeparture: (departure: Promise<unknown>) => void
  #options: SubscriptionOptions = { interval: 0 }
  readonly #listeners = new Set<() => void>()
  #snapshot = IDLE
  #undo: (() => void)[] = []
  /** Ends the current membership; absent while there is none. */
  #membership: AbortController | undefined
  #joining: Promise<void> | undefined

  constructor({ client, addDeparture }: SubscriptionOwner, secret: string) {
    this.#client = client
    this.#addDeparture = addDeparture
    this.#secret = secret
  }

  readonly getSnapshot = (): LobbySnapshot => this.#snapshot

  /** Joins with the first listener. The end waits for a microtask: StrictMode and Fast Refresh subscribe again before it. */
  subscribe(listener: () => void, options: SubscriptionOptions): () => void {
    this.#listeners.add(listener)
    if (this.#undo.length === 0) this.#start(options)
    return () => {
      this.#listeners.delete(listener)
      queueMicrotask(() => this.#listeners.size === 0 && this.#stop())
    }
  }

  /** Joins again after a failure. */
  readonly retry = (): void => {
    if (this.#snapshot.status === 'failed') this.#beginJoin()
  }

  /** Sends a message. Resolves with null if it fails, or if the lobby is not joined. */
  readonly send = async (content: string, metadata?: Metadata): Promise<LobbyMessage | null> => {
    const { lobby } = this.#snapshot
    if (!lobby) return null
    this.#update({ error: null })
    try {
      return await lobby.send(content, { metadata })
    } catch (error) {
      this.#update({ error: requireFoyerError(error) })
      return null
    }
  }

  #start(options: SubscriptionOptions): void {
    const client = this.#client
    this.#options = options
    this.#undo = [
      client.on('sessionChanged', ({ session, previous }) =>
        this.#changeUser(session?.userId, previous?.userId),
      ),
    ]
    if (client.session) this.#beginJoin()
  }

  #stop(): void {
    for (const each of this.#undo) each()
    this.#undo = []
    const { lobby } = this.#snapshot
    this.#end()
    if (lobby) this.#addDeparture(lobby.leave())
    else if (this.#joining) this.#addDeparture(this.#joining)
  }

  #changeUser(next: string | undefined, previous: string | undefined): void {
    if (next === previous) return
    this.#end()
    if (next !== undefined) this.#beginJoin()
  }

  #end(): void {
    this.#membership?.abort()
    this.#membership = undefined
    this.#update(IDLE)
  }

  #beginJoin(): void {
    this.#membership = new AbortController()
    this.#update({ ...IDLE, status: 'joining' })
    this.#joining = this.#join(this.#membership.signal)
  }

  async #join(signal: AbortSignal): Promise<void> {
    try {
      const { interval, history = 0, ...options } = this.#options
      const lobby = await this.#client.createOrJoinLobby(this.#secret, options)
      if (signal.aborted) return await this.#leaveUnused(lobby)
      this.#listen(lobby, signal)
      this.#update({ lobby, status: 'joined' })
      // After `#listen`, so that nothing falls between history and events.
      await Promise.all([
        this.#follow(lobby, { interval, signal }),
        history !== 0 && this.#readHistory(lobby, { limit: history, signal }),
      ])
    } catch (error) {
      if (!signal.aborted) this.#update({ ...IDLE, status: 'failed', error: requireFoyerError(error) })
    }
  }

  /** Looks for messages, and leaves with the tab. An Electron window has no `autoLeave`. */
  async #follow(
    lobby: Lobby,
    { interval, signal }: { interval: number; signal: AbortSignal },
  ): Promise<void> {
    if (interval > 0) await lobby.watch({ interval, signal })
    if (!signal.aborted) await lobby.autoLeave().catch(() => undefined)
  }

  /** The player stays in a lobby whose history cannot be read; `error` has the reason. */
  async #readHistory(lobby: Lobby, options: { limit: number; signal: AbortSignal }): Promise<void> {
    try {
      // The newest one comes first.
      const history: LobbyMessage[] = []
      for (const message of await lobby.fetchMessages(options)) history.unshift(message)
      const read = new Set(history.map(({ id }) => id))
      this.#showMessages([...history, ...this.#snapshot.messages.filter(({ id }) => !read.has(id))])
    } catch (error) {
      if (!options.signal.aborted) this.#update({ error: requireFoyerError(error) })
    }
  }

  #listen(lobby: Lobby, signal: AbortSignal): void {
    lobby.on('updated', () => this.#update({ lobby }), { signal })
    lobby.on('message', ({ message }) => this.#addMessage(message), { signal })
    lobby.on('ended', () => this.#end(), { signal })
  }

  /** Leaves a lobby that was joined too late, unless another membership has begun meanwhile. */
  async #leaveUnused(lobby: Lobby): Promise<void> {
    if (!this.#membership) await lobby.leave()
  }

  #addMessage(message: LobbyMessage): void {
    const { messages } = this.#snapshot
    if (messages.every(({ id }) => id !== message.id)) this.#showMessages([...messages, message])
  }

  #showMessages(messages: readonly LobbyMessage[]): void {
    this.#update({ messages: messages.slice(-MAX_MESSAGES) })
  }

  #update(change: Partial<LobbySnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change }
    for (const listener of this.#listeners) listener()
  }
}
