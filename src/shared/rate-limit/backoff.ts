/** Backoff of a bucket after a 429, and slow start while its limit is unknown. */
import { freeAt } from './store-port'
import { type SlotRule, SlotWindow, smoothed } from './slot-window'

/** Initial number of concurrent requests on a route without a known limit; each response raises it. */
const INITIAL_CONCURRENCY = 10
/** Windows without a 429 until the backoff ends; doubles with each relapse. */
const CLEAN_WINDOWS = 16
const MAX_RELAPSES = 6
/** Fraction of the full rate restored per step after a 429. */
const RECOVERY_STEP = 0.05

export class Backoff {
  /** Monotonic ms before which no request starts. */
  blockedUntil = Number.NEGATIVE_INFINITY
  /** Maximum number of requests in flight. */
  cap = Number.POSITIVE_INFINITY
  /** The limit reported by the service, if lower than the documented one. */
  reportedLimit: SlotRule | undefined
  /** Releasing slots of the reduced rate, in addition to the full windows that the bucket tracks. */
  readonly #reducedWindow = new SlotWindow()
  #consecutiveRefusals = 0
  #relapses = 0
  #fraction = 1
  /** Fraction of the full rate at which the last 429 came. */
  #refusedAt = 1
  /** Responses to requests sent before this moment are ignored. */
  #ignoreBefore = Number.NEGATIVE_INFINITY
  #cleanSince = Number.NEGATIVE_INFINITY

  /** Backoff for a bucket with an unknown limit. */
  static ofUnknown(): Backoff {
    const backoff = new Backoff()
    backoff.cap = INITIAL_CONCURRENCY
    return backoff
  }

  /** The rule to apply, given the bucket's own `rule`: reduced after repeated 429s. */
  #effectiveRule(rule: SlotRule): SlotRule {
    return this.#consecutiveRefusals > 1 && rule.limit < Number.POSITIVE_INFINITY
      ? smoothed(rule, this.#fraction)
      : rule
  }

  /** Free slots of the reduced rate at `now`, before subtracting requests in flight. */
  free(rule: SlotRule, now: number): number {
    const effective = this.#effectiveRule(rule)
    return Math.min(this.cap, effective === rule ? this.cap : this.#reducedWindow.free(effective.limit, now))
  }

  /** Earliest start under the reduced rate for a request with `ahead` requests before it. */
  earliest(rule: SlotRule, ahead: number, now: number): number {
    const effective = this.#effectiveRule(rule)
    return effective === rule ? now : this.#reducedWindow.earliest(effective, ahead, now)
  }

  /** Next release of the reduced rate as of the last `free`; `Infinity` if there is none, or if only a response allows one more in flight. */
  nextRelease(rule: SlotRule, inFlight: number): number {
    return this.#effectiveRule(rule) === rule || this.cap <= inFlight
      ? Number.POSITIVE_INFINITY
      : this.#reducedWindow.nextRelease
  }

  /** Occupies a slot of the reduced rate after a response. */
  onResponse(from: number, rule: SlotRule): void {
    const effective = this.#effectiveRule(rule)
    if (effective !== rule) this.#reducedWindow.occupyUntil(freeAt(from, effective.per))
  }

  /** Handles a 429 for a request sent at `sentAt`. `isNew` is false for further 429s of the same burst. */
  onRefusal(sentAt: number, now: number, retryAfter: number): { isNew: boolean } {
    const isNew = sentAt >= this.#ignoreBefore
    this.blockedUntil = Math.max(this.blockedUntil, now + retryAfter)
    this.cap = 1
    if (!isNew) return { isNew }
    this.#ignoreBefore = this.blockedUntil
    this.#cleanSince = this.blockedUntil
    if (this.#consecutiveRefusals > 1) {
      this.#refusedAt = this.#fraction
      this.#fraction *= 0.8
    }
    if (this.#consecutiveRefusals === 1 && this.#relapses < MAX_RELAPSES) this.#relapses++
    this.#consecutiveRefusals++
    return { isNew }
  }

  /** Ends a block; then one request at a time is allowed. */
  unblock(now: number): void {
    this.blockedUntil = Math.min(this.blockedUntil, now)
    this.#ignoreBefore = Math.min(this.#ignoreBefore, now)
  }

  /** Handles a response other than 429. */
  onSuccess(sentAt: number, now: number, fullRule: SlotRule): void {
    if (sentAt < this.#ignoreBefore) return
    const rule = this.#effectiveRule(fullRule)
    // Slow start: one more per response, which doubles the number with each round of responses.
    this.cap = this.cap + 1 > rule.limit ? Number.POSITIVE_INFINITY : this.cap + 1
    if (this.#consecutiveRefusals === 0) return
    const cleanTime = now - this.#cleanSince
    if (this.#fraction < 1) {
      // Recover quickly up to the rate of the last 429, from there in full windows.
      if (cleanTime < (this.#fraction + RECOVERY_STEP > this.#refusedAt ? fullRule : rule).per) return
      this.#fraction = Math.min(1, this.#fraction + RECOVERY_STEP)
      this.#cleanSince = now
    } else if (cleanTime >= rule.per * CLEAN_WINDOWS * 2 ** this.#relapses) this.#consecutiveRefusals = 0
  }

  /** True if no restriction is left and nothing needs to be stored. */
  get isOver(): boolean {
    return (
      this.#consecutiveRefusals + this.#relapses === 0 &&
      this.cap === Number.POSITIVE_INFINITY &&
      !this.reportedLimit
    )
  }
}
