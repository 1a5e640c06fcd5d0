/** The limiter's side of a shared budget: asks for slots in batches, gives back what it does not need, and manages alone while the store is away. */
import { NetworkError } from '../../foundation/errors'
import { createDeferred } from '../../foundation/deferred'
import type { MonotonicClock } from '../../foundation/monotonic-clock'
import { type Bucket, setId } from '../bucket'
import { type StoreLease, RequestGroup } from './request-group'
import type { Outcome, Permit } from '../permit'
import { HEARTBEAT, type Grant, type RateLimitStore, type Refusals, type Settlement, type SharedBucket } from './store'

/** An answer of the store that takes longer is none. ms. */
export const STORE_TIMEOUT = 1000
/** Between two looks whether the store is back. */
const RETRY = 1000
/** What was seen of the store longer ago is not relied on. */
const STALE = 2 * RETRY

export interface SharedStoreClientOptions {
  store: RateLimitStore
  clock: MonotonicClock
  /** Parties to expect before the store has said how many there are. */
  parties: number
  /** ms that a request may be out. */
  hold: number
  /** For a lock: see `Ask`. Nothing starts without the store. */
  fence: number | undefined
  /** A group has got slots, or has learnt why not. */
  changed: (group: RequestGroup) => void
  /** The store went away or came back; `parties` is how many share the budget. `wasThere`: it had answered before. */
  stateChanged: (state: { isAway: boolean; parties: number; wasThere: boolean }) => void
  /** What all who share the budget have been refused. */
  refusals: (refusals: Refusals) => void
}

export class SharedStoreClient {
  readonly #options: SharedStoreClientOptions
  readonly #groups = new Map<string, RequestGroup>()
  readonly #life = new AbortController()
  readonly #endings = new Map<string, Settlement & { leases: string[] }>()
  #parties: number
  #isAway = false
  /** Whether the store has ever answered. */
  #wasThere = false
  /** Refusals that the store has not been told of. */
  #refusals = 0
  /** Slots of the store that requests hold. */
  #taken = 0
  #stopBeating: (() => void) | undefined
  #retryAt = Number.NEGATIVE_INFINITY

  constructor(options: SharedStoreClientOptions) {
    this.#options = options
    this.#parties = options.parties
  }

  /**
   * Where a request must wait until the store has given slots; undefined when it may start now. While the store is away nobody is asked,
   * except whether it is back. A group is forgotten when nobody waits in it.
   */
  obstacle(buckets: readonly Bucket[]): RequestGroup | undefined {
    if (this.#isAway && this.#options.clock.elapsed() < this.#retryAt - RETRY + STALE) return this.#retryLater(buckets)
    const id = setId(buckets)
    const group = this.#groups.get(id) ?? new RequestGroup(buckets)
    this.#groups.set(id, group)
    return group.storeLeases.length > 0 ? undefined : group
  }

  /** Whether the store has yet to say what there is of these. */
  isAsking(buckets: readonly Bucket[]): boolean {
    return this.#groups.get(setId(buckets))?.isAsking ?? false
  }

  /** Takes one of the slots that `obstacle` saw; undefined while the store is away. */
  take(buckets: readonly Bucket[]): StoreLease | undefined {
    const storeLease = this.#groups.get(setId(buckets))?.storeLeases.shift()
    if (storeLease !== undefined && this.#taken++ === 0) this.#heartbeat()
    return storeLease
  }

  /** Asks for whoever waits in the group; all that came in this turn ask together. */
  ask(group: RequestGroup): void {
    if (group.isAsking) return
    group.isAsking = true
    void Promise.resolve()
      .then(() => this.#fetch(group))
      .then((grant) => this.#take(group, grant))
  }

  /** Gives back what nobody took, and forgets a group that rests. */
  releaseUnused(group: RequestGroup): void {
    const surplus = group.storeLeases.splice(0).map(({ name }) => name)
    if (surplus.length > 0) this.#send({ buckets: group.buckets.map(shared), leases: surplus, how: 'unused' })
    if (group.queue.size === 0 && !group.isAsking) this.#groups.delete(setId(group.buckets))
  }

  /** Tells the store how a request ended; what ends in one turn goes in one message. */
  settle({ storeLease, buckets }: Permit, ending: Outcome): void {
    if (storeLease === undefined) return
    this.#taken--
    const { status, limit = 0, remaining = limit } = ending.kind === 'answered' ? ending.news : {}
    const how = status === 429 ? 'refused' : ending.kind
    const id = `${how} ${setId(buckets)}`
    const { leases = [], used = 0 } = this.#endings.get(id) ?? {}
    if (this.#endings.size === 0) void Promise.resolve().then(() => this.#flush())
    leases.push(storeLease)
    const told = how === 'answered' ? limit - remaining : 0
    this.#endings.set(id, { buckets: buckets.map(shared), leases, how, used: Math.max(used, told) })
  }

  block(bucket: Bucket, ms: number): void {
    void this.#options.store.block(shared(bucket), ms).catch(() => this.#markUnavailable())
  }

  /** A refusal counts for all who share the budget; those of one turn go in one message. */
  report(): void {
    if (this.#refusals++ > 0) return
    const tell = () => {
      const count = this.#refusals
      this.#refusals = 0
      return this.#options.store.countRefusals(count)
    }
    void Promise.resolve()
      .then(tell)
      .then(this.#options.refusals, () => this.#markUnavailable())
  }

  async unblock(buckets: readonly Bucket[]): Promise<void> {
    await Promise.all(buckets.map((bucket) => this.#options.store.unblock(shared(bucket)))).catch(() => this.#markUnavailable())
  }

  async close(): Promise<void> {
    this.#life.abort()
    this.#stopBeating?.()
    this.#flush()
    await this.#options.store.close()
  }

  /** While requests are under way the store hears that somebody is there who waits for them. */
  #heartbeat(): void {
    this.#stopBeating ??= this.#options.clock.afterUnref(HEARTBEAT, () => {
      this.#stopBeating = undefined
      if (this.#taken === 0) return
      void this.#options.store.acquire({ buckets: [], want: 0, hold: 0 }).catch(() => this.#markUnavailable())
      this.#heartbeat()
    })
  }

  #flush(): void {
    for (const settlement of this.#endings.values()) this.#send(settlement)
    this.#endings.clear()
  }

  #send(settlement: Settlement): void {
    void this.#options.store.settle(settlement).catch(() => this.#markUnavailable())
  }

  /** Undefined when the store is away. */
  async #fetch(group: RequestGroup): Promise<Fetched | undefined> {
    const askedAt = this.#options.clock.elapsed()
    const want = group.demand(this.#parties, askedAt)
    const { hold, fence } = this.#options
    if (want < 1) return { leases: [], wait: 0, blockedBy: 0, parties: this.#parties, want, askedAt }
    const buckets = group.buckets.map(shared)
    const asked = this.#options.store.acquire({ buckets, want, hold, fence })
    const grant = await this.#inTime(asked)
    if (!grant) void asked.then(({ leases }) => this.#send({ buckets, leases, how: 'unused' })).catch(() => {})
    return grant && { ...grant, want, askedAt }
  }

  #take(group: RequestGroup, grant: Fetched | undefined): void {
    group.isAsking = false
    if (grant) this.#find(grant)
    else this.#markUnavailable()
    if (grant) group.storeLeases.push(...grant.leases.map((name) => ({ name, askedAt: grant.askedAt })))
    const inTheWay = grant && grant.leases.length < grant.want ? group.buckets[grant.blockedBy] : undefined
    const now = this.#options.clock.elapsed()
    if (inTheWay && grant) group.postpone(inTheWay, now + Math.max(1, grant.wait))
    else if (!grant && this.#options.fence !== undefined && group.buckets[0]) group.postpone(group.buckets[0], now + RETRY)
    this.#options.changed(group)
  }

  #inTime(asked: Promise<Grant>): Promise<Grant | undefined> {
    const { connectTimeout = STORE_TIMEOUT } = this.#options.store
    const limits = {
      // Asked for the first time it may have to be connected: that is no reason to go on without it.
      timeout: this.#wasThere || this.#isAway ? STORE_TIMEOUT : connectTimeout,
      signals: [this.#life.signal],
      makeError: (code: 'timed_out' | 'aborted') => new NetworkError(code, 'store'),
    }
    const pending = createDeferred<Grant | undefined>(this.#options.clock, limits)
    asked.then(pending.resolve, pending.reject)
    return pending.promise.catch(() => undefined)
  }

  #markUnavailable(): void {
    if (this.#life.signal.aborted) return
    this.#retryAt = this.#options.clock.elapsed() + RETRY
    if (this.#isAway || this.#options.fence !== undefined) return
    this.#isAway = true
    this.#options.stateChanged({ isAway: true, parties: this.#parties, wasThere: this.#wasThere })
    for (const group of this.#groups.values()) this.#options.changed(group)
  }

  #retryLater(buckets: readonly Bucket[]): undefined {
    if (this.#options.clock.elapsed() < this.#retryAt) return
    this.#retryAt = Number.POSITIVE_INFINITY
    const asked = this.#options.store.acquire({ buckets: buckets.map(shared), want: 0, hold: 0 })
    // A late answer is one, too: a connection is made again sooner or later.
    asked.then(
      (grant) => this.#find(grant),
      () => {},
    )
    void this.#inTime(asked).then((grant) => grant ?? this.#markUnavailable())
  }

  /** The store has answered. */
  #find({ parties }: Grant): void {
    if (this.#life.signal.aborted) return
    this.#parties = Math.max(1, parties)
    const isBack = this.#isAway
    this.#wasThere = true
    this.#isAway = false
    if (isBack) this.#options.stateChanged({ isAway: false, parties: this.#parties, wasThere: true })
  }
}

/** A grant with what it was asked for, and when. */
type Fetched = Grant & { readonly want: number; readonly askedAt: number }

const shared = ({ id, family }: Bucket): SharedBucket => ({ key: id, ...family.full })
