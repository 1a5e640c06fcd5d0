/** Reads the messages that a stream has reported as pending. The service's response is the only source of their content. */
import type { LobbyMessage } from './lobby-state'
import { compareIds } from './read-lobby'
import type { LobbyCache } from './lobby-cache'

/** Messages per read. */
const LIMIT = 50

export interface PullContext {
  readonly cache: Pick<LobbyCache, 'addMessages' | 'generation'>
  /** Reads the newest messages, newest first. */
  readonly fetch: (lobbyId: string, limit: number) => Promise<readonly LobbyMessage[]>
}

interface Pull {
  /** Newest message that was read. */
  latest?: LobbyMessage['id']
  readonly pending: Set<string>
  isRunning: boolean
  isQueued: boolean
}

/** At most one read in flight and one queued for each lobby. */
export class MessagePulls {
  readonly #context: PullContext
  readonly #pulls = new Map<string, Pull>()

  constructor(context: PullContext) {
    this.#context = context
  }

  /**
   * Emits the message with this id and all later ones; older ones only if an earlier message was read before. Without an id: only if one was
   * read before.
   */
  pull(lobbyId: string, messageId?: string): void {
    const pull: Pull = this.#pulls.get(lobbyId) ?? { pending: new Set(), isRunning: false, isQueued: false }
    if (messageId === undefined && pull.latest === undefined) return
    this.#pulls.set(lobbyId, pull)
    if (messageId !== undefined) pull.pending.add(messageId)
    if (pull.isRunning) pull.isQueued = true
    else void this.#run(lobbyId, pull)
  }

  clear(): void {
    this.#pulls.clear()
  }

  async #run(lobbyId: string, pull: Pull): Promise<void> {
    pull.isRunning = true
    const { cache, fetch } = this.#context
    const { generation } = cache
    // Announcements that arrive together cause one read.
    await Promise.resolve()
    const pending = new Set(pull.pending)
    pull.pending.clear()
    try {
      const messages = await fetch(lobbyId, LIMIT)
      if (generation !== cache.generation) return
      const found = messages.filter(({ id }) => pending.has(id) || (pull.latest !== undefined && compareIds(id, pull.latest) > 0))
      const [newest] = found
      if (newest && (!pull.latest || compareIds(newest.id, pull.latest) > 0)) pull.latest = newest.id
      cache.addMessages(found)
    } catch {
      // Found by the next read, or by a reconnect.
    } finally {
      pull.isRunning = false
      if (pull.isQueued) {
        pull.isQueued = false
        void this.#run(lobbyId, pull)
      }
    }
  }
}
