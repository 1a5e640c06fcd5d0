/** Reads the names of players whose tokens hold none at the service: once a day for each player, and only a few in a second. */
import { afterUnref, type Clock } from '../../shared/foundation/clock'
import { ApiError } from '../../shared/foundation/errors'
import type { Player } from '../players/player'
import type { ConnectedPlayers } from './connected-players'
import type { SharedLobbies } from './shared-lobbies'

/** Reads that may follow each other immediately, and ms for each further one. */
const BURST = 10
const INTERVAL = 200
/** ms before a failed read is repeated. */
const RETRY = 30_000

/** Names of a player. */
export type Names = Pick<Player, 'username' | 'globalName'>

/** Reads names at the service. */
export type ReadNames = (playerId: string) => Promise<Names>

export interface PlayerNamesParts {
  readonly clock: Clock
  readonly shared: SharedLobbies
  readonly players: ConnectedPlayers
  /** Undefined: names are only those of tokens. */
  readonly read: ReadNames | undefined
}

export class PlayerNames {
  readonly #parts: PlayerNamesParts
  /** Players whose names have to be read. */
  readonly #queue = new Set<string>()
  readonly #closing = new AbortController()
  #cancel: (() => void) | undefined
  /** Epoch ms at which the budget is full again. */
  #fullAt = 0

  constructor(parts: PlayerNamesParts) {
    this.#parts = parts
  }

  /** Publishes that a player has connected. If the token holds no names, an earlier stream or another process may have stored them. */
  async announce(player: Player): Promise<void> {
    const { shared, players, read } = this.#parts
    if (player.username !== undefined || !read) return shared.connectPlayers([player])
    const names = await shared.names(player.id).catch((): Names => ({}))
    if (names.username === undefined) this.#request(player.id)
    await shared.connectPlayers(players.name(player.id, names))
  }

  close(): void {
    this.#closing.abort()
    this.#cancel?.()
    this.#queue.clear()
  }

  #request(playerId: string): void {
    this.#queue.add(playerId)
    this.#run()
  }

  /** Starts the reads that fit now, and comes back for the others. */
  #run(): void {
    const { clock, players } = this.#parts
    this.#cancel?.()
    this.#cancel = undefined
    if (this.#closing.signal.aborted) return
    for (const playerId of this.#queue) {
      const now = clock.now()
      const fullAt = Math.max(now, this.#fullAt) + INTERVAL
      const wait = fullAt - now - BURST * INTERVAL
      if (wait > 0) return void (this.#cancel = afterUnref(clock, wait, () => this.#run()))
      this.#queue.delete(playerId)
      if (!players.has(playerId)) continue
      this.#fullAt = fullAt
      this.#read(playerId).catch((error: unknown) => this.#repeat(playerId, error))
    }
  }

  /** Stores names and sends them to the other players. */
  async #read(playerId: string): Promise<void> {
    const { shared, players, read } = this.#parts
    const names = await read?.(playerId)
    if (names) await shared.connectPlayers(players.name(playerId, names))
  }

  #repeat(playerId: string, error: unknown): void {
    if (this.#closing.signal.aborted || (error instanceof ApiError && !error.retryable)) return
    afterUnref(this.#parts.clock, RETRY, () => this.#request(playerId))
  }
}
