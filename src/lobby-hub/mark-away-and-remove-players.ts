/** Presence of players: away after their last stream has ended, in any process, and by option removed from their lobbies later. */
import { afterUnref } from '../foundation/after-unref'
import type { Clock } from '../foundation/clock'
import type { ConnectedPlayers } from './connected-players'
import type { PlayerFacts } from './lobby-notes'
import type { LobbyViews } from './send-lobby-updates'
import type { SharedLobbies } from './lobbies-in-broker'

/** Players in one request to the broker. */
const CHUNK = 500

export interface PresenceParts {
  readonly clock: Clock
  readonly shared: SharedLobbies
  readonly views: LobbyViews
  readonly players: ConnectedPlayers
  readonly awayAfter: number
  readonly removeAfter: number | undefined
  readonly removeMember: (lobbyId: string, playerId: string) => Promise<void>
  /** Reads a lobby again. */
  readonly changed: (lobbyId: string) => Promise<void>
}

export class Presence {
  readonly #parts: PresenceParts
  /** Cancel functions of the timers of players whose last stream here has ended. */
  readonly #timers = new Map<string, () => void>()
  /** For each read of facts in progress: presence that notes have reported since it began. */
  readonly #reported = new Set<Map<string, boolean>>()
  #isClosed = false

  constructor(parts: PresenceParts) {
    this.#parts = parts
  }

  arrived(playerId: string): void {
    this.#timers.get(playerId)?.()
    this.#timers.delete(playerId)
  }

  /** The player's last stream in this process has ended. */
  left(playerId: string): void {
    const { shared, views, awayAfter } = this.#parts
    if (this.#isClosed) return void shared.endStream(playerId).catch(() => undefined)
    const lobbies = views.lobbiesOf(playerId)
    views.disconnect(playerId)
    shared.endStream(playerId).catch(() => undefined)
    this.#later(playerId, awayAfter, () => this.#showAway(playerId, lobbies))
  }

  /** Applies a note of any process. A player who is connected here is online, whatever another process reports. */
  receive(reported: readonly PlayerFacts[]): void {
    for (const facts of reported) this.#receive(facts)
  }

  /** Reads names and presence of players. Notes that arrive during the read are newer than its result. */
  async read(playerIds: readonly string[]): Promise<void> {
    const { shared, views, players } = this.#parts
    const reported = new Map<string, boolean>()
    this.#reported.add(reported)
    try {
      const facts = await shared.facts(playerIds)
      views.learn(facts.map((each) => ({ ...each, online: players.has(each.id) || (reported.get(each.id) ?? each.online) })))
    } finally {
      this.#reported.delete(reported)
    }
  }

  /** Reads the presence of all players of other processes: their process may have died, or a note was lost. */
  async readOthers(): Promise<void> {
    const { views } = this.#parts
    const elsewhere = views.elsewhere().filter((id) => !this.#timers.has(id))
    for (let at = 0; at < elsewhere.length; at += CHUNK) await this.read(elsewhere.slice(at, at + CHUNK))
  }

  close(): void {
    this.#isClosed = true
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
  }

  #receive({ id, username, globalName, online }: PlayerFacts): void {
    const { views, players } = this.#parts
    if (!online && players.has(id)) return this.#correct(id)
    for (const reported of this.#reported) reported.set(id, online)
    if (!views.facts(id) && views.lobbiesOf(id).length === 0) return
    const names = username === undefined ? views.facts(id) : { username, ...(globalName !== undefined && { globalName }) }
    views.learn([{ ...names, id, online }])
  }

  /** Publishes that a player of this process is online: the player connected here while another process decided that the player is away. */
  #correct(id: string): void {
    const { shared, views } = this.#parts
    shared.publish({ kind: 'players', players: [{ ...views.facts(id), id, online: true }] }).catch(() => undefined)
  }

  async #showAway(playerId: string, lobbies: readonly string[]): Promise<void> {
    const { shared, changed, removeAfter } = this.#parts
    if (!(await this.#isAway(playerId))) return
    await shared.publish({ kind: 'players', players: [{ id: playerId, online: false }] })
    // A tab that closes leaves its lobby without a report.
    for (const lobbyId of lobbies) void changed(lobbyId)
    if (removeAfter !== undefined) this.#later(playerId, removeAfter, () => this.#remove(playerId, lobbies))
  }

  async #remove(playerId: string, lobbies: readonly string[]): Promise<void> {
    const { removeMember, changed } = this.#parts
    if (!(await this.#isAway(playerId))) return
    for (const lobbyId of lobbies) {
      await removeMember(lobbyId, playerId)
      void changed(lobbyId)
    }
  }

  async #isAway(playerId: string): Promise<boolean> {
    const { shared, players } = this.#parts
    const [facts] = await shared.facts([playerId])
    return !players.has(playerId) && facts?.online === false
  }

  #later(playerId: string, delay: number, act: () => Promise<void>): void {
    const cancel = afterUnref(this.#parts.clock, delay, () => {
      this.#timers.delete(playerId)
      // The broker or the service failed: the next heartbeat, or the next stream, corrects the presence.
      act().catch(() => undefined)
    })
    this.#timers.set(playerId, cancel)
  }
}
