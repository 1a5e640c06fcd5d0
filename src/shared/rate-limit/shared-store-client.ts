/** The limiter's client of a shared store: requests leases in batches, and falls back to local limits while it is unavailable. */
import { AbortGroup } from '../foundation/async'
import { inTime } from '../foundation/in-time'
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { reportedUse, type Outcome, type Permit } from './permit'
import { type Bucket, setId } from './bucket'
import { type StoreLease, RequestGroup } from './request-group'
import {
  HEARTBEAT,
  type Grant,
  type RateLimitStore,
  type Refusals,
  type Settlement,
  type SharedBucket,
} from './store-port'

/** Timeout for a response of the store, in ms. */
export const STORE_TIMEOUT = 1000
/** ms between two checks whether the store is back. */
const RETRY_INTERVAL = 1000
/** ms between two checks in the first second. */
const QUIET_INTERVAL = 100
/** ms after which the last check of an unavailable store is outdated. */
const STALE_AFTER = 2 * RETRY_INTERVAL

export interface SharedStoreClientOptions {
  store: RateLimitStore
  clock: MonotonicClock
  /** Number of parties assumed until the store has reported it. */
  parties: number
  /** Maximum ms that a request may be in flight. */
  hold: number
  /** For locks: see `AcquireRequest.fence`. Nothing starts without the store. */
  fence: number | undefined
  /** Called when the store has granted or refused leases to a group. */
  changed: (group: RequestGroup) => void
  /** Called when the store became unavailable or is back. `parties` share it; `hasResponded`: it became unavailable after it had responded. */
  stateChanged: (state: { isAway: boolean; parties: number; hasResponded?: boolean; cause?: unknown }) => void
  /** Called with the refusals of all parties that share the store. */
  refusals: (refusals: Refusals) => void
}

export class SharedStoreClient {
  readonly #options: SharedStoreClientOptions
  readonly #groups = new Map<string, RequestGroup>()
  readonly #ended = new AbortGroup()
  readonly #settlements = new Map<string, Settlement & { leases: string[] }>()
  #parties: number
  #isAway = false
  #hasResponded = false
  /** Refusals not yet reported to the store. */
  #refusals = 0
  #leasesInUse = 0
  #cancelHeartbeat: (() => void) | undefined
  #cancelQuietCheck: (() => void) | undefined
  #retryAt = Number.NEGATIVE_INFINITY
  #lastError: unknown
  readonly #onFailure = (error: unknown): void => this.#markUnavailable(error)

  constructor(options: SharedStoreClientOptions) {
    this.#options = options
    this.#parties = options.parties
  }

  /**
   * The group in which a request must wait for leases; undefined if it may start now. An unavailable store is only probed. A group is
   * deleted when no request waits in it.
   */
  obstacle(buckets: readonly Bucket[]): RequestGroup | undefined {
    if (this.#isAway && this.#options.clock.elapsed() < this.#retryAt - RETRY_INTERVAL + STALE_AFTER)
      return this.#probe(buckets)
    const id = setId(buckets)
    const group = this.#groups.get(id) ?? new RequestGroup(buckets)
    this.#groups.set(id, group)
    return group.storeLeases.length > 0 ? undefined : group
  }

  /** True if a request to the store for these buckets is pending. */
  isPending(buckets: readonly Bucket[]): boolean | undefined {
    return this.#groups.get(setId(buckets))?.isPending
  }

  /** Takes one of the leases found by `obstacle`; undefined while the store is unavailable. */
  takeLease(buckets: readonly Bucket[]): StoreLease | undefined {
    const storeLease = this.#groups.get(setId(buckets))?.storeLeases.shift()
    if (storeLease !== undefined && this.#leasesInUse++ === 0) this.#heartbeat()
    return storeLease
  }

  /** Requests leases for the group's waiting requests, batched per microtask. */
  requestLeases(group: RequestGroup): void {
    if (group.isPending) return
    group.isPending = true
    void Promise.resolve()
      .then(() => this.#acquire(group))
      .then((grant) => this.#onGrant(group, grant))
  }

  /** Returns leases that were not taken, and deletes an idle group. */
  releaseUnused(group: RequestGroup): void {
    const surplus = group.storeLeases.splice(0).map(({ name }) => name)
    if (surplus.length > 0) this.#send({ buckets: group.buckets.map(shared), leases: surplus, how: 'unused' })
    if (group.queue.size === 0 && !group.isPending) this.#groups.delete(setId(group.buckets))
  }

  /** Reports an outcome to the store, batched per microtask. */
  settle({ storeLease, buckets }: Permit, outcome: Outcome): void {
    if (storeLease === undefined) return
    this.#leasesInUse--
    const how = outcome.kind === 'answered' && outcome.info.status === 429 ? 'refused' : outcome.kind
    const id = `${how} ${setId(buckets)}`
    const { leases = [], used = 0 } = this.#settlements.get(id) ?? {}
    void Promise.resolve().then(() => this.#flush())
    leases.push(storeLease)
    const reported =
      outcome.kind === how && outcome.kind === 'answered' ? reportedUse(buckets, outcome.info) : 0
    this.#settlements.set(id, { buckets: buckets.map(shared), leases, how, used: Math.max(used, reported) })
  }

  block(bucket: Bucket, ms: number): void {
    void this.#options.store.block(shared(bucket), ms).catch(this.#onFailure)
  }

  /** Reports a refusal, which counts for all parties that share the store; batched per microtask. */
  report(): void {
    if (this.#refusals++ > 0) return
    const send = () => {
      const count = this.#refusals
      this.#refusals = 0
      return this.#options.store.countRefusals(count)
    }
    void Promise.resolve().then(send).then(this.#options.refusals, this.#onFailure)
  }

  async unblock(buckets: readonly Bucket[]): Promise<void> {
    const { store, clock } = this.#options
    const unblocked = Promise.all(buckets.map((bucket) => store.unblock(shared(bucket))))
    await inTime(unblocked, { name: 'store', clock, timeout: STORE_TIMEOUT }).catch(this.#onFailure)
  }

  async close(): Promise<void> {
    this.#ended.end()
    this.#cancelHeartbeat?.()
    this.#cancelQuietCheck?.()
    this.#flush()
    await this.#options.store.close()
  }

  /** Sends heartbeats while requests are in flight, so that the store does not consider this party dead. */
  #heartbeat(): void {
    this.#cancelHeartbeat ??= this.#options.clock.afterUnref(HEARTBEAT, () => {
      this.#cancelHeartbeat = undefined
      if (this.#leasesInUse === 0) return
      void this.#options.store.acquire({ buckets: [], want: 0, hold: 0 }).catch(this.#onFailure)
      this.#heartbeat()
    })
  }

  #flush(): void {
    for (const settlement of this.#settlements.values()) this.#send(settlement)
    this.#settlements.clear()
  }

  #send(settlement: Settlement): void {
    void this.#options.store.settle(settlement).catch(this.#onFailure)
  }

  /** Resolves with undefined if the store is unavailable. */
  async #acquire(group: RequestGroup): Promise<TimedGrant | undefined> {
    const sentAt = this.#options.clock.elapsed()
    const want = group.demand(this.#parties, sentAt)
    const { hold, fence } = this.#options
    if (want < 1) return { leases: [], wait: 0, blockedBy: 0, parties: this.#parties, want, sentAt }
    const buckets = group.buckets.map(shared)
    const request = this.#options.store.acquire({ buckets, want, hold, fence })
    const grant = await this.#withTimeout(request)
    if (!grant)
      void request.then(({ leases }) => this.#send({ buckets, leases, how: 'unused' })).catch(() => {})
    return grant && { ...grant, want, sentAt }
  }

  #onGrant(group: RequestGroup, grant: TimedGrant | undefined): void {
    group.isPending = false
    if (grant) this.#onResponse(grant)
    else this.#markUnavailable()
    if (grant) group.storeLeases.push(...grant.leases.map((name) => ({ name, sentAt: grant.sentAt })))
    const blockedBucket =
      grant && grant.leases.length < grant.want ? group.buckets[grant.blockedBy] : undefined
    const now = this.#options.clock.elapsed()
    if (blockedBucket && grant) group.postpone(blockedBucket, now + Math.max(1, grant.wait))
    else if (!grant && this.#options.fence !== undefined && group.buckets[0])
      group.postpone(group.buckets[0], now + RETRY_INTERVAL)
    this.#options.changed(group)
  }

  #withTimeout(request: Promise<Grant>): Promise<Grant | undefined> {
    const { connectTimeout = STORE_TIMEOUT } = this.#options.store
    const wait = {
      name: 'store',
      clock: this.#options.clock,
      // The first request may include connecting: that is no reason to go on without the store.
      timeout: this.#hasResponded || this.#isAway ? STORE_TIMEOUT : connectTimeout,
      group: this.#ended,
    }
    return inTime<Grant | undefined>(request, wait).catch((error: unknown) => void (this.#lastError = error))
  }

  #markUnavailable(cause = this.#lastError): void {
    if (this.#ended.aborted) return
    this.#retryAt = this.#options.clock.elapsed() + RETRY_INTERVAL
    if (this.#isAway || this.#options.fence !== undefined) return
    this.#isAway = true
    this.#options.stateChanged({
      isAway: true,
      parties: this.#parties,
      hasResponded: this.#hasResponded,
      cause,
    })
    if (this.#hasResponded) this.#checkLater(this.#retryAt)
    for (const group of this.#groups.values()) this.#options.changed(group)
  }

  /**
   * Checks whether the store is back, until `end`. A party that lost it only for a moment, as in a failover, must not add its share to what
   * the store grants to all others.
   */
  #checkLater(end: number): void {
    const { clock, store } = this.#options
    if (this.#ended.aborted) return
    this.#cancelQuietCheck = clock.afterUnref(QUIET_INTERVAL, () => {
      if (!this.#isAway || clock.elapsed() >= end) return
      store.acquire({ buckets: [], want: 0, hold: 0 }).then(
        (grant) => this.#onResponse(grant),
        () => this.#checkLater(end),
      )
    })
  }

  #probe(buckets: readonly Bucket[]): undefined {
    if (this.#options.clock.elapsed() < this.#retryAt) return
    this.#retryAt = Number.POSITIVE_INFINITY
    const request = this.#options.store.acquire({ buckets: buckets.map(shared), want: 0, hold: 0 })
    // A late response counts too: the connection will be restored sooner or later.
    request.then(
      (grant) => this.#onResponse(grant),
      () => {},
    )
    void this.#withTimeout(request).then((grant) => grant ?? this.#markUnavailable())
  }

  /** Handles a response of the store. */
  #onResponse({ parties }: Grant): void {
    if (this.#ended.aborted) return
    this.#parties = Math.max(1, parties)
    const isBack = this.#isAway
    this.#hasResponded = true
    this.#isAway = false
    if (isBack) this.#options.stateChanged({ isAway: false, parties: this.#parties })
  }
}

/** A grant with the number of leases that were requested, and the time of the request. */
type TimedGrant = Grant & { readonly want: number; readonly sentAt: number }

const shared = ({ id, definition }: Bucket): SharedBucket => ({ key: id, ...definition.full })
