/** Reads messages from a mark that is set when the player joins. The service's response is the only source of their content. */
import type { LobbyMessage } from './lobby-state'
import { compareIds } from './read-lobby'
import type { LobbyCache } from './lobby-cache'

/** Messages per read. If all are new, a read with the larger limit follows. */
const LIMIT = 50
const SECOND_LIMIT = 200

export interface PullContext {
  readonly cache: Pick<LobbyCache, 'addMessages' | 'generation' | 'get'>
  /** Reads the newest messages, newest first. */
  readonly fetch: (lobbyId: string, limit: number) => Promise<readonly LobbyMessage[]>
}

interface Pull {
  /** Id of the newest message that was read; `0` in a lobby without one. `unknown` until the first read. */
  mark: string
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

  /** The player has joined: messages that are there by now are older, and all later ones are emitted. */
  begin(lobbyId: string): void {
    if (!this.#pulls.has(lobbyId)) this.#start(lobbyId)
  }

  /**
   * Emits the message with this id and all after the mark. Without an id, messages may have been missed: a lobby that the player has not
   * joined yet has none.
   */
  pull(lobbyId: string, messageId?: string): void {
    if (messageId === undefined && !this.#context.cache.get(lobbyId)) return
    this.#start(lobbyId, messageId)
  }

  /** The player has left. */
  end(lobbyId: string): void {
    this.#pulls.delete(lobbyId)
  }

  clear(): void {
    this.#pulls.clear()
  }

  #start(lobbyId: string, messageId?: string): void {
    const pull: Pull = this.#pulls.get(lobbyId) ?? {
      mark: 'unknown',
      pending: new Set(),
      isRunning: false,
      isQueued: false,
    }
    this.#pulls.set(lobbyId, pull)
    if (messageId !== undefined) pull.pending.add(messageId)
    if (pull.isRunning) pull.isQueued = true
    else void this.#run(lobbyId, pull)
  }

  async #run(lobbyId: string, pull: Pull): Promise<void> {
    pull.isRunning = true
    const { cache } = this.#context
    const { generation } = cache
    // Announcements that arrive together cause one read.
    await Promise.resolve()
    const pending = new Set(pull.pending)
    pull.pending.clear()
    try {
      const messages = await this.#read(lobbyId, pull.mark)
      if (generation !== cache.generation || this.#pulls.get(lobbyId) !== pull) return
      const first = pull.mark === 'unknown' ? [...pending].sort(compareIds)[0] : undefined
      cache.addMessages(messages.filter(({ id }) => pending.has(id) || isAfter(id, first ?? pull.mark)))
      const [newest] = messages
      if (newest ? pull.mark === 'unknown' || isAfter(newest.id, pull.mark) : pull.mark === 'unknown')
        pull.mark = newest?.id ?? '0'
    } catch {
      // Found by the next read, or by a reconnect.
      for (const id of pending) pull.pending.add(id)
    } finally {
      pull.isRunning = false
      if (pull.isQueued) {
        pull.isQueued = false
        void this.#run(lobbyId, pull)
      }
    }
  }

  async #read(lobbyId: string, mark: string): Promise<readonly LobbyMessage[]> {
    const { fetch } = this.#context
    const few = await fetch(lobbyId, LIMIT)
    return few.length === LIMIT && few.every(({ id }) => isAfter(id, mark))
      ? fetch(lobbyId, SECOND_LIMIT)
      : few
  }
}

const isAfter = (id: string, mark: string): boolean => mark !== 'unknown' && compareIds(id, mark) > 0
