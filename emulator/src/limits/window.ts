/** The ways to count requests against a limit: in windows of the clock, from the first request on, in the time just past, or as tokens that grow back. */

export type WindowKind = 'fixed' | 'first' | 'sliding' | 'token'

export interface Size {
  /** Requests. */
  limit: number
  /** Milliseconds. */
  per: number
}

/** All times are epoch milliseconds of the emulator's clock. */
export interface Window {
  /** Milliseconds until one more fits; 0 when it fits now. */
  wait(now: number): number
  /** Counts one. */
  spend(now: number): void
  /** How many more fit now. */
  remaining(now: number): number
  /** Milliseconds until all of the limit is there again. */
  wholeIn(now: number): number
}

export function createWindow(kind: WindowKind, size: Size): Window {
  if (kind === 'sliding') return new SlidingWindow(size)
  if (kind === 'token') return new TokenWindow(size)
  return new CountedWindow(size, kind)
}

/** Begins anew at once: at the clock's own marks, or with the first request after the end of the last one. */
class CountedWindow implements Window {
  readonly #size: Size
  readonly #begins: 'fixed' | 'first'
  #start = Number.NEGATIVE_INFINITY
  #used = 0

  constructor(size: Size, begins: 'fixed' | 'first') {
    this.#size = size
    this.#begins = begins
  }

  wait(now: number): number {
    return this.remaining(now) > 0 ? 0 : this.#end - now
  }

  spend(now: number): void {
    if (now >= this.#end) {
      this.#start = this.#begins === 'first' ? now : now - (now % this.#size.per)
      this.#used = 0
    }
    this.#used += 1
  }

  remaining(now: number): number {
    return now >= this.#end ? this.#size.limit : this.#size.limit - this.#used
  }

  wholeIn(now: number): number {
    return Math.max(0, this.#end - now)
  }

  get #end(): number {
    return this.#start + this.#size.per
  }
}

/** Each request counts for exactly the length of the window. */
class SlidingWindow implements Window {
  readonly #size: Size
  #times: number[] = []

  constructor(size: Size) {
    this.#size = size
  }

  wait(now: number): number {
    const oldest = this.#recent(now)[0]
    return oldest === undefined || this.#times.length < this.#size.limit ? 0 : oldest + this.#size.per - now
  }

  spend(now: number): void {
    this.#recent(now).push(now)
  }

  remaining(now: number): number {
    return Math.max(0, this.#size.limit - this.#recent(now).length)
  }

  wholeIn(now: number): number {
    const newest = this.#recent(now).at(-1)
    return newest === undefined ? 0 : newest + this.#size.per - now
  }

  #recent(now: number): number[] {
    const gone = this.#times.findIndex((time) => time + this.#size.per > now)
    if (gone === -1) this.#times = []
    else if (gone > 0) this.#times.splice(0, gone)
    return this.#times
  }
}

/** Each request takes a token; they grow back evenly, up to the limit. */
class TokenWindow implements Window {
  readonly #size: Size
  #tokens: number
  #at = Number.NEGATIVE_INFINITY

  constructor(size: Size) {
    this.#size = size
    this.#tokens = size.limit
  }

  wait(now: number): number {
    return Math.max(0, Math.ceil((1 - this.#grown(now)) * this.#perToken))
  }

  spend(now: number): void {
    this.#tokens = this.#grown(now) - 1
    this.#at = now
  }

  remaining(now: number): number {
    return Math.max(0, Math.floor(this.#grown(now)))
  }

  wholeIn(now: number): number {
    return Math.ceil((this.#size.limit - this.#grown(now)) * this.#perToken)
  }

  #grown(now: number): number {
    // A hair is added for what fractions lose: who waited as long as told is not sent away again.
    return Math.min(this.#size.limit, this.#tokens + (now - this.#at) / this.#perToken + 1e-9)
  }

  get #perToken(): number {
    return this.#size.per / this.#size.limit
  }
}
