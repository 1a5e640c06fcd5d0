/** Queue for joins and leaves of one lobby: one call at a time, in call order. */
import type { Clock } from '../../shared/foundation/clock'
import { NetworkError } from '../../shared/foundation/errors'
import { type Deferred, createDeferred } from '../../shared/foundation/async'

/**
 * Time in ms after a completed join. A leave called within it takes precedence over waiting joins: a component that is mounted twice joins,
 * joins, and leaves when the first join completes.
 */
const PAUSE = 20

/** Completed join. */
export interface Joined {
  readonly lobbyId: string
  /** Request body as JSON. */
  readonly sent: string
  /** Generation of the cache at that time. */
  readonly generation: number
}

interface Entry {
  route: string
  signal: AbortSignal | undefined
}

export class LobbyCallQueue {
  readonly #clock: Clock
  #waiting: Deferred<void>[] = []
  #isBusy = false
  #endPause: (() => void) | undefined
  /** Last join, until another request was sent. */
  joined: Joined | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** True if no call waits or runs and no join is stored. */
  get isIdle(): boolean {
    return !this.#isBusy && !this.joined
  }

  /** Resolves when the call may start; `exit` must follow. @returns the join that completed meanwhile. */
  async enter({ route, signal }: Entry): Promise<Joined | undefined> {
    if (signal?.aborted) throw new NetworkError('aborted', route)
    const before = this.joined
    const entry = createDeferred<void>(this.#clock, {
      signals: [signal],
      makeError: () => new NetworkError('aborted', route),
    })
    if (!this.#isBusy) entry.resolve()
    else if (this.#endPause && route.startsWith('DELETE')) this.#waiting.unshift(entry)
    else this.#waiting.push(entry)
    this.#isBusy = true
    await entry.promise
    return this.joined === before ? undefined : this.joined
  }

  /** `succeeded`: a join succeeded, and its caller may want to leave before the next join. */
  exit({ succeeded }: { succeeded: boolean }): void {
    if (succeeded && this.#waiting.length > 0) this.#endPause = this.#clock.after(PAUSE, () => this.#next())
    else this.#next()
  }

  /** Ends the pause after a join. */
  endPause(): void {
    this.#endPause?.()
    if (this.#endPause) this.#next()
  }

  #next(): void {
    this.#endPause = undefined
    let entry = this.#waiting.shift()
    while (entry?.signal.aborted) entry = this.#waiting.shift()
    if (entry) entry.resolve()
    else this.#isBusy = false
  }
}

/** Queues of all lobbies, by secret and by id. */
export class LobbyCallQueues {
  readonly #clock: Clock
  readonly #queues = new Map<string, LobbyCallQueue>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(name: { secret: string } | { lobbyId: string }): LobbyCallQueue {
    const key = JSON.stringify(name)
    const queue = this.#queues.get(key) ?? new LobbyCallQueue(this.#clock)
    this.#queues.set(key, queue)
    return queue
  }

  /** Assigns the id of a joined lobby to its queue. */
  name(queue: LobbyCallQueue, lobbyId: string): void {
    this.#queues.set(JSON.stringify({ lobbyId }), queue)
  }

  /** Deletes idle queues. */
  deleteIdle(): void {
    for (const [key, queue] of this.#queues) if (queue.isIdle) this.#queues.delete(key)
  }

  /** Deletes all queues, for another player or a closed client, and ends their pauses. */
  clear(): void {
    for (const queue of this.#queues.values()) queue.endPause()
    this.#queues.clear()
  }
}
