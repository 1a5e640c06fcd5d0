/** Algorithms of rate limits: fixed windows of the clock, windows from the first request on, sliding windows, and token buckets. */

export type WindowKind = 'fixed' | 'first' | 'sliding' | 'token'

export interface Size {
  /** Number of requests. */
  limit: number
  /** Milliseconds. */
  per: number
}

/** Times are epoch milliseconds of the emulator's clock. */
export interface Window {
  /** Milliseconds until the next request is allowed; 0 if it is allowed now. */
  wait(now: number): number
  /** Counts one request. */
  spend(now: number): void
  /** Remaining requests. */
  remaining(now: number): number
  /** Milliseconds until the limit is fully available again. */
  wholeIn(now: number): number
}

export function createWindow(kind: WindowKind, size: Size): Window {
  if (kind === 'sliding') return new SlidingWindow(size)
  if (kind === 'token') return new TokenWindow(size)
  return new CountedWindow(size, kind)
}

/** Fixed window: resets as a whole, at marks of the clock or with the first request after the end of the previous window. */
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

/** Sliding window: each request counts for exactly the length of the window. */
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

/** Token bucket: each request takes a token; tokens are refilled evenly, up to the limit. */
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
    // Rounding tolerance: a client that waited for the reported time is accepted.
    return Math.min(this.#size.limit, this.#tokens + (now - this.#at) / this.#perToken + 1e-9)
  }

  get #perToken(): number {
    return this.#size.per / this.#size.limit
  }
}
