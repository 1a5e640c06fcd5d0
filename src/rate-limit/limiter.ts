/** Lets requests start as early as every limit allows and no earlier, in order, and says how long that takes. */
import { ConfigurationError, NetworkError } from '../foundation/errors'
import { monotonic, type MonotonicClock } from '../foundation/monotonic-clock'
import { TimerQueue } from './timer-queue'
import { CircuitBreaker } from './circuit-breaker'
import type { Bucket, BucketSpec } from './bucket'
import type { RateLimitUsage } from './events'
import { type WaitQueue, Waiter } from './fair-queue'
import { type Blocked, applyResponse } from './apply-response'
import { type OnSettled, Permit } from './permit'
import type { LimiterOptions, LimitRequest } from './limiter-options'
import { BucketRegistry } from './bucket-registry'
import { Scheduler } from './scheduler'
import { SharedStoreClient, type SharedStoreClientOptions, STORE_TIMEOUT } from './shared/store-client'
import { ARRIVAL_GRACE } from './shared/store'
import { LimiterReporter } from './reporter'

export type { LimiterOptions, LimitRequest } from './limiter-options'

export class RateLimiter {
  readonly #clock: MonotonicClock
  readonly #timers: TimerQueue
  readonly #buckets: BucketRegistry
  readonly #circuitBreaker: CircuitBreaker
  readonly #scheduler: Scheduler
  readonly #sharedStore: SharedStoreClient | undefined
  readonly #reporter: LimiterReporter
  readonly #end: OnSettled = (permit, ending) => this.#finish(permit, ending)
  #tickets = 0
  #inFlight = 0
  #waiting = 0
  #peak = 1
  #isClosed = false

  constructor({ clock, store, parties = store?.parties ?? 1, fence, hold = 60_000, breaker, events = {} }: LimiterOptions) {
    this.#clock = monotonic(clock)
    this.#timers = new TimerQueue(this.#clock)
    this.#buckets = new BucketRegistry(this.#clock, (bucket) => this.#scheduler.drain(bucket, this.#clock.elapsed()))
    this.#circuitBreaker = new CircuitBreaker(breaker)
    this.#reporter = new LimiterReporter(this.#clock, events)
    this.#sharedStore = store && this.#share({ store, parties, hold, fence })
    this.#scheduler = new Scheduler({
      timers: this.#timers,
      sharedStore: this.#sharedStore,
      elapsed: () => this.#clock.elapsed(),
      mayStart: (now) => this.#inFlight < this.#circuitBreaker.cap(this.#peak, now),
      postponed: (queue, bucket) => this.#review(queue, bucket),
    })
  }

  /**
   * The right to send one request, at once when nothing is in the way. Every lease must be ended: `answered`, `lost` or `unused`.
   * @throws RateLimitError `rate_limited` as soon as it is certain that the wait exceeds `maxWait`; `too_many_refusals`.
   * @throws NetworkError `aborted`. @throws ConfigurationError `closed`.
   */
  acquire(request: LimitRequest): Permit | Promise<Permit> {
    if (this.#isClosed) throw new ConfigurationError('closed', 'limiter')
    if (request.signal?.aborted) throw new NetworkError('aborted', request.buckets[0]?.name ?? '')
    const now = this.#clock.elapsed()
    this.#requireClosedBreaker(request, now)
    const { buckets: specs } = request
    const buckets: Bucket[] = []
    for (const spec of specs) buckets.push(this.#buckets.bucket(spec))
    const ticket = request.again?.sequence ?? this.#tickets++
    return this.#scheduler.mayStart(buckets, now) ? this.#begin(buckets, ticket, now) : this.#wait(request, buckets, ticket)
  }

  /** Every bucket in use. */
  limits(): RateLimitUsage[] {
    return [...this.#buckets.buckets()].map((bucket) => this.#reporter.use(bucket))
  }

  /**
   * Ends every block that a refusal has caused, also in the shared budget: for the buckets in use and those of `specs`. What has been sent
   * stays counted, and the first request of a bucket goes alone.
   */
  async clearBlocks(specs: readonly BucketSpec[]): Promise<void> {
    const now = this.#clock.elapsed()
    this.#circuitBreaker.trustEdge()
    for (const spec of specs) this.#buckets.bucket(spec)
    const buckets = [...this.#buckets.buckets()]
    for (const bucket of buckets) bucket.unblock(now)
    await this.#sharedStore?.unblock(buckets)
    for (const bucket of buckets) this.#scheduler.drain(bucket, this.#clock.elapsed())
  }

  /** Refuses whoever waits; leaves no timer. Leases that are out may still be ended. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#dismiss(() => new ConfigurationError('closed', 'limiter'))
    this.#timers.clear()
    this.#buckets.close()
    void this.#sharedStore?.close().catch(() => {})
  }

  #begin(buckets: readonly Bucket[], sequence: number, now: number): Permit {
    for (const bucket of buckets) bucket.inFlight++
    this.#inFlight++
    if (this.#inFlight > this.#peak) this.#peak = this.#inFlight
    const permit = new Permit({ buckets, sequence, sentAt: now }, this.#end)
    const storeLease = this.#sharedStore?.take(buckets)
    permit.storeLease = storeLease?.name
    permit.heldSince = storeLease?.askedAt ?? now
    return permit
  }

  #wait(request: LimitRequest, buckets: readonly Bucket[], ticket: number): Promise<Permit> {
    const { maxWait = Number.POSITIVE_INFINITY, signal, party = '', priority = 'normal', again } = request
    const now = this.#clock.elapsed()
    const { bucket, at, ahead } = soonest(buckets, again ? 0 : undefined, now)
    if (at > now + maxWait) throw this.#reporter.tooLong(bucket, at - now)
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
      waiter.notified = at > now
      const queue = this.#scheduler.enqueue(waiter, { buckets, party, priority })
      if (waiter.waits) stopListening = this.#listen(queue, waiter, signal)
      // Last: whoever hears it may cancel the request.
      if (waiter.waits && waiter.notified) this.#reporter.delayed(waiter, bucket, { wait: at - now, ahead })
    })
  }

  /** Watches for the caller's second thoughts and for the deadline. The result stops listening. */
  #listen(queue: WaitQueue<Bucket>, waiter: Waiter, signal: AbortSignal | undefined): () => void {
    if (waiter.deadline < Number.POSITIVE_INFINITY) this.#timers.add(waiter.deadline, () => this.#expire(queue, waiter))
    const leave = () => this.#refuse(queue, waiter, () => new NetworkError('aborted', nameOf(queue)))
    signal?.addEventListener('abort', leave)
    return () => signal?.removeEventListener('abort', leave)
  }

  /** Time is up: somebody before it took longer than could be known. */
  #expire(queue: WaitQueue<Bucket>, waiter: Waiter): void {
    const now = this.#clock.elapsed()
    const { bucket, at } = soonest(queue.buckets, 0, now)
    // The time that a shared store takes to answer is no wait for a limit.
    if (waiter.waits && at <= now && this.#sharedStore?.isAsking(queue.buckets))
      return this.#timers.add(now + STORE_TIMEOUT, () => this.#expire(queue, waiter))
    this.#refuse(queue, waiter, () => this.#reporter.tooLong(bucket, Math.max(1, at - now)))
  }

  /** A bucket has been closed: who cannot wait that long is told now, and so is everybody who can. */
  #review(queue: WaitQueue<Bucket>, bucket: Bucket): void {
    const now = this.#clock.elapsed()
    let ahead = 0
    for (const waiter of queue.waiters()) {
      const wait = bucket.earliestStart(ahead, now) - now
      if (now + wait > waiter.deadline) this.#refuse(queue, waiter, () => this.#reporter.tooLong(bucket, wait))
      else if (!waiter.notified && wait > 0) this.#reporter.delayed(waiter, bucket, { wait, ahead })
      ahead++
    }
  }

  #finish(permit: Permit, ending: Parameters<OnSettled>[1]): void {
    const now = this.#clock.elapsed()
    this.#inFlight--
    for (const bucket of permit.buckets) {
      bucket.inFlight--
      if (ending.kind !== 'unused') bucket.answered(ending.kind === 'lost' ? now + ARRIVAL_GRACE : now)
    }
    if (this.#isClosed) return this.#sharedStore?.settle(permit, ending)
    if (ending.kind === 'answered') {
      if (this.#circuitBreaker.count(ending.news, { now, route: permit.buckets[0]?.id ?? '' })) this.#sharedStore?.report()
      const blocked = applyResponse(permit, ending.news, now)
      if (blocked) this.#blocked(blocked)
      this.#checkBreaker(now)
    }
    this.#sharedStore?.settle(permit, ending)
    for (const bucket of permit.buckets) this.#scheduler.drain(bucket, now)
    this.#scheduler.drainThrottled(now)
  }

  #blocked({ bucket, retryAfter, isNew }: Blocked): void {
    this.#scheduler.postpone(bucket)
    this.#sharedStore?.block(bucket, retryAfter)
    if (isNew) this.#reporter.refused(bucket, retryAfter)
  }

  /** Sends nobody who waits while the breaker is open. */
  #checkBreaker(now: number): void {
    const wait = this.#circuitBreaker.openUntil(now) - now
    if (wait > 0) this.#dismiss((queue) => this.#reporter.tooMany(nameOf(queue), wait))
  }

  #dismiss(reason: (queue: WaitQueue<Bucket>) => unknown): void {
    for (const [queue, waiter] of this.#scheduler.waiters()) this.#refuse(queue, waiter, () => reason(queue))
  }

  /** Once: whoever hears the reason may cancel the request. */
  #refuse(queue: WaitQueue<Bucket>, waiter: Waiter, reason: () => unknown): void {
    if (queue.remove(waiter)) waiter.refuse(reason())
  }

  #requireClosedBreaker({ buckets }: LimitRequest, now: number): void {
    const openUntil = this.#circuitBreaker.openUntil(now)
    if (openUntil > now) throw this.#reporter.tooMany(buckets[0]?.name ?? '', openUntil - now)
  }

  #share(parts: Pick<SharedStoreClientOptions, 'store' | 'parties' | 'hold' | 'fence'>): SharedStoreClient {
    return new SharedStoreClient({
      ...parts,
      clock: this.#clock,
      refusals: (refusals) => {
        const now = this.#clock.elapsed()
        this.#circuitBreaker.learn(refusals, now)
        this.#checkBreaker(now)
      },
      changed: (group) => this.#scheduler.drainGroup(group),
      stateChanged: (state) => {
        this.#buckets.splitAmong(state.parties, state)
        this.#circuitBreaker.splitAmong(state.isAway ? state.parties : 1)
        this.#reporter.shared({ isAway: state.isAway, parties: state.parties })
      },
    })
  }
}

const nameOf = ({ buckets }: WaitQueue<Bucket>): string => buckets[0]?.family.name ?? ''

/** The bucket that keeps a request longest, and until when at the least. */
function soonest(buckets: readonly Bucket[], place: number | undefined, now: number): { bucket: Bucket; at: number; ahead: number } {
  let found: { bucket: Bucket; at: number; ahead: number } | undefined
  for (const bucket of buckets) {
    const ahead = place ?? bucket.waiting
    const at = bucket.earliestStart(ahead, now)
    if (!found || at > found.at) found = { bucket, at, ahead }
  }
  if (!found) throw new ConfigurationError('invalid_argument', 'buckets')
  return found
}
