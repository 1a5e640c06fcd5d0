/** Rate limiter: lets each request start as early as its limits allow, in order, and reports waits. */
import { ConfigurationError, NetworkError } from '../foundation/errors'
import { listenToAbort } from '../foundation/async'
import { waitInRequest } from '../foundation/in-time'
import { monotonic, type MonotonicClock } from '../foundation/monotonic-clock'
import { TimerQueue, Scheduler } from './scheduler'
import { CircuitBreaker } from './circuit-breaker'
import type { Bucket, BucketSpec } from './bucket'
import type { RateLimitUsage } from './limiter-events'
import { type WaitQueue, Waiter } from './fair-queue'
import { type BlockedBucket, applyResponse, type OnSettled, Permit } from './permit'
import type { LimiterOptions, LimitRequest } from './limiter-options'
import { BucketRegistry } from './bucket-registry'
import { guardedStore } from './guarded-store'
import { SharedStoreClient, type SharedStoreClientOptions, STORE_TIMEOUT } from './shared-store-client'
import { ARRIVAL_GRACE } from './store-port'
import { LimiterReporter } from './limiter-reporter'

export type { LimiterOptions, LimitRequest } from './limiter-options'

export class RateLimiter {
  readonly #clock: MonotonicClock
  readonly #timers: TimerQueue
  readonly #buckets: BucketRegistry
  readonly #circuitBreaker: CircuitBreaker
  readonly #scheduler: Scheduler
  readonly #sharedStore: SharedStoreClient | undefined
  readonly #reporter: LimiterReporter
  readonly #onSettled: OnSettled = (permit, outcome) => this.#finish(permit, outcome)
  #nextSequence = 0
  #inFlight = 0
  #waiting = 0
  #peak = 1
  #isClosed = false

  constructor({
    clock,
    store,
    parties = store?.parties ?? 1,
    fence,
    hold = 60_000,
    breaker,
    events = {},
  }: LimiterOptions) {
    this.#clock = monotonic(clock)
    this.#timers = new TimerQueue(this.#clock)
    this.#buckets = new BucketRegistry(this.#clock, (bucket) =>
      this.#scheduler.drain(bucket, this.#clock.elapsed()),
    )
    this.#circuitBreaker = new CircuitBreaker(breaker)
    this.#reporter = new LimiterReporter(this.#clock, events)
    this.#sharedStore = store && this.#createStoreClient({ store: guardedStore(store), parties, hold, fence })
    this.#scheduler = new Scheduler({
      timers: this.#timers,
      sharedStore: this.#sharedStore,
      elapsed: () => this.#clock.elapsed(),
      mayStart: (now) => this.#inFlight < this.#circuitBreaker.cap(this.#peak, now),
      postponed: (queue, bucket) => this.#notifyBlocked(queue, bucket),
    })
  }

  /**
   * Acquires a permit for one request, synchronously if nothing is in the way. Every permit must be settled: `answered`, `lost` or
   * `unused`.
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
    for (const spec of specs) buckets.push(this.#buckets.bucket(spec, now))
    const sequence = request.retryOf?.sequence ?? this.#nextSequence++
    return this.#scheduler.mayStart(buckets, now)
      ? this.#issuePermit(buckets, sequence, now)
      : this.#wait(request, buckets, sequence)
  }

  /** Usage of every bucket in use. */
  limits(): RateLimitUsage[] {
    return [...this.#buckets.buckets()].map((bucket) => this.#reporter.usage(bucket))
  }

  /**
   * Ends every block caused by a 429, also in the shared store: for the buckets in use and those of `specs`. Sent requests stay counted,
   * and the first request of a bucket goes alone.
   */
  async clearBlocks(specs: readonly BucketSpec[]): Promise<void> {
    const now = this.#clock.elapsed()
    this.#circuitBreaker.clearEdge()
    for (const spec of specs) this.#buckets.bucket(spec, now)
    const buckets = [...this.#buckets.buckets()]
    for (const bucket of buckets) bucket.unblock(now)
    await this.#sharedStore?.unblock(buckets)
    for (const bucket of buckets) this.#scheduler.drain(bucket, this.#clock.elapsed())
  }

  /** Rejects waiting requests and clears all timers. Permits in use can still be settled. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#rejectAll(() => new ConfigurationError('closed', 'limiter'))
    this.#timers.clear()
    this.#buckets.close()
    void this.#sharedStore?.close().catch(() => {})
  }

  #issuePermit(buckets: readonly Bucket[], sequence: number, now: number): Permit {
    for (const bucket of buckets) bucket.inFlight++
    this.#inFlight++
    this.#peak = Math.max(this.#peak, this.#inFlight)
    const permit = new Permit({ buckets, sequence, sentAt: now }, this.#onSettled)
    const storeLease = this.#sharedStore?.takeLease(buckets)
    permit.storeLease = storeLease?.name
    permit.heldSince = storeLease?.sentAt ?? now
    return permit
  }

  #wait(request: LimitRequest, buckets: readonly Bucket[], sequence: number): Promise<Permit> {
    const {
      maxWait = Number.POSITIVE_INFINITY,
      signal,
      fairnessKey = '',
      priority = 'normal',
      retryOf,
    } = request
    const now = this.#clock.elapsed()
    const { bucket, at, ahead } = tightestBucket(buckets, retryOf ? 0 : undefined, now)
    if (at > now + maxWait) throw this.#reporter.tooLong(bucket, at - now)
    this.#waiting++
    const permit = new Promise<Permit>((resolve, reject) => {
      let stopListening: (() => void) | undefined
      const settled = () => {
        stopListening?.()
        if (--this.#waiting === 0) this.#scheduler.reset()
      }
      const waiter = new Waiter({
        sequence,
        deadline: now + maxWait,
        start: () => (settled(), resolve(this.#issuePermit(buckets, sequence, this.#clock.elapsed()))),
        reject: (reason) => (settled(), reject(reason)),
      })
      waiter.notified = at > now
      const queue = this.#scheduler.enqueue(waiter, { buckets, fairnessKey, priority })
      if (waiter.isWaiting) stopListening = this.#listen(queue, waiter, signal)
      // Last, since listeners may cancel the request.
      if (waiter.isWaiting && waiter.notified)
        this.#reporter.delayed(waiter, bucket, { wait: at - now, ahead })
    })
    return waitInRequest(this.#clock, permit, () => this.#timers.runDue())
  }

  /** Handles the abort signal and the deadline. Returns a function that removes the abort listener. */
  #listen(queue: WaitQueue<Bucket>, waiter: Waiter, signal: AbortSignal | undefined): () => void {
    if (waiter.deadline < Number.POSITIVE_INFINITY)
      this.#timers.add(waiter.deadline, () => this.#expire(queue, waiter))
    const onAbort = () => this.#reject(queue, waiter, () => new NetworkError('aborted', nameOf(queue)))
    return listenToAbort(signal, onAbort)
  }

  /** The deadline has passed: requests before this one took longer than expected. */
  #expire(queue: WaitQueue<Bucket>, waiter: Waiter): void {
    const now = this.#clock.elapsed()
    const { bucket, at } = tightestBucket(queue.buckets, 0, now)
    // The response time of the shared store does not count as a wait for a limit.
    if (waiter.isWaiting && at <= now && this.#sharedStore?.isPending(queue.buckets))
      return this.#timers.add(now + STORE_TIMEOUT, () => this.#expire(queue, waiter))
    this.#reject(queue, waiter, () => this.#reporter.tooLong(bucket, Math.max(1, at - now)))
  }

  /** After a block: rejects waiting requests whose deadline comes too early, and notifies those that have to wait. */
  #notifyBlocked(queue: WaitQueue<Bucket>, bucket: Bucket): void {
    const now = this.#clock.elapsed()
    let ahead = 0
    for (const waiter of queue.waiters()) {
      const wait = bucket.earliestStart(ahead, now) - now
      if (now + wait > waiter.deadline)
        this.#reject(queue, waiter, () => this.#reporter.tooLong(bucket, wait))
      else if (!waiter.notified && wait > 0) this.#reporter.delayed(waiter, bucket, { wait, ahead })
      ahead++
    }
  }

  #finish(permit: Permit, outcome: Parameters<OnSettled>[1]): void {
    const now = this.#clock.elapsed()
    this.#inFlight--
    for (const bucket of permit.buckets) {
      bucket.inFlight--
      if (outcome.kind !== 'unused') bucket.onResponse(outcome.kind === 'lost' ? now + ARRIVAL_GRACE : now)
    }
    if (this.#isClosed) return this.#sharedStore?.settle(permit, outcome)
    if (outcome.kind === 'answered') {
      if (
        outcome.info.status >= 400 &&
        this.#circuitBreaker.count(outcome.info, { now, route: permit.buckets[0]?.id ?? '' })
      )
        this.#sharedStore?.report()
      const blocked = applyResponse(permit, outcome.info, now)
      if (blocked) this.#onBlocked(blocked)
      this.#checkBreaker(now)
    }
    this.#sharedStore?.settle(permit, outcome)
    for (const bucket of permit.buckets) this.#scheduler.drain(bucket, now)
    this.#scheduler.drainThrottled(now)
  }

  #onBlocked({ bucket, retryAfter, isNew }: BlockedBucket): void {
    this.#scheduler.postpone(bucket)
    this.#sharedStore?.block(bucket, retryAfter)
    if (isNew) this.#reporter.refused(bucket, retryAfter)
  }

  /** Rejects all waiting requests while the circuit breaker is open. */
  #checkBreaker(now: number): void {
    const wait = this.#circuitBreaker.openUntil(now) - now
    if (wait > 0) this.#rejectAll((queue) => this.#reporter.tooMany(nameOf(queue), wait))
  }

  #rejectAll(reason: (queue: WaitQueue<Bucket>) => unknown): void {
    for (const [queue, waiter] of this.#scheduler.waiters()) this.#reject(queue, waiter, () => reason(queue))
  }

  /** Removed first, so that it is rejected once: the receiver of the error may cancel the request. */
  #reject(queue: WaitQueue<Bucket>, waiter: Waiter, reason: () => unknown): void {
    if (queue.remove(waiter)) waiter.reject(reason())
  }

  #requireClosedBreaker({ buckets }: LimitRequest, now: number): void {
    const openUntil = this.#circuitBreaker.openUntil(now)
    if (openUntil > now) throw this.#reporter.tooMany(buckets[0]?.name ?? '', openUntil - now)
  }

  #createStoreClient(
    parts: Pick<SharedStoreClientOptions, 'store' | 'parties' | 'hold' | 'fence'>,
  ): SharedStoreClient {
    return new SharedStoreClient({
      ...parts,
      clock: this.#clock,
      refusals: (refusals) => {
        const now = this.#clock.elapsed()
        this.#circuitBreaker.updateShared(refusals, now)
        this.#checkBreaker(now)
      },
      changed: (group) => this.#scheduler.drainGroup(group),
      stateChanged: (state) => {
        this.#buckets.splitAmong(state.parties, state)
        this.#circuitBreaker.splitAmong(state.isAway ? state.parties : 1)
        const { isAway, parties: count, cause } = state
        this.#reporter.shared({ isAway, parties: count, ...(cause !== undefined && { cause }) })
      },
    })
  }
}

const nameOf = ({ buckets }: WaitQueue<Bucket>): string => buckets[0]?.definition.name ?? ''

/** The bucket that delays a request most, and the earliest start it allows. */
function tightestBucket(
  buckets: readonly Bucket[],
  position: number | undefined,
  now: number,
): { bucket: Bucket; at: number; ahead: number } {
  let found: { bucket: Bucket; at: number; ahead: number } | undefined
  for (const bucket of buckets) {
    const ahead = position ?? bucket.waiting
    const at = bucket.earliestStart(ahead, now)
    if (!found || at > found.at) found = { bucket, at, ahead }
  }
  if (!found) throw new ConfigurationError('invalid_argument', 'buckets')
  return found
}
