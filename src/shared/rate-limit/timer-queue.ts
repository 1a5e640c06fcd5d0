/** Timer queue: a heap of deadlines with a single platform timer for the first one. */
import type { MonotonicClock } from '../foundation/monotonic-clock'

interface Entry {
  readonly at: number
  readonly run: () => void
}

export class TimerQueue {
  readonly #clock: MonotonicClock
  readonly #heap: Entry[] = []
  #armedFor = Number.POSITIVE_INFINITY
  #disarm: (() => void) | undefined
  readonly #onTimer: () => void
  /** Incremented by `clear`, so that callers can detect that their entries are gone. */
  epoch = 0

  constructor(clock: MonotonicClock) {
    this.#clock = clock
    this.#onTimer = () => {
      this.#disarm = undefined
      this.runDue()
    }
  }

  get size(): number {
    return this.#heap.length
  }

  /** Runs `run` at `at` or, if the platform is late, soon after; never before. */
  add(at: number, run: () => void): void {
    const heap = this.#heap
    let i = heap.push({ at, run }) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!this.#swapIfLater(parent, i)) break
      i = parent
    }
    if (at < this.#armedFor) this.#arm()
  }

  /** Removes all entries and the timer. */
  clear(): void {
    this.#heap.length = 0
    this.epoch++
    this.#arm()
  }

  /** Runs what is due, and starts the timer for the next one. */
  runDue(): void {
    this.#armedFor = Number.POSITIVE_INFINITY
    const now = this.#clock.elapsed()
    for (let first = this.#heap[0]; first && first.at <= now; first = this.#heap[0]) {
      this.#dropFirst()
      first.run()
    }
    this.#arm()
  }

  #arm(): void {
    const at = this.#heap[0]?.at ?? Number.POSITIVE_INFINITY
    if (at === this.#armedFor && this.#disarm) return
    this.#disarm?.()
    this.#armedFor = at
    const delay = Math.max(0, Math.ceil(at - this.#clock.elapsed()))
    this.#disarm = at === Number.POSITIVE_INFINITY ? undefined : this.#clock.after(delay, this.#onTimer)
  }

  #dropFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    heap[0] = last
    for (let i = 0; ;) {
      const left = 2 * i + 1
      const child =
        left + 1 < heap.length && (heap[left + 1]?.at ?? 0) < (heap[left]?.at ?? 0) ? left + 1 : left
      if (child >= heap.length || !this.#swapIfLater(i, child)) return
      i = child
    }
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [a, b] = [this.#heap[parent], this.#heap[child]]
    if (!a || !b || a.at <= b.at) return false
    this.#heap[parent] = b
    this.#heap[child] = a
    return true
  }
}
