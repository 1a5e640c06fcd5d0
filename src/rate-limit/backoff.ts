/** How a bucket behaves after the service refused a request, and until a limit that nobody has told yet is known. */
import { freeAt } from './shared/store'
import { type Rule, SlotWindow, smoothed } from './sliding-window'

/** Requests at once on a route whose limit nobody has told yet; grows with each answer. */
const FIRST_STEPS = 10
/** Windows, or portions of one, without a refusal until a bucket is trusted again; doubles with each relapse. */
const PATIENCE = 16
const MOST_RELAPSES = 6
/** What comes back at a time of what refusals took, as a part of the whole rate. */
const STEP = 0.05

export class Backoff {
  /** Nothing starts before. */
  blockedUntil = Number.NEGATIVE_INFINITY
  /** Requests in flight, at most. */
  cap = Number.POSITIVE_INFINITY
  /** What the service said of its limit, where that is less than what was known. */
  reportedLimit: Rule | undefined
  /** What cools of the small portions, beside the whole windows that the bucket itself keeps. */
  readonly #fraction = new SlotWindow()
  #consecutiveRefusals = 0
  #relapses = 0
  #fractionNow = 1
  /** The share at which the last refusal came. */
  #refusedAt = 1
  /** Answers to requests that were sent before this moment tell nothing new. */
  #since = Number.NEGATIVE_INFINITY
  #cleanSince = Number.NEGATIVE_INFINITY

  /** For a bucket whose limit is not known. */
  static ofUnknown(): Backoff {
    const backoff = new Backoff()
    backoff.cap = FIRST_STEPS
    return backoff
  }

  /** How much may start at a time, of a bucket whose own rule is `rule`. */
  #pace(rule: Rule): Rule {
    return this.#consecutiveRefusals > 1 && rule.limit < Number.POSITIVE_INFINITY ? smoothed(rule, this.#fractionNow) : rule
  }

  /** Slots of the portion that are free by `now`, of which none is taken. */
  free(rule: Rule, now: number): number {
    const pace = this.#pace(rule)
    return Math.min(this.cap, pace === rule ? this.cap : this.#fraction.free(pace.limit, now))
  }

  /** When a portion, of a bucket whose own rule is `rule`, has room for whoever has `ahead` requests before it, at the earliest. */
  earliest(rule: Rule, ahead: number, now: number): number {
    const pace = this.#pace(rule)
    return pace === rule ? now : this.#fraction.earliest(pace, ahead, now)
  }

  /** A request was answered. */
  cool(from: number, rule: Rule): void {
    const pace = this.#pace(rule)
    if (pace !== rule) this.#fraction.occupyUntil(freeAt(from, pace.per))
  }

  /** A refusal of a request sent at `sentAt`. The answer says whether it was the first of its kind: a burst is refused once. */
  onRefusal(sentAt: number, now: number, retryAfter: number): { isNew: boolean } {
    const isNew = sentAt >= this.#since
    this.blockedUntil = Math.max(this.blockedUntil, now + retryAfter)
    this.cap = 1
    if (!isNew) return { isNew }
    this.#since = this.blockedUntil
    this.#cleanSince = this.blockedUntil
    if (this.#consecutiveRefusals > 1) {
      this.#refusedAt = this.#fractionNow
      this.#fractionNow *= 0.8
    }
    if (this.#consecutiveRefusals === 1 && this.#relapses < MOST_RELAPSES) this.#relapses++
    this.#consecutiveRefusals++
    return { isNew }
  }

  /** Ends a block; one request at a time tries. */
  unblock(now: number): void {
    this.blockedUntil = Math.min(this.blockedUntil, now)
    this.#since = Math.min(this.#since, now)
  }

  /** An answer that was no refusal. */
  onSuccess(sentAt: number, now: number, usual: Rule): void {
    if (sentAt < this.#since) return
    const rule = this.#pace(usual)
    // One more after each: twice as many each time the answers have come round.
    if (this.cap < Number.POSITIVE_INFINITY) this.cap = this.cap + 1 > rule.limit ? Number.POSITIVE_INFINITY : this.cap + 1
    if (this.#consecutiveRefusals === 0) return
    const clean = now - this.#cleanSince
    if (this.#fractionNow < 1) {
      // Soon back to where the last refusal came; from there on with whole windows.
      if (clean < (this.#fractionNow + STEP > this.#refusedAt ? usual : rule).per) return
      this.#fractionNow = Math.min(1, this.#fractionNow + STEP)
      this.#cleanSince = now
    } else if (clean >= rule.per * PATIENCE * 2 ** this.#relapses) this.#consecutiveRefusals = 0
  }

  /** Whether nothing is left to be careful about, or to be remembered. */
  get isOver(): boolean {
    return this.#consecutiveRefusals + this.#relapses === 0 && this.cap === Number.POSITIVE_INFINITY && !this.reportedLimit
  }
}
