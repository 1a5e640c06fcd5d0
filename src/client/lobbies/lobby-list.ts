/** A list of the lobbies of this moment, which the clients of pages and of windows share. */
import { bindMethods } from '../../shared/foundation/options'
import type { LobbyState } from './lobby-state'

/** Reads the lobbies of this moment. */
export interface LobbySource<L> {
  get(id: string): L | undefined
  all(): L[]
}

/** Lobbies by id, in the order in which they were joined. */
export class LobbyList<L extends { toJSON(): LobbyState }> implements Iterable<L> {
  readonly #source: () => LobbySource<L> | undefined

  /** @internal */
  constructor(source: () => LobbySource<L> | undefined) {
    this.#source = source
    bindMethods(this)
  }

  /** Number of lobbies. */
  get size(): number {
    return this.#source()?.all().length ?? 0
  }

  /** Returns the lobby with this id, or undefined if this client is not in it. */
  get(lobbyId: string): L | undefined {
    return this.#source()?.get(lobbyId)
  }

  /** Iterates over the lobbies, in the order in which they were joined. */
  [Symbol.iterator](): Iterator<L> {
    return (this.#source()?.all() ?? [])[Symbol.iterator]()
  }

  /** The states of all lobbies as plain data. */
  toJSON(): LobbyState[] {
    return Array.from(this, (lobby) => lobby.toJSON())
  }
}
