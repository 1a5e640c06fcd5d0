/** State of one limit for one key. Queue and backoff state are allocated only when needed. */
import { Backoff } from './backoff'
import { FairQueue } from './fair-queue'
import { freeAt } from './store-port'
import { fairPart, type Gate, gateOf, opensAt, type SlotRule, SlotWindow } from './slot-window'

export type Scope = 'user' | 'global' | 'shared'

/** Specifies a bucket by name. The rule is fixed by the first use: later specs with the same name must be equal. */
export interface BucketSpec extends SlotRule {
  /** For example `join_lobby`. */
  readonly name: string
  /** Owner of the slots, if the limit counts separately per player or lobby. */
  readonly key?: string
  /** Default: `global` for a bucket of that name, else `user`. */
  readonly scope?: Scope
}

/** A named limit, shared by all buckets of that name. */
export class LimitDefinition {
  readonly name: string
  readonly scope: Scope
  /** The limit as the service defines it. */
  readonly full: SlotRule
  /** The current limit: `full`, or a part of it while the shared store is unavailable. */
  rule: SlotRule
  /** Time slots for starting requests, while the shared store is unavailable and there are more parties than slots. */
  gate: Gate | undefined

  constructor({ name, limit, per, scope = name === 'global' ? 'global' : 'user' }: BucketSpec) {
    this.name = name
    this.scope = scope
    this.full = { limit, per }
    this.rule = this.full
  }

  /** Reduces the limit to one of `parties` equal parts. */
  splitAmong(parties: number, phase: number): void {
    this.rule = parties === 1 ? this.full : fairPart(this.full, parties)
    this.gate = gateOf(this.full, { parties, phase })
  }

  /** Restores the whole limit. */
  restoreFullLimit(): void {
    this.rule = this.full
    this.gate = undefined
  }
}

/** State that most buckets never need. */
export interface SlowPathState {
  waiting: number
  queue: FairQueue<Bucket>
  backoff: Backoff | undefined
  /** Monotonic ms before which the shared store grants nothing. */
  storeBlockedUntil: number
  /** Time of the timer set for this bucket, and the timer queue's epoch at which it was set. */
  scheduledAt: number
  epoch: number
}

export class Bucket extends SlotWindow {
  readonly definition: LimitDefinition
  readonly key: string
  #slowPath: SlowPathState | undefined

  constructor(definition: LimitDefinition, key: string) {
    super()
    this.definition = definition
    this.key = key
    if (definition.full.limit === Number.POSITIVE_INFINITY) this.backoff = Backoff.ofUnknown()
  }

  /** Id of the bucket in the shared store. */
  get id(): string {
    return `${this.definition.name}:${this.key}`
  }

  get rule(): SlotRule {
    return this.#slowPath?.backoff?.reportedLimit ?? this.definition.rule
  }

  get backoff(): Backoff | undefined {
    return this.#slowPath?.backoff
  }

  set backoff(backoff: Backoff | undefined) {
    this.slowPath.backoff = backoff
  }

  get slowPath(): SlowPathState {
    this.#slowPath ??= {
      waiting: 0,
      queue: new FairQueue(),
      backoff: undefined,
      storeBlockedUntil: Number.NEGATIVE_INFINITY,
      scheduledAt: Number.POSITIVE_INFINITY,
      epoch: 0,
    }
    return this.#slowPath
  }

  get waiting(): number {
    return this.#slowPath?.waiting ?? 0
  }

  set waiting(waiting: number) {
    this.slowPath.waiting = waiting
  }

  /** Number of wait queues that are blocked by this bucket. */
  get queued(): number {
    return this.#slowPath?.queue.size ?? 0
  }

  /** Number of requests that may start at `now`. */
  available(now: number): number {
    const slowPath = this.#slowPath
    const { gate } = this.definition
    if (gate && now < opensAt(gate, now)) return 0
    if (!slowPath) return this.free(this.definition.rule.limit, now)
    if (now < this.blockedUntil) return 0
    const { rule } = this
    const free = this.free(rule.limit, now)
    return slowPath.backoff ? Math.min(free, slowPath.backoff.free(rule, now) - this.inFlight) : free
  }

  /** Monotonic ms until which nothing starts, whatever is free. */
  get blockedUntil(): number {
    const slowPath = this.#slowPath
    return slowPath
      ? Math.max(slowPath.storeBlockedUntil, slowPath.backoff?.blockedUntil ?? slowPath.storeBlockedUntil)
      : Number.NEGATIVE_INFINITY
  }

  /** Ends a block of this client or of the shared store. */
  unblock(now: number): void {
    const slowPath = this.#slowPath
    if (!slowPath) return
    slowPath.storeBlockedUntil = Math.min(slowPath.storeBlockedUntil, now)
    slowPath.backoff?.unblock(now)
  }

  /** Earliest start with regard to blocks and to this party's time slots. */
  opening(now: number): number {
    const { gate } = this.definition
    return Math.max(this.blockedUntil, gate ? opensAt(gate, now) : now)
  }

  /** Blocks the bucket until a time that the shared store gave. */
  hold(until: number): void {
    this.slowPath.storeBlockedUntil = Math.max(this.slowPath.storeBlockedUntil, until)
  }

  /** Time at which `available` may grow without a response; `Infinity` if only a response can make it grow. */
  nextChange(now: number): number {
    const opening = this.opening(now)
    if (now < opening) return opening
    if (this.available(now) > 0) return now
    if (this.free(this.rule.limit, now) < 1) return this.nextRelease
    return this.backoff?.nextRelease(this.rule, this.inFlight) ?? Number.POSITIVE_INFINITY
  }

  /** Occupies the slot of a request that was answered at `from`, or reaches the service by then. */
  onResponse(from: number): void {
    const { rule } = this
    this.occupyUntil(freeAt(from, rule.per))
    this.backoff?.onResponse(from, rule)
  }

  /** Earliest start for a request with `ahead` requests before it. */
  earliestStart(ahead: number, now: number): number {
    const { rule } = this
    return Math.max(
      this.opening(now),
      this.earliest(rule, ahead, now),
      this.backoff?.earliest(rule, ahead, now) ?? now,
    )
  }

  /** True if the bucket can be deleted at `now`. */
  isIdle(now: number): boolean {
    this.expire(now)
    if (this.inFlight > 0 || this.releasing > 0 || this.waiting > 0) return false
    return now >= this.blockedUntil
  }
}

/** Key of a set of buckets. */
export const setId = (buckets: readonly Bucket[]): string => buckets.map(({ id }) => id).join(' ')
