/** Clock that stands still until a test advances it. */
import type { Clock } from 'foyer-sdk'
import TinyQueue from 'tinyqueue'

interface Timer {
  readonly at: number
  /** Orders timers of the same time. */
  readonly number: number
  /** Undefined once it has run or was cancelled. */
  callback: (() => void) | undefined
}

/** Cancelled timers that are removed together, if they are the larger part. */
const MANY = 1000

const compare = (a: Timer, b: Timer): number => a.at - b.at || a.number - b.number

export class ManualClock implements Clock {
  #now: number
  #timers = new TinyQueue<Timer>([], compare)
  #added = 0
  #waiting = 0

  constructor(now: number = Date.UTC(2026, 0, 1)) {
    this.#now = now
  }

  now(): number {
    return this.#now
  }

  /** Number of pending timers. */
  get waiting(): number {
    return this.#waiting
  }

  after(delay: number, callback: () => void): () => void {
    const timer: Timer = { at: this.#now + delay, number: this.#added++, callback }
    this.#timers.push(timer)
    this.#waiting += 1
    return () => {
      if (this.#end(timer)) this.#removeCancelled()
    }
  }

  /** Advances the time and runs due timers in order. */
  advance(ms: number): void {
    const end = this.#now + ms
    for (let timer = this.#nextDue(end); timer; timer = this.#nextDue(end)) {
      this.#now = timer.at
      this.#end(timer)?.()
    }
    this.#now = end
  }

  /** Jumps ahead, as on a machine that wakes from sleep: due timers run at once, and new timers start from the new time. */
  sleep(ms: number): void {
    this.#now += ms
    const due: Timer[] = []
    for (let timer = this.#nextDue(this.#now); timer; timer = this.#nextDue(this.#now)) due.push(timer)
    for (const timer of due) this.#end(timer)?.()
  }

  /** Takes the earliest timer that is due at a time. */
  #nextDue(time: number): Timer | undefined {
    for (let timer = this.#timers.peek(); timer && timer.at <= time; timer = this.#timers.peek()) {
      this.#timers.pop()
      if (timer.callback) return timer
    }
    return undefined
  }

  /** Returns the callback of a timer that was pending. */
  #end(timer: Timer): (() => void) | undefined {
    const { callback } = timer
    if (callback) this.#waiting -= 1
    timer.callback = undefined
    return callback
  }

  /** Keeps the queue at most twice as long as the number of pending timers. */
  #removeCancelled(): void {
    const { length, data } = this.#timers
    if (length < MANY || length < this.#waiting * 2) return
    this.#timers = new TinyQueue(
      data.filter(({ callback }) => callback),
      compare,
    )
  }
}
