/** Announcements of each player's messages: every one makes the other members read, and whoever announces pays for that, in all processes. */
import { afterUnref, type Clock } from '../../shared/foundation/clock'
import type { LobbyBroker } from './lobby-broker'

/** Reads that one player may cause in a window. One announcement is always allowed. */
const LIMIT = 30
/** ms. */
const WINDOW = 5000
/** Messages of one player and lobby that wait: later ones are found by the same read. */
const MAX_WAITING = 50

export interface SenderAnnouncementsOptions {
  readonly clock: Clock
  readonly broker: Pick<LobbyBroker, 'increment'>
  /** Announces messages of a lobby to all processes, together. */
  readonly publish: (lobbyId: string, messageIds: readonly string[]) => Promise<void>
}

export interface Announcement {
  readonly playerId: string
  readonly lobbyId: string
  readonly messageId: string
  /** Members who read it. */
  readonly readers: number
}

/**
 * Messages within the limit are announced at once, all others together at the start of the next window. Whether a message exists, the members
 * find out: a message that nobody finds costs its sender as much as one that is there.
 */
export class SenderAnnouncements {
  readonly #options: SenderAnnouncementsOptions
  /** Messages that wait, by player and lobby. */
  readonly #waiting = new Map<string, string[]>()
  /** Reads that players caused in the current window while the broker is unavailable. */
  #local = { window: 0, spent: new Map<string, number>() }
  #isClosed = false

  constructor(options: SenderAnnouncementsOptions) {
    this.#options = options
  }

  async announce({ playerId, lobbyId, messageId, readers }: Announcement): Promise<void> {
    const key = `${playerId} ${lobbyId}`
    const waiting = this.#waiting.get(key)
    if (waiting) {
      if (waiting.length < MAX_WAITING && !waiting.includes(messageId)) waiting.push(messageId)
      return
    }
    if (await this.#pay(playerId, readers)) await this.#options.publish(lobbyId, [messageId])
    else this.#wait(key, { playerId, lobbyId, messageId, readers })
  }

  close(): void {
    this.#isClosed = true
    this.#waiting.clear()
  }

  #wait(key: string, { playerId, lobbyId, messageId, readers }: Announcement): void {
    this.#waiting.set(key, [messageId])
    const { clock } = this.#options
    const publishLater = (): void =>
      void afterUnref(
        clock,
        WINDOW - (clock.now() % WINDOW),
        () => void publishAll().catch(() => this.#waiting.delete(key)),
      )
    const publishAll = async (): Promise<void> => {
      if (this.#isClosed) return
      if (!(await this.#pay(playerId, readers))) return publishLater()
      const messageIds = this.#waiting.get(key) ?? []
      this.#waiting.delete(key)
      await this.#options.publish(lobbyId, messageIds)
    }
    publishLater()
  }

  /** Takes the reads of an announcement, if the player has them left in this window, or has caused none yet. */
  async #pay(playerId: string, readers: number): Promise<boolean> {
    const { clock, broker } = this.#options
    const window = Math.floor(clock.now() / WINDOW)
    const count = () => this.#payHere(window, playerId, readers)
    const spent = await broker.increment(`announced:${playerId}:${window}`, readers, 2 * WINDOW).catch(count)
    return spent <= Math.max(LIMIT, readers)
  }

  #payHere(window: number, playerId: string, readers: number): number {
    if (this.#local.window !== window) this.#local = { window, spent: new Map() }
    const spent = (this.#local.spent.get(playerId) ?? 0) + readers
    this.#local.spent.set(playerId, spent)
    return spent
  }
}
