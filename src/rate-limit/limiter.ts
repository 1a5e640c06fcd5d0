/** Lets requests start as early as every limit allows and no earlier, in order, and says how long that takes. */
import { ConfigurationError, NetworkError } from '../foundation/errors'
import { steady, type SteadyClock } from '../foundation/steady-clock'
import { Agenda } from './agenda'
import { Breaker } from './breaker'
import type { Bucket, BucketSpec } from './bucket'
import type { BucketUse } from './events'
import { type Lane, Waiter } from './lanes'
import { type Blocked, learn } from './learning'
import { type End, Lease } from './lease'
import type { LimiterOptions, LimitRequest } from './limiter-options'
import { Registry } from './registry'
import { Scheduler } from './scheduler'
import { Sharing, type SharingOptions, STORE_TIMEOUT } from './sharing'
import { GRACE } from './store'
import { Voice } from './voice'

export type { LimiterOptions, LimitRequest } from './limiter-options'

export class RateLimiter {
  readonly #clock: SteadyClock
  readonly #agenda: Agenda
  readonly #registry: Registry
  readonly #breaker: Breaker
  readonly #scheduler: Scheduler
  readonly #sharing: Sharing | undefined
  readonly #voice: Voice
  readonly #end: End = (lease, ending) => this.#finish(lease, ending)
  #tickets = 0
  #inFlight = 0
  #waiting = 0
  #peak = 1
  #isClosed = false

  constructor({ clock, store, parties = store?.parties ?? 1, fence, hold = 60_000, breaker, events = {} }: LimiterOptions) {
    this.#clock = steady(clock)
    this.#agenda = new Agenda(this.#clock)
    this.#registry = new Registry(this.#clock, (bucket) => this.#scheduler.drain(bucket, this.#clock.elapsed()))
    this.#breaker = new Breaker(breaker)
    this.#voice = new Voice(this.#clock, events)
    this.#sharing = store && this.#share({ store, parties, hold, fence })
    this.#scheduler = new Scheduler({
      agenda: this.#agenda,
      sharing: this.#sharing,
      elapsed: () => this.#clock.elapsed(),
      mayFly: (now) => this.#inFlight < this.#breaker.cap(this.#peak, now),
      postponed: (lane, bucket) => this.#review(lane, bucket),
    })
  }

  /**
   * The right to send one request, at once when nothing is in the way. Every lease must be ended: `answered`, `lost` or `unused`.
   * @throws RateLimitError `rate_limited` as soon as it is certain that the wait exceeds `maxWait`; `too_many_refusals`.
   * @throws NetworkError `aborted`. @throws ConfigurationError `closed`.
   */
  acquire(request: LimitRequest): Lease | Promise<Lease> {
    if (this.#isClosed) throw new ConfigurationError('closed', 'limiter')
    if (request.signal?.aborted) throw new NetworkError('aborted', request.buckets[0]?.name ?? '')
    const now = this.#clock.elapsed()
    this.#requireCalm(request, now)
    const { buckets: specs } = request
    const buckets: Bucket[] = []
    for (const spec of specs) buckets.push(this.#registry.bucket(spec))
    const ticket = request.again?.ticket ?? this.#tickets++
    return this.#scheduler.mayStart(buckets, now) ? this.#begin(buckets, ticket, now) : this.#wait(request, buckets, ticket)
  }

  /** Every bucket in use. */
  limits(): BucketUse[] {
    return [...this.#registry.buckets()].map((bucket) => this.#voice.use(bucket))
  }

  /**
   * Ends every block that a refusal has caused, also in the shared budget: for the buckets in use and those of `specs`. What has been sent
   * stays counted, and the first request of a bucket goes alone.
   */
  async clearBlocks(specs: readonly BucketSpec[]): Promise<void> {
    const now = this.#clock.elapsed()
    this.#breaker.trustEdge()
    for (const spec of specs) this.#registry.bucket(spec)
    const buckets = [...this.#registry.buckets()]
    for (const bucket of buckets) bucket.unblock(now)
    await this.#sharing?.unblock(buckets)
    for (const bucket of buckets) this.#scheduler.drain(bucket, this.#clock.elapsed())
  }

  /** Refuses whoever waits; leaves no timer. Leases that are out may still be ended. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#dismiss(() => new ConfigurationError('closed', 'limiter'))
    this.#agenda.clear()
    this.#registry.close()
    void this.#sharing?.close().catch(() => {})
  }

  #begin(buckets: readonly Bucket[], ticket: number, now: number): Lease {
    for (const bucket of buckets) bucket.inFlight++
    this.#inFlight++
    if (this.#inFlight > this.#peak) this.#peak = this.#inFlight
    const lease = new Lease({ buckets, ticket, sentAt: now }, this.#end)
    const credit = this.#sharing?.take(buckets)
    lease.credit = credit?.name
    lease.heldSince = credit?.askedAt ?? now
    return lease
  }

  #wait(request: LimitRequest, buckets: readonly Bucket[], ticket: number): Promise<Lease> {
    const { maxWait = Number.POSITIVE_INFINITY, signal, party = '', priority = 'normal', again } = request
    const now = this.#clock.elapsed()
    const { bucket, at, ahead } = soonest(buckets, again ? 0 : undefined, now)
    if (at > now + maxWait) throw this.#voice.tooLong(bucket, at - now)
    this.#waiting++
    return new Promise((resolve, reject) => {
      let stopListening: (() => void) | undefined
      const settled = () => {
        stopListening?.()
        if (--this.#waiting === 0) this.#scheduler.rest()
      }
      const waiter = new Waiter({
        ticket,
        deadline: now + maxWait,
        start: () => (settled(), resolve(this.#begin(buckets, ticket, this.#clock.elapsed()))),
        refuse: (reason) => (settled(), reject(reason)),
      })
      waiter.isTold = at > now
      const lane = this.#scheduler.enqueue(waiter, { buckets, party, priority })
      if (waiter.waits) stopListening = this.#listen(lane, waiter, signal)
      // Last: whoever hears it may cancel the request.
      if (waiter.waits && waiter.isTold) this.#voice.delayed(waiter, bucket, { wait: at - now, ahead })
    })
  }

  /** Watches for the caller's second thoughts and for the deadline. The result stops listening. */
  #listen(lane: Lane<Bucket>, waiter: Waiter, signal: AbortSignal | undefined): () => void {
    if (waiter.deadline < Number.POSITIVE_INFINITY) this.#agenda.add(waiter.deadline, () => this.#expire(lane, waiter))
    const leave = () => this.#refuse(lane, waiter, () => new NetworkError('aborted', nameOf(lane)))
    signal?.addEventListener('abort', leave)
    return () => signal?.removeEventListener('abort', leave)
  }

  /** Time is up: somebody before it took longer than could be known. */
  #expire(lane: Lane<Bucket>, waiter: Waiter): void {
    const now = this.#clock.elapsed()
    const { bucket, at } = soonest(lane.buckets, 0, now)
    // The time that a shared store takes to answer is no wait for a limit.
    if (waiter.waits && at <= now && this.#sharing?.isAsking(lane.buckets))
      return this.#agenda.add(now + STORE_TIMEOUT, () => this.#expire(lane, waiter))
    this.#refuse(lane, waiter, () => this.#voice.tooLong(bucket, Math.max(1, at - now)))
  }

  /** A bucket has been closed: who cannot wait that long is told now, and so is everybody who can. */
  #review(lane: Lane<Bucket>, bucket: Bucket): void {
    const now = this.#clock.elapsed()
    let ahead = 0
    for (const waiter of lane.waiters()) {
      const wait = bucket.soonest(ahead, now) - now
      if (now + wait > waiter.deadline) this.#refuse(lane, waiter, () => this.#voice.tooLong(bucket, wait))
      else if (!waiter.isTold && wait > 0) this.#voice.delayed(waiter, bucket, { wait, ahead })
      ahead++
    }
  }

  #finish(lease: Lease, ending: Parameters<End>[1]): void {
    const now = this.#clock.elapsed()
    this.#inFlight--
    for (const bucket of lease.buckets) {
      bucket.inFlight--
      if (ending.kind !== 'unused') bucket.answered(ending.kind === 'lost' ? now + GRACE : now)
    }
    if (this.#isClosed) return this.#sharing?.settle(lease, ending)
    if (ending.kind === 'answered') {
      if (this.#breaker.count(ending.news, { now, route: lease.buckets[0]?.id ?? '' })) this.#sharing?.report()
      const blocked = learn(lease, ending.news, now)
      if (blocked) this.#blocked(blocked)
      this.#keepCalm(now)
    }
    this.#sharing?.settle(lease, ending)
    for (const bucket of lease.buckets) this.#scheduler.drain(bucket, now)
    this.#scheduler.drainThrottled(now)
  }

  #blocked({ bucket, retryAfter, isNew }: Blocked): void {
    this.#scheduler.postpone(bucket)
    this.#sharing?.block(bucket, retryAfter)
    if (isNew) this.#voice.refused(bucket, retryAfter)
  }

  /** Sends nobody who waits while the breaker is open. */
  #keepCalm(now: number): void {
    const wait = this.#breaker.openUntil(now) - now
    if (wait > 0) this.#dismiss((lane) => this.#voice.tooMany(nameOf(lane), wait))
  }

  #dismiss(reason: (lane: Lane<Bucket>) => unknown): void {
    for (const [lane, waiter] of this.#scheduler.waiters()) this.#refuse(lane, waiter, () => reason(lane))
  }

  /** Once: whoever hears the reason may cancel the request. */
  #refuse(lane: Lane<Bucket>, waiter: Waiter, reason: () => unknown): void {
    if (lane.remove(waiter)) waiter.refuse(reason())
  }

  #requireCalm({ buckets }: LimitRequest, now: number): void {
    const openUntil = this.#breaker.openUntil(now)
    if (openUntil > now) throw this.#voice.tooMany(buckets[0]?.name ?? '', openUntil - now)
  }

  #share(parts: Pick<SharingOptions, 'store' | 'parties' | 'hold' | 'fence'>): Sharing {
    return new Sharing({
      ...parts,
      clock: this.#clock,
      refusals: (refusals) => {
        const now = this.#clock.elapsed()
        this.#breaker.learn(refusals, now)
        this.#keepCalm(now)
      },
      changed: (group) => this.#scheduler.drainGroup(group),
      stateChanged: (state) => {
        this.#registry.divide(state.parties, state)
        this.#breaker.divide(state.isAway ? state.parties : 1)
        this.#voice.shared({ isAway: state.isAway, parties: state.parties })
      },
    })
  }
}

const nameOf = ({ buckets }: Lane<Bucket>): string => buckets[0]?.family.name ?? ''

/** The bucket that keeps a request longest, and until when at the least. */
function soonest(buckets: readonly Bucket[], place: number | undefined, now: number): { bucket: Bucket; at: number; ahead: number } {
  let found: { bucket: Bucket; at: number; ahead: number } | undefined
  for (const bucket of buckets) {
    const ahead = place ?? bucket.waiting
    const at = bucket.soonest(ahead, now)
    if (!found || at > found.at) found = { bucket, at, ahead }
  }
  if (!found) throw new ConfigurationError('invalid_argument', 'buckets')
  return found
}
