/** State of one client for the hooks: session snapshots, lobbies in use, and the end of a client that the provider has created. */
import type { Client } from '../../client/page/client'
import type { ClientStatus } from '../../client/context/client-events'
import type { FoyerError } from '../../shared/foundation/errors'
import type { Session } from '../../client/session/session'
import type { LobbySubscription } from './lobby-subscription'
import { requireFoyerError } from './require-foyer-error'

/** Session of a client at one moment. */
export interface SessionSnapshot {
  /** The signed-in session, or null. */
  readonly session: Session | null
  /** Connection status of the client. */
  readonly status: ClientStatus
  /** True until the stored session has been looked up: show neither the game nor the sign-in button yet. */
  readonly isResuming: boolean
  /** Error of the last sign-in through `useSession`, or of `resume()`; null after the next attempt has begun. */
  readonly error: FoyerError | null
}

/** Snapshot during server rendering and hydration. */
export const SERVER_SNAPSHOT: SessionSnapshot = Object.freeze({
  session: null,
  status: 'disconnected',
  isResuming: true,
  error: null,
})

const EVENTS = ['sessionChanged', 'tokenRefreshed', 'statusChanged'] as const

export class ClientStore {
  readonly client: Client
  /** Lobbies in use, by secret. */
  readonly lobbies = new Map<string, LobbySubscription>()
  readonly #departures = new Set<Promise<unknown>>()
  readonly #isOwned: boolean
  readonly #listeners = new Set<() => void>()
  #snapshot: SessionSnapshot
  #mounts = 0
  #isClosed = false

  /** @param isOwned true if the provider has created the client, and closes it. */
  constructor(client: Client, { isOwned }: { isOwned: boolean }) {
    this.client = client
    this.#isOwned = isOwned
    const { session, status } = client
    this.#snapshot = { session, status, isResuming: !session, error: null }
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Returns the same object until something has changed. */
  readonly getSnapshot = (): SessionSnapshot => {
    const { session, status } = this.client
    if (session !== this.#snapshot.session || status !== this.#snapshot.status)
      this.#snapshot = { ...this.#snapshot, session, status }
    return this.#snapshot
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    const undo = EVENTS.map((event) => this.client.on(event, listener))
    return () => {
      this.#listeners.delete(listener)
      for (const each of undo) each()
    }
  }

  /** Starts with the first mount. The end waits for a microtask: StrictMode and Fast Refresh mount again before it. */
  readonly mount = (): (() => void) => {
    this.#mounts++
    if (this.#mounts === 1) void this.#resume()
    return () => {
      this.#mounts--
      queueMicrotask(() => void this.#closeUnused())
    }
  }

  /** Keeps a client that the provider closes open until the player has left a lobby. Errors are ignored: no component is left to show them. */
  readonly addDeparture = (departure: Promise<unknown>): void => {
    this.#departures.add(departure.catch(() => undefined))
  }

  /** Runs a call, and stores its error. Resolves with null if it fails. */
  async attempt<Result>(call: () => Promise<Result>): Promise<Result | null> {
    this.#update({ error: null })
    try {
      return await call()
    } catch (error) {
      this.#update({ error: requireFoyerError(error) })
      return null
    }
  }

  async #resume(): Promise<void> {
    try {
      await this.client.resume()
      this.#update({ isResuming: false })
    } catch (error) {
      this.#update({ isResuming: false, error: requireFoyerError(error) })
    }
  }

  async #closeUnused(): Promise<void> {
    if (this.#mounts > 0 || !this.#isOwned) return
    this.#isClosed = true
    // React unmounts a parent before its children: their lobbies end one microtask later.
    await Promise.resolve()
    await Promise.all(this.#departures)
    this.client.close()
  }

  #update(change: Partial<SessionSnapshot>): void {
    this.#snapshot = { ...this.getSnapshot(), ...change }
    for (const listener of this.#listeners) listener()
  }
}
