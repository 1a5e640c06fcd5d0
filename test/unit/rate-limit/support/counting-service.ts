/** A service that counts requests in the kinds of windows that real services use. */

export type WindowKind = 'fixed' | 'first' | 'sliding' | 'token' | 'counter'

/** The four kinds that the sliding window must satisfy; `counter` also weights the previous window. */
export const KINDS = ['fixed', 'first', 'sliding', 'token'] as const

export interface Verdict {
  readonly isRefused: boolean
  readonly remaining: number
  /** ms until a slot is free again. */
  readonly resetAfter: number
}

/** One limit on the service’s side. Calls must be in order of time. */
export class Judge {
  readonly kind: WindowKind
  readonly limit: number
  readonly per: number
  readonly #phase: number
  /** Times of the accepted requests. */
  readonly passed: number[] = []
  #opened = Number.NEGATIVE_INFINITY
  #count = 0
  #previous = 0
  #tokens: number

  constructor({
    kind,
    limit,
    per,
    phase = 0,
  }: {
    kind: WindowKind
    limit: number
    per: number
    phase?: number
  }) {
    this.kind = kind
    this.limit = limit
    this.per = per
    this.#phase = phase * per
    this.#tokens = limit
  }

  check(time: number): Verdict {
    this.#turn(time)
    const used = this.#used(time)
    const isRefused = used + 1 > this.limit + 1e-9
    if (!isRefused) {
      this.passed.push(time)
      this.#count++
      this.#tokens--
    }
    const remaining = Math.max(0, Math.floor(this.limit - this.#used(time) + 1e-9))
    return { isRefused, remaining, resetAfter: this.#resetAfter(time) }
  }

  /** Starts a new window if one is due. */
  #turn(time: number): void {
    if (this.kind === 'token') {
      const last = this.#opened === Number.NEGATIVE_INFINITY ? time : this.#opened
      this.#tokens = Math.min(this.limit, this.#tokens + ((time - last) * this.limit) / this.per)
      this.#opened = time
      return
    }
    const start =
      this.kind === 'first'
        ? time >= this.#opened + this.per
          ? time
          : this.#opened
        : Math.floor((time - this.#phase) / this.per) * this.per + this.#phase
    if (start === this.#opened) return
    this.#previous = start - this.#opened > this.per * 1.5 ? 0 : this.#count
    this.#count = 0
    this.#opened = start
  }

  #used(time: number): number {
    if (this.kind === 'token') return this.limit - this.#tokens
    if (this.kind === 'sliding') {
      let used = 0
      for (let i = this.passed.length - 1; i >= 0 && Number(this.passed[i]) > time - this.per; i--) used++
      return used
    }
    if (this.kind === 'counter') return this.#count + this.#previous * (1 - (time - this.#opened) / this.per)
    return this.#count
  }

  #resetAfter(time: number): number {
    if (this.kind === 'token') return this.per / this.limit
    if (this.kind === 'sliding')
      return Math.max(1, (this.passed.find((at) => at > time - this.per) ?? time) + this.per - time)
    return this.#opened + this.per - time
  }
}
