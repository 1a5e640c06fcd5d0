/** Work of many callers that waits: bounded, and in turn for each of them. */
import type { Clock } from '../../shared/foundation/clock'

export interface TurnQueueOptions {
  readonly clock: Clock
  /** Work that runs at the same time. */
  readonly running: number
  /** Work that waits. */
  readonly waiting: number
  /** True if the newest work of a caller is next, for callers whom nobody can tell apart: the oldest has waited in vain. Default: the oldest. */
  readonly isNewestFirst?: boolean
  /** ms that work waits at most. */
  readonly maxWait: number
  /** The error for work that has waited for too long, or gives way to newer work. */
  readonly makeError: () => Error
}

interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

export class TurnQueue {
  readonly #options: TurnQueueOptions
  /** By caller, in the order of their turns; the newest of each last. */
  readonly #callers = new Map<string, Waiting[]>()
  #running = 0
  #waiting = 0

  constructor(options: TurnQueueOptions) {
    this.#options = options
  }

  /** Runs work in its turn. @throws the queue's own error if it cannot run in time. */
  async run<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
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
      const entry: Waiting = { start, refuse }
      const cancel = clock.after(maxWait, refuse)
      const own = this.#callers.get(caller) ?? []
      this.#callers.set(caller, [...own, entry])
      this.#waiting += 1
      if (this.#waiting > waiting) this.#lastOfLongest()?.refuse()
    })
  }

  /** The place of finished work goes to the next caller, who is the last one afterwards. */
  #next(): void {
    const [[caller, own] = []] = this.#callers
    const next = own?.at(this.#options.isNewestFirst ? -1 : 0)
    if (caller === undefined || !own || !next) {
      this.#running -= 1
      return
    }
    this.#callers.delete(caller)
    this.#callers.set(caller, own)
    next.start()
  }

  #remove(caller: string, entry: Waiting): void {
    const rest = (this.#callers.get(caller) ?? []).filter((each) => each !== entry)
    if (rest.length > 0) this.#callers.set(caller, rest)
    else this.#callers.delete(caller)
    this.#waiting -= 1
  }

  /** The caller with the most waiting work gives way first. */
  #lastOfLongest(): Waiting | undefined {
    let longest: readonly Waiting[] = []
    for (const own of this.#callers.values()) if (own.length > longest.length) longest = own
    return longest.at(this.#options.isNewestFirst ? 0 : -1)
  }
}
