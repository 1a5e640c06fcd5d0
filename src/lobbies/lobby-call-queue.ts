/** Joins and leaves of one lobby: one at a time, in the order of the calls. */
import type { Clock } from '../foundation/clock'
import { NetworkError } from '../foundation/errors'
import { type Deferred, createDeferred } from '../foundation/deferred'

/**
 * ms after a join was answered. A leave that is called within them answers that join, so it goes before the joins that wait already: a
 * component that is mounted twice joins, joins, and leaves when the first join is answered.
 */
const REACTION = 20

/** A join that was answered. */
export interface Joined {
  readonly lobbyId: string
  /** What was sent, as text. */
  readonly sent: string
  /** The cache's era at the time. */
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
  #endReaction: (() => void) | undefined
  /** The last join, until something else was sent. */
  joined: Joined | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Whether nobody is in the line, and nothing needs to be remembered. */
  get isOver(): boolean {
    return !this.#isBusy && !this.joined
  }

  /** Resolves when it is the call's turn; `exit` must follow. @returns the join that was answered meanwhile. */
  async enter({ route, signal }: Entry): Promise<Joined | undefined> {
    if (signal?.aborted) throw new NetworkError('aborted', route)
    const before = this.joined
    const turn = createDeferred<void>(this.#clock, { signals: [signal], makeError: () => new NetworkError('aborted', route) })
    if (!this.#isBusy) turn.resolve()
    else if (this.#endReaction && route.startsWith('DELETE')) this.#waiting.unshift(turn)
    else this.#waiting.push(turn)
    this.#isBusy = true
    await turn.promise
    return this.joined === before ? undefined : this.joined
  }

  /** `answered`: a join was, and its caller may want to leave before the next join. */
  exit({ answered }: { answered: boolean }): void {
    if (answered && this.#waiting.length > 0) this.#endReaction = this.#clock.after(REACTION, () => this.#next())
    else this.#next()
  }

  /** Ends the pause after a join. */
  hurry(): void {
    this.#endReaction?.()
    if (this.#endReaction) this.#next()
  }

  #next(): void {
    this.#endReaction = undefined
    let turn = this.#waiting.shift()
    while (turn?.signal.aborted) turn = this.#waiting.shift()
    if (turn) turn.resolve()
    else this.#isBusy = false
  }
}

/** The lines of all lobbies, by secret and by id. */
export class LobbyCallQueues {
  readonly #clock: Clock
  readonly #lines = new Map<string, LobbyCallQueue>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  find(name: { secret: string } | { lobbyId: string }): LobbyCallQueue {
    const key = JSON.stringify(name)
    const line = this.#lines.get(key) ?? new LobbyCallQueue(this.#clock)
    this.#lines.set(key, line)
    return line
  }

  /** The lobby of a line is known now. */
  name(line: LobbyCallQueue, lobbyId: string): void {
    this.#lines.set(JSON.stringify({ lobbyId }), line)
  }

  /** Forgets the lines that are over. */
  tidy(): void {
    for (const [key, line] of this.#lines) if (line.isOver) this.#lines.delete(key)
  }

  /** The player is another, or the client is closed: nothing waits for what a game may still say. */
  clear(): void {
    for (const line of this.#lines.values()) line.hurry()
    this.#lines.clear()
  }
}
