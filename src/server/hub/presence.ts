/** Presence of players: away after their last stream has ended, in any process, and by option removed from their lobbies later. */
import { afterUnref, type Clock } from '../../shared/foundation/clock'
import type { ConnectedPlayers } from './connected-players'
import type { PlayerFacts } from './lobby-note'
import type { LobbyViews } from './lobby-views'
import type { SharedLobbies } from './shared-lobbies'
import { PlayerTakeover } from './player-takeover'

/** Players in one request to the broker. */
const CHUNK = 500
/** ms in which the players of a process that has ended come back to others, even if all of them have to. */
const RETURN = 60_000

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
  /** Lists the players whom this process removes; undefined: none are removed. */
  readonly #takeover: PlayerTakeover | undefined
  /** Cancel functions of the timers of players whose last stream here has ended. */
  readonly #timers = new Map<string, () => void>()
  /** Presence that notes have reported since the oldest read of facts in progress began, with the number of the note. */
  readonly #reported = new Map<string, { readonly online: boolean; readonly number: number }>()
  /** Cancel functions of the timers of players who were taken over. */
  readonly #returns = new Set<() => void>()
  #notes = 0
  #readsInProgress = 0
  #isClosed = false

  constructor(parts: PresenceParts) {
    this.#parts = parts
    const { shared, removeAfter } = parts
    if (removeAfter === undefined) return
    this.#takeover = new PlayerTakeover({ ...shared.processes, onTakenOver: (ids) => this.#takeOver(ids) })
    this.#takeover.renew().catch(() => undefined)
  }

  /** The player has a stream in this process, and so is online here, whether or not the note about it arrives. */
  arrived(playerId: string): void {
    const { views } = this.#parts
    const facts = views.facts(playerId)
    if (facts && !facts.online) views.learn([{ ...facts, online: true }])
    this.#timers.get(playerId)?.()
    this.#timers.delete(playerId)
    this.#takeover?.add([playerId]).catch(() => undefined)
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
    if (playerIds.length === 0) return
    const { shared, views, players } = this.#parts
    const first = this.#notes
    this.#readsInProgress += 1
    try {
      const facts = await shared.facts(playerIds)
      views.learn(
        facts.map((each) => ({
          ...each,
          online: players.has(each.id) || (this.#reportedSince(first, each.id) ?? each.online),
        })),
      )
    } finally {
      this.#readsInProgress -= 1
      if (this.#readsInProgress === 0) this.#reported.clear()
    }
  }

  /** Called every 15 s: another process may have died, or a note was lost. */
  async renew(): Promise<void> {
    await Promise.all([this.#takeover?.renew(), this.#readOthers()])
  }

  /** Stores and publishes again who is connected to this process. */
  async connectAgain(): Promise<void> {
    const { shared, players } = this.#parts
    const all = players.all()
    await shared.connectPlayers(all)
    await this.#takeover?.add(all.map(({ id }) => id))
  }

  close(): void {
    this.#isClosed = true
    for (const cancel of this.#timers.values()) cancel()
    this.#timers.clear()
    for (const cancel of this.#returns) cancel()
    this.#returns.clear()
    this.#takeover?.end().catch(() => undefined)
  }

  /** Reads the presence of all players of other processes. */
  async #readOthers(): Promise<void> {
    const { views } = this.#parts
    const elsewhere = views.elsewhere().filter((id) => !this.#timers.has(id))
    for (let at = 0; at < elsewhere.length; at += CHUNK) await this.read(elsewhere.slice(at, at + CHUNK))
  }

  #receive({ id, username, globalName, online }: PlayerFacts): void {
    const { views, players } = this.#parts
    if (!online && players.has(id)) return this.#correct(id)
    if (this.#readsInProgress > 0) this.#reported.set(id, { online, number: ++this.#notes })
    if (!views.facts(id) && views.lobbiesOf(id).length === 0) return
    const names =
      username === undefined ? views.facts(id) : { username, ...(globalName !== undefined && { globalName }) }
    views.learn([{ ...names, id, online }])
  }

  #reportedSince(first: number, id: string): boolean | undefined {
    const reported = this.#reported.get(id)
    return reported && reported.number > first ? reported.online : undefined
  }

  /** Publishes that a player of this process is online: the player connected here while another process decided that the player is away. */
  #correct(id: string): void {
    const { shared, views } = this.#parts
    shared
      .publish({ kind: 'players', players: [{ ...views.facts(id), id, online: true }] })
      .catch(() => undefined)
  }

  /** Removes players of a process that has ended, unless they come back to any process. */
  #takeOver(playerIds: readonly string[]): void {
    const cancel = afterUnref(this.#parts.clock, RETURN, () => {
      this.#returns.delete(cancel)
      this.#removeAbsent(playerIds).catch(() => undefined)
    })
    this.#returns.add(cancel)
  }

  async #showAway(playerId: string, lobbies: readonly string[]): Promise<void> {
    const { shared, changed, removeAfter } = this.#parts
    if (!(await this.#isAway(playerId))) return this.#release(playerId)
    await shared.publish({ kind: 'players', players: [{ id: playerId, online: false }] })
    // A tab that closes leaves its lobby without a report.
    for (const lobbyId of lobbies) void changed(lobbyId)
    if (removeAfter !== undefined) this.#later(playerId, removeAfter, () => this.#remove(playerId, lobbies))
  }

  async #removeAbsent(playerIds: readonly string[]): Promise<void> {
    const { shared, removeAfter = 0 } = this.#parts
    for (let at = 0; at < playerIds.length; at += CHUNK) {
      for (const { id, online } of await shared.facts(playerIds.slice(at, at + CHUNK))) {
        if (online) await this.#release(id)
        else if (!this.#timers.has(id))
          this.#later(id, removeAfter, async () => this.#remove(id, await this.#storedLobbies(id)))
      }
    }
  }

  /** Lobbies that contain a player in their last stored states. */
  async #storedLobbies(playerId: string): Promise<string[]> {
    const { shared } = this.#parts
    const states = await shared.states(await shared.lobbiesOf([playerId]))
    return states.flatMap((state) =>
      state?.lobby?.members.some(({ id }) => id === playerId) ? state.id : [],
    )
  }

  async #remove(playerId: string, lobbies: readonly string[]): Promise<void> {
    const { removeMember, changed } = this.#parts
    if (await this.#isAway(playerId))
      for (const lobbyId of lobbies) {
        await removeMember(lobbyId, playerId)
        void changed(lobbyId)
      }
    await this.#release(playerId)
  }

  /** The player is in no lobby any more, or connected to another process, which then is the one that removes the player. */
  async #release(playerId: string): Promise<void> {
    if (!this.#parts.players.has(playerId)) await this.#takeover?.remove(playerId)
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
