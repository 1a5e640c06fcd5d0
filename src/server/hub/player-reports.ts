/** Reports of players about their own changes: each causes a read at most, and only what the service returns counts. */
import type { Clock } from '../../shared/foundation/clock'
import type { LobbyReads } from './lobby-reads'
import type { LobbyNote } from './lobby-note'
import { ReportTrust } from './report-trust'
import type { LobbyViews } from './lobby-views'
import { SenderAnnouncements } from './sender-announcements'
import type { SharedLobbies } from './shared-lobbies'

/** Reports of one player that wait for the one before. */
const MAX_QUEUED = 16

/** ms for which a result is kept, since the note about it may be lost: longer than a gap takes to be noticed. */
const KEPT = 120_000

/** Result of a report, for the player's streams in all processes. */
type ReportResult = Extract<LobbyNote, { kind: 'confirmed' }>

export interface PlayerReportParts {
  readonly clock: Clock
  readonly shared: SharedLobbies
  readonly views: LobbyViews
  readonly reads: Pick<LobbyReads, 'requestUntilRead' | 'running'>
  /** Sends the result to the player's streams in this process. */
  readonly sendResult: (note: ReportResult) => Promise<void>
}

/** The reads that one player causes. */
interface Queue {
  length: number
  last: Promise<unknown>
}

export class PlayerReports {
  readonly #parts: PlayerReportParts
  readonly #trust: ReportTrust
  readonly #announcements: SenderAnnouncements
  readonly #queues = new Map<string, Queue>()
  /** Results of players who are not in the lobby, each with its time: no stored state would tell their clients. */
  readonly #refused = new Map<string, { readonly note: ReportResult; readonly at: number }>()

  constructor(parts: PlayerReportParts) {
    this.#parts = parts
    const { clock, shared } = parts
    const { broker } = shared.processes
    this.#trust = new ReportTrust({ clock, broker })
    this.#announcements = new SenderAnnouncements({
      clock,
      broker,
      publish: (lobbyId, [messageId = '', ...more]) =>
        shared.publish({ kind: 'pending', lobbyId, messageId, ...(more.length > 0 && { more }) }),
    })
  }

  close(): void {
    this.#announcements.close()
  }

  sweep(): void {
    this.#trust.sweep()
    const oldest = this.#parts.clock.now() - KEPT
    for (const [key, { at }] of this.#refused) if (at < oldest) this.#refused.delete(key)
  }

  /** Sends the last results of players who are not in a lobby again, after notes may have been lost. */
  async repeatRefused(): Promise<void> {
    await Promise.all([...this.#refused.values()].map(({ note }) => this.#parts.shared.publish(note)))
  }

  /** Reads a lobby that a player claims to be in or to have left, and reports to the player's streams if they are not in it. */
  async confirm(playerId: string, lobbyId: string, { isClaim = false } = {}): Promise<void> {
    const { clock, shared, views, sendResult } = this.#parts
    if (!(await this.#inTurn(playerId, () => this.#read(playerId, lobbyId, { isClaim })))) return
    const version = views.versionOf(lobbyId)
    // Zero: the lobby could not be read, or belongs to another application.
    const note = { kind: 'confirmed', playerId, lobbyId, version } as const
    const isMember = views.isMember(lobbyId, playerId)
    if (!isMember) this.#refused.set(`${playerId} ${lobbyId}`, { note, at: clock.now() })
    await shared.publish(note).catch(() => sendResult(note))
    if (!isMember) await shared.removeFromLobby(playerId, lobbyId)
  }

  /** Waits for a read in progress first, which also sends its state to a member who has just connected: all members may connect at once. */
  async confirmClaim(playerId: string, lobbyId: string): Promise<void> {
    const { reads, views } = this.#parts
    const running = reads.running(lobbyId)
    if (running) await running
    if (!views.isMember(lobbyId, playerId)) await this.confirm(playerId, lobbyId, { isClaim: true })
  }

  /** Publishes that a message may have been sent, if the player is a member. Its content is read at the service by each member. */
  async announce(playerId: string, lobbyId: string, messageId: string): Promise<void> {
    if (!(await this.#isMember(playerId, lobbyId)))
      await this.#inTurn(playerId, () => this.#read(playerId, lobbyId))
    if (!(await this.#isMember(playerId, lobbyId))) return
    const members = this.#parts.views.state(lobbyId)?.lobby?.members ?? []
    await this.#announcements.announce({
      playerId,
      lobbyId,
      messageId,
      readers: Math.max(1, members.length - 1),
    })
  }

  /** Resolves with false if the player has caused too many reads that showed nothing. */
  async #read(playerId: string, lobbyId: string, { isClaim = false } = {}): Promise<boolean> {
    const { views, reads, shared } = this.#parts
    if (!(await this.#trust.permit(playerId))) return false
    const before = { isMember: views.isMember(lobbyId, playerId), text: views.textOf(lobbyId) }
    const isUnknown =
      before.text === undefined && !(await shared.states([lobbyId]).catch((): undefined[] => []))[0]?.lobby
    const running = isClaim ? reads.running(lobbyId) : undefined
    if (running) await running
    if (!running || !views.isMember(lobbyId, playerId))
      await reads.requestUntilRead(lobbyId, isUnknown ? 'low' : this.#trust.priorityOf(playerId))
    const isMember = views.isMember(lobbyId, playerId)
    const isUseful = isMember ? !before.isMember || views.textOf(lobbyId) !== before.text : before.isMember
    await this.#trust.count(playerId, { isUseful })
    return true
  }

  /** One read at a time for each player, so that the next one depends on its result. Undefined: too many wait. */
  async #inTurn<T>(playerId: string, work: () => Promise<T>): Promise<T | undefined> {
    const queue = this.#queues.get(playerId) ?? { length: 0, last: Promise.resolve() }
    if (queue.length > MAX_QUEUED) return undefined
    this.#queues.set(playerId, queue)
    queue.length += 1
    const result = queue.last.then(work)
    queue.last = result.catch(() => undefined)
    try {
      return await result
    } finally {
      queue.length -= 1
      if (queue.length === 0) this.#queues.delete(playerId)
    }
  }

  async #isMember(playerId: string, lobbyId: string): Promise<boolean> {
    const { views, shared } = this.#parts
    if (views.isMember(lobbyId, playerId)) return true
    const [state] = await shared.states([lobbyId]).catch((): undefined[] => [])
    return !!state?.lobby?.members.some(({ id }) => id === playerId)
  }
}
