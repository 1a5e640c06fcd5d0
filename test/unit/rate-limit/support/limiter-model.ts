/** A limiter as its documentation describes it: one queue and plain lists, looked at anew at every moment. No timers, no shared store. */
import type { BucketSpec, RateLimitInfo } from '../../../support/internals'

/** What happened to a request: the time of its start, or the code of its error. */
export type Outcome = number | string

export interface ModelOptions {
  readonly buckets: readonly BucketSpec[]
  /** Refusals at which concurrency is halved, and at which nothing is sent any more. */
  readonly breaker: { readonly soft: number; readonly hard: number }
}

interface Rule {
  readonly limit: number
  readonly per: number
}

interface Slots {
  readonly releases: readonly number[]
  readonly inFlight: number
  readonly ahead: number
}

interface Waiting {
  readonly id: number
  readonly deadline: number
  isNotified: boolean
}

interface Sent {
  readonly at: number
  readonly buckets: readonly ModelBucket[]
}

const NEVER = Number.POSITIVE_INFINITY
const margin = (per: number) => Math.max(2, Math.ceil(per / 5000))

/** A slot is free a window and a margin after its response, rounded up to 1/1024 of the window. */
function freeAt(from: number, per: number): number {
  const step = Math.max(1, Math.floor(per / 1024))
  return Math.ceil((from + per + margin(per)) / step) * step
}

/** A part of the rate, in at most eight portions a window. */
function portions({ limit, per }: Rule, fraction: number): Rule {
  const whole = Math.max(1, Math.floor(limit * fraction))
  const parts = Math.min(8, whole - 1)
  return parts < 1
    ? { limit: 1, per: per * 2 }
    : { limit: Math.floor(whole / (parts + 1)), per: Math.ceil(per / parts) }
}

/** When the request after `ahead` others can start: the slots in the order in which they are free, again and again. */
function earliest({ limit, per }: Rule, { releases, inFlight, ahead }: Slots, now: number): number {
  if (limit === NEVER) return now
  const cycle = per + margin(per)
  const busy = [...releases.toSorted((a, b) => a - b), ...Array<number>(inFlight).fill(now + cycle)]
  const slots = [...Array<number>(limit).fill(now), ...busy].slice(-limit)
  return Number(slots[ahead % limit]) + Math.floor(ahead / limit) * cycle
}

class ModelBucket {
  inFlight = 0
  /** Times at which slots are free again: of the limit, and of its reduced rate after a second 429. */
  releases: number[] = []
  reduced: number[] = []
  blockedUntil = -NEVER
  /** Most requests in flight. */
  cap: number
  learned: Rule | undefined
  sweepAt: number
  readonly full: BucketSpec
  #refusals = 0
  #relapses = 0
  #fraction = 1
  #refusedAt = 1
  #ignoreBefore = -NEVER
  #cleanSince = -NEVER

  constructor(full: BucketSpec, now: number) {
    this.full = full
    this.cap = full.limit === NEVER ? 10 : NEVER
    this.sweepAt = now
    this.sweepLater(now)
  }

  get rule(): Rule {
    return this.learned ?? this.full
  }

  get #reducedRule(): Rule | undefined {
    return this.#refusals > 1 && this.rule.limit < NEVER ? portions(this.rule, this.#fraction) : undefined
  }

  expire(now: number): void {
    this.releases = this.releases.filter((at) => at > now)
    this.reduced = this.reduced.filter((at) => at > now)
  }

  get free(): number {
    return this.rule.limit - this.inFlight - this.releases.length
  }

  available(now: number): number {
    const reduced = (this.#reducedRule?.limit ?? NEVER) - this.reduced.length
    return now < this.blockedUntil ? 0 : Math.min(this.free, Math.min(this.cap, reduced) - this.inFlight)
  }

  earliestStart(ahead: number, now: number): number {
    const rule = this.#reducedRule
    const slow = rule ? earliest(rule, { releases: this.reduced, inFlight: 0, ahead }, now) : now
    return Math.max(
      this.blockedUntil,
      now,
      slow,
      earliest(this.rule, { releases: this.releases, inFlight: this.inFlight, ahead }, now),
    )
  }

  /** Time of the next free slot; null if one is free, or if only a response frees one. */
  nextAt(now: number): number | null {
    if (now < this.blockedUntil) return this.blockedUntil
    if (this.available(now) > 0) return null
    const releases = this.free < 1 ? this.releases : this.cap > this.inFlight ? this.reduced : []
    return releases.length > 0 ? Math.min(...releases) : null
  }

  occupy(from: number): void {
    const reduced = this.#reducedRule
    this.releases.push(freeAt(from, this.rule.per))
    if (reduced) this.reduced.push(freeAt(from, reduced.per))
  }

  /** Headers only lower a known limit. Used slots that are not this client's own are occupied by others. */
  learn({ limit, remaining, resetAfter = 0, status }: RateLimitInfo, now: number): void {
    if (limit === undefined) return
    const isUnknown = this.full.limit === NEVER
    const per = isUnknown ? Math.max(Math.min(resetAfter, 300_000), this.learned?.per ?? 1000) : this.full.per
    this.learned = limit < this.full.limit ? { limit, per } : undefined
    if (remaining === undefined || status === 429) return
    const others = limit - remaining - this.inFlight - this.releases.length
    for (let i = 0; i < others; i++) this.releases.push(freeAt(now, this.rule.per))
  }

  /** Blocks, then allows one request at a time. From the second 429 on the rate is reduced. Returns true for the first of a burst. */
  refuse(sentAt: number, now: number, retryAfter: number): boolean {
    this.blockedUntil = Math.max(this.blockedUntil, now + retryAfter)
    this.cap = 1
    if (sentAt < this.#ignoreBefore) return false
    this.#ignoreBefore = this.#cleanSince = this.blockedUntil
    if (this.#refusals > 1) {
      this.#refusedAt = this.#fraction
      this.#fraction *= 0.8
    }
    if (this.#refusals === 1) this.#relapses = Math.min(6, this.#relapses + 1)
    this.#refusals++
    return true
  }

  /** One request more at a time for each response, 5 % of the rate more for each clean window, and nothing left after sixteen or more. */
  succeed(sentAt: number, now: number): void {
    if (sentAt < this.#ignoreBefore) return
    const rule = this.#reducedRule ?? this.rule
    this.cap = this.cap + 1 > rule.limit ? NEVER : this.cap + 1
    if (this.#refusals === 0) return
    const clean = now - this.#cleanSince
    if (this.#fraction < 1) {
      if (clean < (this.#fraction + 0.05 > this.#refusedAt ? this.rule : rule).per) return
      this.#fraction = Math.min(1, this.#fraction + 0.05)
      this.#cleanSince = now
    } else if (clean >= rule.per * 16 * 2 ** this.#relapses) this.#refusals = 0
    if (this.#refusals + this.#relapses > 0 || this.cap < NEVER || this.learned) return
    this.#ignoreBefore = this.blockedUntil = -NEVER
  }

  unblock(now: number): void {
    this.blockedUntil = Math.min(this.blockedUntil, now)
    this.#ignoreBefore = Math.min(this.#ignoreBefore, now)
  }

  /** Looks again at its last release, or an eighth of a window later. */
  sweepLater(now: number): void {
    this.sweepAt = now + Math.ceil(Math.max(Math.max(now, ...this.releases) - now, this.full.per / 8, 10))
  }
}

export class LimiterModel {
  readonly outcomes = new Map<number, Outcome>()
  /** Events in order, as text. */
  readonly events: string[] = []
  readonly sent = new Map<number, Sent>()
  readonly #options: ModelOptions
  readonly #buckets = new Map<string, ModelBucket>()
  #waiting: Waiting[] = []
  #now = 0
  #peak = 1
  #refusals = 0

  constructor(options: ModelOptions) {
    this.#options = options
  }

  get waiting(): readonly number[] {
    return this.#waiting.map(({ id }) => id)
  }

  limits() {
    return this.#inUse.map((bucket) => {
      const { full, free, inFlight, releases } = bucket
      const { limit, per } = bucket.rule
      const waiting = this.#waiting.length
      return {
        bucket: full.name,
        key: '',
        limit,
        per,
        free,
        inFlight,
        releasing: releases.length,
        waiting,
        nextAt: bucket.nextAt(this.#now),
      }
    })
  }

  send(id: number, maxWait = NEVER): void {
    if (this.#isOpen) return void this.outcomes.set(id, 'too_many_refusals')
    const buckets = this.#options.buckets.map((spec) => this.#bucket(spec))
    if (this.#waiting.length === 0 && this.#mayStart(buckets)) return this.#start(id, buckets)
    const ahead = this.#waiting.length
    const starts = buckets.map((bucket) => bucket.earliestStart(ahead, this.#now))
    const wait = Math.max(...starts) - this.#now
    const bucket = buckets.find((_, index) => starts[index] === Math.max(...starts))
    if (wait > maxWait) return this.#reject(id, bucket, wait)
    this.#waiting.push({ id, deadline: this.#now + maxWait, isNotified: wait > 0 })
    if (wait > 0) this.events.push(`delayed ${bucket?.full.name} ${wait} ${ahead}`)
  }

  answer(id: number, info: RateLimitInfo): void {
    const { at, buckets } = this.#end(id, this.#now)
    if ([429, 401, 403].includes(info.status) && info.scope !== 'shared') this.#refusals++
    buckets[0]?.learn(info, this.#now)
    if (info.status === 429) this.#refuse(at, buckets, info)
    else for (const bucket of buckets) bucket.succeed(at, this.#now)
    if (this.#isOpen)
      for (const waiting of this.#waiting.splice(0)) this.outcomes.set(waiting.id, 'too_many_refusals')
    this.#startAll()
  }

  /** It may have been counted, up to a second later. */
  lose(id: number): void {
    this.#end(id, this.#now + 1000)
    this.#startAll()
  }

  drop(id: number): void {
    this.#end(id)
    this.#startAll()
  }

  cancel(id: number): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.id !== id)
    this.outcomes.set(id, 'aborted')
  }

  clearBlocks(): void {
    for (const spec of this.#options.buckets) this.#bucket(spec).unblock(this.#now)
    this.#startAll()
  }

  /** Goes from one moment at which something may change to the next. */
  advance(ms: number): void {
    const end = this.#now + ms
    while (this.#now < end) {
      const buckets = this.#inUse
      const times = buckets.flatMap(({ releases, reduced, blockedUntil, sweepAt }) => [
        ...releases,
        ...reduced,
        blockedUntil,
        sweepAt,
      ])
      const moments = [...times, ...this.#waiting.map(({ deadline }) => Math.ceil(deadline))].filter(
        (time) => time > this.#now,
      )
      this.#now = Math.min(end, ...moments)
      for (const bucket of buckets) bucket.expire(this.#now)
      for (const { id, deadline } of this.#waiting) if (deadline <= this.#now) this.#expire(id)
      this.#startAll()
      for (const bucket of buckets) if (bucket.sweepAt === this.#now) this.#sweep(bucket)
    }
  }

  get #isOpen(): boolean {
    return this.#refusals >= this.#options.breaker.hard
  }

  /** The most specific first. */
  get #inUse(): ModelBucket[] {
    return this.#options.buckets.flatMap(({ name }) => this.#buckets.get(name) ?? [])
  }

  #bucket(spec: BucketSpec): ModelBucket {
    const bucket = this.#buckets.get(spec.name) ?? new ModelBucket(spec, this.#now)
    this.#buckets.set(spec.name, bucket)
    return bucket
  }

  #mayStart(buckets: readonly ModelBucket[]): boolean {
    const halvings = Math.floor(this.#refusals / this.#options.breaker.soft)
    const most = halvings === 0 ? NEVER : Math.max(1, Math.floor(this.#peak / 2 ** halvings))
    return this.sent.size < most && buckets.every((bucket) => bucket.available(this.#now) > 0)
  }

  #start(id: number, buckets: readonly ModelBucket[]): void {
    for (const bucket of buckets) bucket.inFlight++
    this.sent.set(id, { at: this.#now, buckets })
    this.#peak = Math.max(this.#peak, this.sent.size)
    this.outcomes.set(id, this.#now)
  }

  #startAll(): void {
    const buckets = this.#inUse
    while (this.#waiting[0] && this.#mayStart(buckets))
      this.#start(Number(this.#waiting.shift()?.id), buckets)
  }

  #end(id: number, countedUntil?: number): Sent {
    const sent = this.sent.get(id)
    if (!sent) throw new Error(`Request ${id} is not in flight.`)
    this.sent.delete(id)
    for (const bucket of sent.buckets) {
      bucket.inFlight--
      if (countedUntil !== undefined) bucket.occupy(countedUntil)
    }
    return sent
  }

  /** Blocks the bucket that the scope names, otherwise the fullest one whose window is as long as the wait. */
  #refuse(sentAt: number, buckets: readonly ModelBucket[], { scope, retryAfter = 0 }: RateLimitInfo): void {
    const use = ({ full: { limit }, inFlight, releases }: ModelBucket) =>
      limit === NEVER ? 0 : (inFlight + releases.length) / limit
    const fullest = (best: ModelBucket, bucket: ModelBucket) =>
      use(bucket) > use(best) && bucket.full.per + margin(bucket.full.per) >= retryAfter ? bucket : best
    const bucket = scope === undefined ? buckets.reduce(fullest) : buckets.at(scope === 'global' ? -1 : 0)
    if (!bucket) return
    const wait = Math.min(retryAfter, Math.max(300_000, bucket.full.per))
    const isNew = bucket.refuse(sentAt, this.#now, wait)
    if (buckets.length === 1) this.#notify(bucket)
    if (isNew) this.events.push(`limited ${bucket.full.name} ${wait} service`)
  }

  /** Tells those who wait, and rejects those whose deadline is too early. */
  #notify(bucket: ModelBucket): void {
    for (const [ahead, waiting] of this.#waiting.entries()) {
      const wait = bucket.earliestStart(ahead, this.#now) - this.#now
      if (this.#now + wait > waiting.deadline) this.#reject(waiting.id, bucket, wait)
      else if (wait > 0 && !waiting.isNotified) {
        waiting.isNotified = true
        this.events.push(`delayed ${bucket.full.name} ${wait} ${ahead}`)
      }
    }
  }

  #expire(id: number): void {
    const [bucket] = this.#inUse
    if (bucket) this.#reject(id, bucket, Math.max(1, bucket.earliestStart(0, this.#now) - this.#now))
  }

  #reject(id: number, bucket: ModelBucket | undefined, wait: number): void {
    this.#waiting = this.#waiting.filter((waiting) => waiting.id !== id)
    this.outcomes.set(id, 'rate_limited')
    this.events.push(`limited ${bucket?.full.name} ${wait} client`)
  }

  /** Forgets a bucket that has nothing to remember. */
  #sweep(bucket: ModelBucket): void {
    const isIdle =
      bucket.inFlight + bucket.releases.length + this.#waiting.length === 0 &&
      this.#now >= bucket.blockedUntil
    if (isIdle) this.#buckets.delete(bucket.full.name)
    else bucket.sweepLater(this.#now)
  }
}
