/** Reads lobbies at the service: for each lobby and priority at most one read in flight and one queued, and at most one a second after a burst. */
import type { Clock } from '../../shared/foundation/clock'

/** Reads of one lobby that may follow each other immediately; one more is added each second. */
const BURST = 10
const INTERVAL = 1000
/** ms before a failed read is repeated: doubled with each failure. */
const FIRST_RETRY = 1000
const LAST_RETRY = 30_000

/**
 * High: the backend itself knows of a change. Normal: a player reports one whose reports have shown changes. Low: all others report, or the
 * lobby may have been invented. A read never waits for one of a lower priority.
 */
export type ReadPriority = 'high' | 'normal' | 'low'

const PRIORITIES: readonly ReadPriority[] = ['high', 'normal', 'low']

export interface LobbyReadOptions {
  readonly clock: Clock
  /** Reads a lobby, and stores and publishes the result. Rejects if it has to be repeated. */
  readonly read: (lobbyId: string, priority: ReadPriority) => Promise<void>
  /** False if a failed read need not be repeated, since no connected player is in the lobby. */
  readonly isNeeded: (lobbyId: string) => boolean
}

interface Queue {
  running?: Promise<void> | undefined
  next?: Promise<void> | undefined
  /** Reads that may start now. */
  budget: number
  /** Epoch ms of the last change of the budget. */
  at: number
}

const queueId = (lobbyId: string, priority: ReadPriority): string => `${priority} ${lobbyId}`

export class LobbyReads {
  readonly #options: LobbyReadOptions
  /** By priority and lobby. */
  readonly #queues = new Map<string, Queue>()
  /** Number of callers that wait for a read, by lobby: it is repeated until it succeeds. */
  readonly #required = new Map<string, number>()
  readonly #closing = new AbortController()

  constructor(options: LobbyReadOptions) {
    this.#options = options
  }

  /** Resolves after a read that started after this call, or after it was given up. */
  request(lobbyId: string, priority: ReadPriority = 'normal'): Promise<void> {
    const queue = this.#queues.get(queueId(lobbyId, priority)) ?? {
      budget: BURST,
      at: this.#options.clock.now(),
    }
    this.#queues.set(queueId(lobbyId, priority), queue)
    if (!queue.running) return (queue.running = this.#run(lobbyId, priority, queue))
    queue.next ??= queue.running.then(() => {
      queue.next = undefined
      return (queue.running = this.#run(lobbyId, priority, queue))
    })
    return queue.next
  }

  /** Like `request`, and repeats a failed read. Resolves when one has succeeded. */
  async requestUntilRead(lobbyId: string, priority?: ReadPriority): Promise<void> {
    this.#required.set(lobbyId, (this.#required.get(lobbyId) ?? 0) + 1)
    await this.request(lobbyId, priority)
    const others = (this.#required.get(lobbyId) ?? 1) - 1
    if (others > 0) this.#required.set(lobbyId, others)
    else this.#required.delete(lobbyId)
  }

  /** Read in progress, which may have started long ago. */
  running(lobbyId: string): Promise<void> | undefined {
    for (const priority of PRIORITIES) {
      const running = this.#queues.get(queueId(lobbyId, priority))?.running
      if (running) return running
    }
    return undefined
  }

  /** Forgets lobbies that were not read for a while. */
  sweep(): void {
    const now = this.#options.clock.now()
    for (const [id, { running, at }] of this.#queues)
      if (!running && now - at > BURST * INTERVAL) this.#queues.delete(id)
  }

  close(): void {
    this.#closing.abort()
  }

  async #run(lobbyId: string, priority: ReadPriority, queue: Queue): Promise<void> {
    for (let failures = 0; !this.#closing.signal.aborted; failures++) {
      await this.#pace(queue)
      try {
        await this.#options.read(lobbyId, priority)
        break
      } catch {
        if (!this.#required.has(lobbyId) && !this.#options.isNeeded(lobbyId)) break
        await this.#sleep(Math.min(FIRST_RETRY * 2 ** failures, LAST_RETRY) * (1 - Math.random() / 2))
      }
    }
    queue.running = undefined
  }

  async #pace(queue: Queue): Promise<void> {
    const { clock } = this.#options
    const earned = Math.max(0, clock.now() - queue.at) / INTERVAL
    queue.budget = Math.min(BURST, queue.budget + earned) - 1
    queue.at = clock.now()
    if (queue.budget < 0) await this.#sleep(-queue.budget * INTERVAL)
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const { signal } = this.#closing
      if (signal.aborted) return resolve()
      const end = () => {
        signal.removeEventListener('abort', end)
        cancel()
        resolve()
      }
      const cancel = this.#options.clock.after(ms, end)
      signal.addEventListener('abort', end)
    })
  }
}
