/** Work of many callers that waits: bounded, with those first who have asked for least. */
import type { Clock } from '../../shared/foundation/clock'

export interface TurnQueueOptions {
  readonly clock: Clock
  /** Work that runs at the same time. */
  readonly running: number
  /** Work that waits. */
  readonly waiting: number
  /**
   * True if the newest work is next, of callers who have asked as often and of each caller: with more work than turns, the oldest has waited in
   * vain. Default: the oldest.
   */
  readonly isNewestFirst?: boolean
  /** ms that work waits at most. */
  readonly maxWait: number
  /** The error for work that has waited for too long, or gives way to newer work. */
  readonly makeError: () => Error
}

/** ms for which each request puts its caller behind those who asked for nothing. */
const WEIGHT = 60_000
/** Callers whose requests are remembered, about 1 MB. */
const REMEMBERED = 10_000

interface Waiting {
  /** Larger for work that came later. */
  readonly sequence: number
  readonly start: () => void
  readonly refuse: () => void
}

export class TurnQueue {
  readonly #options: TurnQueueOptions
  /** By caller; the newest of each last. */
  readonly #callers = new Map<string, Waiting[]>()
  /** Epoch ms at which each caller's requests weigh nothing any more, in the order of the last ones. */
  readonly #weights = new Map<string, number>()
  #running = 0
  #waiting = 0
  #sequence = 0

  constructor(options: TurnQueueOptions) {
    this.#options = options
  }

  /** Runs work in its turn. @throws the queue's own error if it cannot run in time. */
  async run<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
    this.#weigh(caller)
    if (this.#running >= this.#options.running) await this.#turnOf(caller)
    else this.#running += 1
    try {
      return await work()
    } finally {
      this.#next()
    }
  }

  #turnOf(caller: string): Promise<void> {
    const { clock, maxWait, makeError, waiting } = this.#options
    return new Promise((resolve, reject) => {
      const refuse = () => {
        cancel()
        this.#remove(caller, entry)
        reject(makeError())
      }
      const start = () => {
        cancel()
        this.#remove(caller, entry)
        resolve()
      }
      const entry: Waiting = { sequence: this.#sequence++, start, refuse }
      const cancel = clock.after(maxWait, refuse)
      const own = this.#callers.get(caller) ?? []
      this.#callers.set(caller, [...own, entry])
      this.#waiting += 1
      if (this.#waiting > waiting) this.#lastOfHeaviest()?.refuse()
    })
  }

  /** The place of finished work goes to the caller who has asked for least: a newcomer waits for nobody who comes again and again. */
  #next(): void {
    let next: Waiting | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [caller, own] of this.#callers) {
      const count = this.#requestsOf(caller)
      const candidate = own.at(this.#options.isNewestFirst ? -1 : 0)
      if (!candidate || count > least || (count === least && next && !this.#isBefore(candidate, next)))
        continue
      next = candidate
      least = count
    }
    if (next) next.start()
    else this.#running -= 1
  }

  /** Of two callers who have asked as often. */
  #isBefore(one: Waiting, other: Waiting): boolean {
    return this.#options.isNewestFirst ? one.sequence > other.sequence : one.sequence < other.sequence
  }

  #weightOf(caller: string): number {
    return this.#weights.get(caller) ?? 0
  }

  /** Requests of the last minutes. Whole ones: who came a moment earlier with the first one has not asked for less. */
  #requestsOf(caller: string): number {
    return Math.ceil((this.#weightOf(caller) - this.#options.clock.now()) / WEIGHT)
  }

  /** Whether it gets its turn or not: otherwise many who are refused would look like newcomers. */
  #weigh(caller: string): void {
    const weight = Math.max(this.#options.clock.now(), this.#weightOf(caller)) + WEIGHT
    this.#weights.delete(caller)
    this.#weights.set(caller, weight)
    const [[oldest] = []] = this.#weights
    if (this.#weights.size > REMEMBERED && oldest !== undefined) this.#weights.delete(oldest)
  }

  #remove(caller: string, entry: Waiting): void {
    const rest = (this.#callers.get(caller) ?? []).filter((each) => each !== entry)
    if (rest.length > 0) this.#callers.set(caller, rest)
    else this.#callers.delete(caller)
    this.#waiting -= 1
  }

  /** The caller who has asked for most gives way first. */
  #lastOfHeaviest(): Waiting | undefined {
    let last: Waiting | undefined
    let most = Number.NEGATIVE_INFINITY
    for (const [caller, own] of this.#callers) {
      const count = this.#requestsOf(caller)
      const candidate = own.at(this.#options.isNewestFirst ? 0 : -1)
      if (!candidate || count < most || (count === most && last && !this.#isBefore(last, candidate))) continue
      last = candidate
      most = count
    }
    return last
  }
}
