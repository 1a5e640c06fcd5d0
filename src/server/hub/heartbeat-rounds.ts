/** Spreads the heartbeats of all streams of a process over time: ten thousand writes at once would delay every change. */
import { afterUnref, type Clock } from '../../shared/foundation/clock'

/** ms between two heartbeats of a stream: proxies close connections that are silent for a minute, some for 30 s. */
const INTERVAL = 15_000
/** ms between two calls of `next`. */
export const HEARTBEAT_STEP = 500
const STEPS = INTERVAL / HEARTBEAT_STEP

interface HeartbeatWork {
  /** Called every `HEARTBEAT_STEP` ms. */
  readonly beat: (now: number) => void
  /** Called every 15 s. */
  readonly sweep: (now: number) => void
}

/** Returns a function that ends the heartbeats. */
export function repeatHeartbeats(clock: Clock, work: HeartbeatWork): () => void {
  let step = 0
  const onStep = () => {
    work.beat(clock.now())
    step = (step + 1) % STEPS
    if (step === 0) work.sweep(clock.now())
    cancel = afterUnref(clock, HEARTBEAT_STEP, onStep)
  }
  let cancel = afterUnref(clock, HEARTBEAT_STEP, onStep)
  return () => cancel()
}

export class HeartbeatRounds<T> {
  readonly #entries: ReadonlyMap<string, T>
  /** Entries that the current round has not reached. Entries that are added meanwhile follow. */
  #pending: Iterator<T> | undefined
  #startedAt = Number.NEGATIVE_INFINITY

  constructor(entries: ReadonlyMap<string, T>) {
    this.#entries = entries
  }

  /** Returns the entries whose turn it is. A round starts every 15 s, or when the last one has reached all. */
  next(now: number): T[] {
    const due: T[] = []
    const most = Math.ceil(this.#entries.size / STEPS)
    while (due.length < most && this.#isRunning(now)) {
      const entry = this.#pending?.next()
      if (!entry || entry.done) this.#pending = undefined
      else due.push(entry.value)
    }
    return due
  }

  /** Starts a round if it is time. */
  #isRunning(now: number): boolean {
    if (!this.#pending && now - this.#startedAt >= INTERVAL) {
      this.#pending = this.#entries.values()
      this.#startedAt = now
    }
    return this.#pending !== undefined
  }
}
