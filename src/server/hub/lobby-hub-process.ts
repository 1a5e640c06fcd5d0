/** Live lobbies of one process: streams to its players, news from all processes, and reads at the service. */
import { ApiError } from '../../shared/foundation/errors'
import { afterUnref, type Clock } from '../../shared/foundation/clock'
import type { Log } from '../../shared/foundation/log-entry'
import type { Lobby } from '../../shared/wire/lobby'
import type { Player } from '../players/player'
import { StateComparison } from './state-comparison'
import { encodeLines } from './player-stream'
import { FreshLobbies } from './fresh-lobbies'
import { ConnectedPlayers } from './connected-players'
import { repeatHeartbeats } from './heartbeat-rounds'
import type { LobbyNote, VersionedLobby } from './lobby-note'
import { LobbyReads, type ReadPriority } from './lobby-reads'
import { MessageAnnouncements } from './message-announcements'
import { PlayerNames, type ReadNames } from './player-names'
import { PlayerReports } from './player-reports'
import { COLLECT, LobbyViews } from './lobby-views'
import { Presence } from './presence'
import { RequestBudget } from '../budget/request-budget'
import type { SharedLobbies } from './shared-lobbies'

export interface LobbyHubParts {
  readonly clock: Clock
  readonly log: Log
  readonly shared: SharedLobbies
  /** Reads a lobby at the service. */
  readonly readLobby: (lobbyId: string, priority: ReadPriority) => Promise<Lobby>
  /** Reads the names of a player at the service. Undefined: players without names in their tokens have none. */
  readonly readNames: ReadNames | undefined
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
  readonly #reports: PlayerReports
  readonly #announcements: MessageAnnouncements
  readonly #budget: RequestBudget
  readonly #names: PlayerNames
  readonly #fresh: FreshLobbies
  readonly #unsubscribe: () => void
  readonly #endHeartbeats: () => void
  /** Lobbies whose last read could not be published. */
  readonly #unpublished = new Set<string>()

  constructor(parts: LobbyHubParts) {
    this.#parts = parts
    const { clock, shared } = parts
    this.#players = new ConnectedPlayers({ onLeft: (id) => this.#presence.left(id) })
    this.#views = new LobbyViews(
      (ids, name, ...data) => this.#players.send(ids, name, ...data),
      (id) => this.#players.has(id),
      (sendAll) => void afterUnref(clock, COLLECT, sendAll),
    )
    this.#reads = new LobbyReads({
      clock,
      read: (id, priority) => this.#read(id, priority),
      isNeeded: (id) => this.#views.hasLocal(id),
    })
    this.#presence = new Presence({
      ...parts,
      views: this.#views,
      players: this.#players,
      changed: (id) => this.#reads.request(id),
    })
    this.#comparison = new StateComparison({
      clock,
      shared,
      watched: () => this.#views.watched(),
      players: () => this.#players.all().map(({ id }) => id),
      apply: (state) => this.#apply(state),
      repeatRefused: () => this.#reports.repeatRefused(),
      onFailure: (error) => this.#warn('compare', error),
    })
    this.#budget = new RequestBudget(clock)
    this.#fresh = new FreshLobbies(clock)
    this.#reports = new PlayerReports({
      clock,
      shared,
      views: this.#views,
      reads: this.#reads,
      sendResult: (note) => this.#sendResult(note),
    })
    this.#announcements = new MessageAnnouncements(clock, this.#views)
    this.#names = new PlayerNames({ clock, shared, players: this.#players, read: parts.readNames })
    this.#unsubscribe = shared.subscribe({
      onNote: (note) => this.#receive(note),
      onGap: () => this.#onGap(),
      onInvalid: () => parts.log('warn', 'lobby_hub.note_ignored'),
      onFailed: (error) => this.#warn('subscription', error),
      versionOf: (id) => this.#views.versionOf(id),
    })
    const beat = (now: number) =>
      this.#ignoreFailure('presence', shared.renewStreams(this.#players.heartbeat(now)))
    this.#endHeartbeats = repeatHeartbeats(clock, { beat, sweep: (now) => this.#sweep(now) })
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
    this.#ignoreFailure('player', this.#names.announce(player))
    const send = (name: string, data: unknown) => stream.send(this.#players.encode(name, data))
    this.#ignoreFailure('snapshot', this.#sendSnapshot(player.id, claimed, send))
    return stream.respond()
  }

  /** Reads a lobby that may have changed, and sends its state to the members. Resolves after the read. */
  async changed(lobbyId: string): Promise<void> {
    await this.#reads.requestUntilRead(lobbyId, 'high')
  }

  /** Processes a player's report of a change. Nothing of it is sent on: the service is read instead. */
  async announce(
    player: Player,
    { lobbyId, messageId }: { lobbyId: string; messageId?: string | undefined },
  ): Promise<void> {
    if (messageId === undefined) await this.#reports.confirm(player.id, lobbyId)
    else await this.#reports.announce(player.id, lobbyId, messageId)
  }

  /** Sends a message of the service to the members of its lobby, in all processes: a member may have left without a report. */
  async deliverMessage(lobbyId: string, message: unknown): Promise<void> {
    if (!this.#fresh.has(lobbyId)) await this.changed(lobbyId)
    // Else nobody has read who may receive it: the hub was closed, or the lobby is another application's.
    if (this.#fresh.has(lobbyId)) await this.#parts.shared.publish({ kind: 'message', lobbyId, message })
  }

  close(): void {
    this.#endHeartbeats()
    this.#comparison.close()
    this.#unsubscribe()
    this.#reads.close()
    this.#announcements.close()
    this.#reports.close()
    this.#names.close()
    this.#presence.close()
    this.#players.close()
  }

  async #sendSnapshot(
    id: string,
    claimed: readonly string[],
    send: (name: string, data: unknown) => void,
  ): Promise<void> {
    const { shared } = this.#parts
    const indexed = await shared.lobbiesOf([id]).catch((): string[] => [])
    const ids = [...new Set([...indexed, ...this.#views.lobbiesOf(id), ...claimed])]
    await this.#loadStates(ids)
    this.#views.snapshot(id, ids, send)
    for (const lobbyId of ids)
      if (!this.#views.isMember(lobbyId, id))
        this.#ignoreFailure('read', this.#reports.confirmClaim(id, lobbyId))
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

  /** Sends a player the current state of a lobby, or its end if the player is not in it. */
  async #sendResult({
    playerId,
    lobbyId,
    version,
  }: Extract<LobbyNote, { kind: 'confirmed' }>): Promise<void> {
    if (!this.#players.has(playerId)) return
    if (this.#views.versionOf(lobbyId) < version) await this.#loadStates([lobbyId])
    const send = (name: string, data: unknown) => this.#players.send([playerId], name, data)
    if (this.#views.isMember(lobbyId, playerId)) this.#views.snapshot(playerId, [lobbyId], send)
    else send('lobby.deleted', { id: lobbyId })
  }

  async #read(lobbyId: string, priority: ReadPriority): Promise<void> {
    const { shared, readLobby } = this.#parts
    const version = await shared.startRead(this.#views.versionOf(lobbyId))
    const lobby = await readLobby(lobbyId, priority).catch(nullIfEnded)
    if (lobby === undefined) return
    this.#fresh.add(lobbyId)
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

  #apply(state: VersionedLobby): void {
    const unknown = this.#views.apply(state)
    if (unknown.length > 0) this.#ignoreFailure('facts', this.#presence.read(unknown))
  }

  #receive(note: LobbyNote): void {
    if (note.kind === 'lobby' && !note.isRepeated) this.#fresh.add(note.id)
    if (note.kind === 'lobby') this.#apply({ id: note.id, version: note.version, lobby: note.lobby })
    else if (note.kind === 'compare') this.#comparison.runLater()
    else if (note.kind === 'message') this.#views.sendToMembers(note.lobbyId, 'lobby.message', note.message)
    else if (note.kind === 'pending')
      this.#announcements.announce(note.lobbyId, [note.messageId, ...(note.more ?? [])])
    else if (note.kind === 'confirmed') this.#ignoreFailure('confirm', this.#sendResult(note))
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
    this.#reports.sweep()
    this.#announcements.sweep()
    this.#budget.sweep()
    this.#fresh.sweep()
  }

  #ignoreFailure(step: string, work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#warn(step, error))
  }

  #warn(step: string, error: unknown): void {
    this.#parts.log('warn', `lobby_hub.${step}_failed`, {
      message: error instanceof Error ? error.message : '',
    })
  }
}

/** Returns null for a lobby that has ended, and undefined for one that this application may not read. */
function nullIfEnded(error: unknown): null | undefined {
  if (!(error instanceof ApiError)) throw error
  if (error.code === 'unknown_lobby' || error.status === 404) return null
  if (error.code === 'missing_access') return undefined
  throw error
}
