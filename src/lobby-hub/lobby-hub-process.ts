/** Live lobbies of one process: streams to its players, news from all processes, and reads at the service. */
import { afterUnref } from '../foundation/after-unref'
import type { Clock } from '../foundation/clock'
import type { Log } from '../foundation/log-entry'
import type { Lobby } from '../wire/lobby'
import type { Player } from '../players/verified-player'
import { StateComparison } from './resync-lobbies-with-broker'
import { encodeLines } from './bounded-player-stream'
import { ConnectedPlayers } from './connected-players'
import { repeatHeartbeats } from './heartbeat-rounds'
import type { LobbyNote, LobbyState } from './lobby-notes'
import { LobbyReads } from './lobby-reads'
import { COLLECT, LobbyViews } from './send-lobby-updates'
import { Presence } from './mark-away-and-remove-players'
import { nullIfEnded } from './null-if-lobby-ended'
import { RequestBudget } from './player-request-budget'
import type { SharedLobbies } from './lobbies-in-broker'

export interface LobbyHubParts {
  readonly clock: Clock
  readonly log: Log
  readonly shared: SharedLobbies
  /** Reads a lobby at the service. */
  readonly readLobby: (lobbyId: string) => Promise<Lobby>
  /** Removes a player who is away from a lobby. */
  readonly removeMember: (lobbyId: string, playerId: string) => Promise<void>
  /** ms after a player's last stream has ended until the player is shown as away. */
  readonly awayAfter: number
  /** Further ms until the player is removed from their lobbies; undefined: never. */
  readonly removeAfter: number | undefined
}

export class LobbyHubProcess {
  readonly #parts: LobbyHubParts
  readonly #players: ConnectedPlayers
  readonly #views: LobbyViews
  readonly #reads: LobbyReads
  readonly #presence: Presence
  readonly #comparison: StateComparison
  readonly #budget: RequestBudget
  readonly #unsubscribe: () => void
  readonly #endHeartbeats: () => void
  /** Lobbies whose last read could not be published. */
  readonly #unpublished = new Set<string>()
  /** Number of callers that wait for a read, by lobby: it is repeated until it succeeds. */
  readonly #required = new Map<string, number>()

  constructor(parts: LobbyHubParts) {
    this.#parts = parts
    const { clock, shared } = parts
    this.#players = new ConnectedPlayers({ onLeft: (id) => this.#presence.left(id) })
    this.#views = new LobbyViews(
      (ids, name, ...data) => this.#players.send(ids, name, ...data),
      (id) => this.#players.has(id),
      (sendAll) => void afterUnref(clock, COLLECT, sendAll),
    )
    const isNeeded = (id: string) => this.#required.has(id) || this.#views.hasLocal(id)
    this.#reads = new LobbyReads({ clock, read: (id) => this.#read(id), isNeeded })
    this.#presence = new Presence({ ...parts, views: this.#views, players: this.#players, changed: (id) => this.#reads.request(id) })
    this.#comparison = new StateComparison({
      clock,
      shared,
      watched: () => this.#views.watched(),
      apply: (state) => this.#apply(state),
      onFailure: (error) => this.#warn('compare', error),
    })
    this.#budget = new RequestBudget(clock)
    this.#unsubscribe = shared.subscribe({
      onNote: (note) => this.#receive(note),
      onGap: () => this.#onGap(),
      onInvalid: () => parts.log('warn', 'lobby_hub.note_ignored'),
      versionOf: (id) => this.#views.versionOf(id),
    })
    this.#endHeartbeats = repeatHeartbeats(clock, {
      beat: (now) => this.#ignoreFailure('presence', shared.renewStreams(this.#players.heartbeat(now))),
      sweep: (now) => this.#sweep(now),
    })
  }

  /** Number of open streams. */
  get streams(): number {
    return this.#players.count
  }

  /** Returns false if the player causes too much work. */
  permit(player: Player, count = 1): boolean {
    return this.#budget.take(player.id, count)
  }

  /** Opens a stream that begins with the player's lobbies. `claimed`: lobbies that the player's client has cached. Undefined: too many. */
  connect(player: Player, claimed: readonly string[]): Response | undefined {
    const stream = this.#players.open(player)
    if (!stream) return undefined
    // Sent at once, so that the client receives the response before any lobby is read.
    stream.send(encodeLines('retry: 1000\n\n'))
    this.#presence.arrived(player.id)
    this.#ignoreFailure('player', this.#parts.shared.connectPlayers([player]))
    const send = (name: string, data: unknown) => stream.send(this.#players.encode(name, data))
    this.#ignoreFailure('snapshot', this.#sendSnapshot(player.id, claimed, send))
    return stream.respond()
  }

  /** Reads a lobby that may have changed, and sends its state to the members. Resolves after the read. */
  async changed(lobbyId: string): Promise<void> {
    this.#required.set(lobbyId, (this.#required.get(lobbyId) ?? 0) + 1)
    await this.#reads.request(lobbyId)
    const others = (this.#required.get(lobbyId) ?? 1) - 1
    if (others > 0) this.#required.set(lobbyId, others)
    else this.#required.delete(lobbyId)
  }

  /** Processes a player's report of a change. Nothing of it is sent on: the service is read instead. */
  async announce(player: Player, { lobbyId, messageId }: { lobbyId: string; messageId?: string | undefined }): Promise<void> {
    if (messageId === undefined) return this.#confirm(player.id, lobbyId)
    if (!(await this.#isMember(player.id, lobbyId))) await this.changed(lobbyId)
    if (await this.#isMember(player.id, lobbyId)) await this.#parts.shared.publish({ kind: 'pending', lobbyId, messageId })
  }

  /** Sends a message of the service to the members of its lobby, in all processes. */
  async deliverMessage(lobbyId: string, message: unknown): Promise<void> {
    await this.#parts.shared.publish({ kind: 'message', lobbyId, message })
  }

  close(): void {
    this.#endHeartbeats()
    this.#comparison.close()
    this.#unsubscribe()
    this.#reads.close()
    this.#presence.close()
    this.#players.close()
  }

  async #sendSnapshot(id: string, claimed: readonly string[], send: (name: string, data: unknown) => void): Promise<void> {
    const { shared } = this.#parts
    const indexed = await shared.lobbiesOf(id).catch((): string[] => [])
    const ids = [...new Set([...indexed, ...this.#views.lobbiesOf(id), ...claimed])]
    await this.#loadStates(ids)
    this.#views.snapshot(id, ids, send)
    for (const lobbyId of ids) if (!this.#views.isMember(lobbyId, id)) this.#ignoreFailure('read', this.#confirmClaim(id, lobbyId))
  }

  /** Waits for a read in progress first, which also sends its state to a member who has just connected: all members may connect at once. */
  async #confirmClaim(playerId: string, lobbyId: string): Promise<void> {
    const running = this.#reads.running(lobbyId)
    if (running) await running
    if (!this.#views.isMember(lobbyId, playerId)) await this.#confirm(playerId, lobbyId)
  }

  /** Loads the stored states, and the facts of their members before they are sent. */
  async #loadStates(lobbyIds: readonly string[]): Promise<void> {
    const { shared } = this.#parts
    const states = await shared.states(lobbyIds).catch((): undefined[] => [])
    const members = states.flatMap((state) => state?.lobby?.members.map(({ id }): string => id) ?? [])
    const unknown = [...new Set(members)].filter((id) => !this.#views.facts(id))
    await this.#presence.read(unknown).catch(() => undefined)
    for (const state of states) if (state) this.#views.apply(state)
  }

  /** Reads a lobby that a player claims to be in or to have left, and reports to the player's streams if they are not in it. */
  async #confirm(playerId: string, lobbyId: string): Promise<void> {
    await this.changed(lobbyId)
    const version = this.#views.versionOf(lobbyId)
    // Zero: the lobby could not be read, or belongs to another application.
    const note = { kind: 'confirmed', playerId, lobbyId, version } as const
    await this.#parts.shared.publish(note).catch(() => this.#sendResult(note))
    if (!this.#views.isMember(lobbyId, playerId)) await this.#parts.shared.removeFromLobby(playerId, lobbyId)
  }

  /** Sends a player the current state of a lobby, or its end if the player is not in it. */
  async #sendResult({ playerId, lobbyId, version }: Extract<LobbyNote, { kind: 'confirmed' }>): Promise<void> {
    if (!this.#players.has(playerId)) return
    if (this.#views.versionOf(lobbyId) < version) await this.#loadStates([lobbyId])
    const send = (name: string, data: unknown) => this.#players.send([playerId], name, data)
    if (this.#views.isMember(lobbyId, playerId)) this.#views.snapshot(playerId, [lobbyId], send)
    else send('lobby.deleted', { id: lobbyId })
  }

  async #isMember(playerId: string, lobbyId: string): Promise<boolean> {
    if (this.#views.isMember(lobbyId, playerId)) return true
    const [state] = await this.#parts.shared.states([lobbyId]).catch((): undefined[] => [])
    return !!state?.lobby?.members.some(({ id }) => id === playerId)
  }

  async #read(lobbyId: string): Promise<void> {
    const { shared, readLobby } = this.#parts
    const version = await shared.startRead(this.#views.versionOf(lobbyId))
    const lobby = await readLobby(lobbyId).catch(nullIfEnded)
    if (lobby === undefined) return
    const before = this.#views.state(lobbyId)?.lobby
    const state = { id: lobbyId, version, lobby }
    this.#apply(state)
    try {
      await shared.publishState(state, before)
      this.#unpublished.delete(lobbyId)
    } catch (error) {
      this.#unpublished.add(lobbyId)
      this.#warn('publish', error)
    }
  }

  #apply(state: LobbyState): void {
    const unknown = this.#views.apply(state)
    if (unknown.length > 0) this.#ignoreFailure('facts', this.#presence.read(unknown))
  }

  #receive(note: LobbyNote): void {
    if (note.kind === 'lobby') this.#apply({ id: note.id, version: note.version, lobby: note.lobby })
    else if (note.kind === 'compare') this.#comparison.runLater()
    else if (note.kind === 'message') this.#views.sendToMembers(note.lobbyId, 'lobby.message', note.message)
    else if (note.kind === 'pending') {
      const { lobbyId, messageId } = note
      this.#views.sendToMembers(lobbyId, 'lobby.message_pending', { lobby_id: lobbyId, message_id: messageId })
    } else if (note.kind === 'confirmed') this.#ignoreFailure('confirm', this.#sendResult(note))
    else this.#presence.receive(note.players)
  }

  /** After lost notes. A failover may have lost the last states too: the processes that have them store them again. */
  #onGap(): void {
    this.#ignoreFailure('heal', this.#heal())
    this.#ignoreFailure('compare', this.#parts.shared.publish({ kind: 'compare' }))
  }

  async #heal(): Promise<void> {
    await this.#presence.connectAgain()
    await this.#comparison.run()
    this.#publishAgain()
  }

  #publishAgain(): void {
    for (const lobbyId of this.#unpublished) void this.changed(lobbyId)
  }

  #sweep(now: number): void {
    this.#ignoreFailure('presence', this.#presence.renew())
    this.#publishAgain()
    this.#views.sweep(now)
    this.#reads.sweep()
    this.#budget.sweep()
  }

  #ignoreFailure(step: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#warn(step, error))
  }

  #warn(step: string, error: unknown): void {
    this.#parts.log('warn', `lobby_hub.${step}_failed`, { message: error instanceof Error ? error.message : '' })
  }
}
