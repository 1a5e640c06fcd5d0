/** One limit of one party: its slots, and, only while somebody waits or something went wrong, who waits and what went wrong. */
import { Backoff } from './backoff'
import { FairQueue } from './fair-queue'
import { freeAt } from './shared/store'
import { fairPart, type Gate, gateOf, opensAt, type Rule, SlotWindow } from './sliding-window'

export type Scope = 'user' | 'global' | 'shared'

/** A limit by name, as a request names it. What it is cannot change later: two requests that name it mean the same. */
export interface BucketSpec extends Rule {
  /** For example `join_lobby`. */
  readonly name: string
  /** Whose slots these are, where a limit counts for each party apart: a player, a lobby. */
  readonly key?: string
  /** Default: `global` for a bucket of that name, else `user`. */
  readonly scope?: Scope
}

/** All buckets of one name. */
export class LimitDefinition {
  readonly name: string
  readonly scope: Scope
  /** What the service allows. */
  readonly full: Rule
  /** What holds now: all of it, or a part while the shared store is away. */
  rule: Rule
  /** When requests may start, while the shared store is away and there are more parties than slots. */
  gate: Gate | undefined

  constructor({ name, limit, per, scope = name === 'global' ? 'global' : 'user' }: BucketSpec) {
    this.name = name
    this.scope = scope
    this.full = { limit, per }
    this.rule = this.full
  }

  /** Keeps to one of so many parts. */
  splitAmong(parties: number, place: number): void {
    this.rule = parties === 1 ? this.full : fairPart(this.full, parties)
    this.gate = gateOf(this.full, { parties, place })
  }

  /** Has the whole limit again. */
  restoreFullLimit(): void {
    this.rule = this.full
    this.gate = undefined
  }
}

/** What most buckets never need. */
export interface SlowPathState {
  waiting: number
  queue: FairQueue<Bucket>
  backoff: Backoff | undefined
  /** The shared store has nothing before. */
  storeBlockedUntil: number
  /** When the agenda will look here, and in which epoch of the agenda that was noted. */
  scheduledAt: number
  epoch: number
}

export class Bucket extends SlotWindow {
  readonly family: LimitDefinition
  readonly key: string
  #more: SlowPathState | undefined

  constructor(family: LimitDefinition, key: string) {
    super()
    this.family = family
    this.key = key
    if (family.full.limit === Number.POSITIVE_INFINITY) this.backoff = Backoff.ofUnknown()
  }

  /** What all who share a budget call it. */
  get id(): string {
    return `${this.family.name}:${this.key}`
  }

  get rule(): Rule {
    return this.#more?.backoff?.reportedLimit ?? this.family.rule
  }

  get backoff(): Backoff | undefined {
    return this.#more?.backoff
  }

  set backoff(backoff: Backoff | undefined) {
    this.more.backoff = backoff
  }

  get more(): SlowPathState {
    this.#more ??= {
      waiting: 0,
      queue: new FairQueue(),
      backoff: undefined,
      storeBlockedUntil: Number.NEGATIVE_INFINITY,
      scheduledAt: Number.POSITIVE_INFINITY,
      epoch: 0,
    }
    return this.#more
  }

  get waiting(): number {
    return this.#more?.waiting ?? 0
  }

  set waiting(waiting: number) {
    this.more.waiting = waiting
  }

  /** Lanes that stand here. */
  get waitingLanes(): number {
    return this.#more?.queue.size ?? 0
  }

  /** How many requests may start by `now`. */
  available(now: number): number {
    const more = this.#more
    const { gate } = this.family
    if (gate && now < opensAt(gate, now)) return 0
    if (!more) return this.free(this.family.rule.limit, now)
    if (now < this.closedUntil) return 0
    const { rule } = this
    const free = this.free(rule.limit, now)
    return more.backoff ? Math.min(free, more.backoff.free(rule, now) - this.inFlight) : free
  }

  /** Until when nothing starts, whatever is free. */
  get closedUntil(): number {
    const more = this.#more
    return more ? Math.max(more.storeBlockedUntil, more.backoff?.blockedUntil ?? more.storeBlockedUntil) : Number.NEGATIVE_INFINITY
  }

  /** Ends a block, of this party's own or of the shared store. */
  unblock(now: number): void {
    const more = this.#more
    if (!more) return
    more.storeBlockedUntil = Math.min(more.storeBlockedUntil, now)
    more.backoff?.unblock(now)
  }

  /** When something may start, as far as blocks go and the moments that this party has. */
  opening(now: number): number {
    const { gate } = this.family
    return Math.max(this.closedUntil, gate ? opensAt(gate, now) : now)
  }

  /** Starts nothing before, for a reason of the shared store's. */
  hold(until: number): void {
    this.more.storeBlockedUntil = Math.max(this.more.storeBlockedUntil, until)
  }

  /** When `available` may grow without an answer arriving; `Infinity` when only an answer can make it grow. */
  nextChange(now: number): number {
    const opening = this.opening(now)
    if (now < opening) return opening
    if (this.available(now) > 0) return now
    if (this.free(this.rule.limit, now) < 1) return this.nextRelease
    const at = this.backoff?.earliest(this.rule, 0, now) ?? now
    return at > now ? at : Number.POSITIVE_INFINITY
  }

  /** A request was answered by `from`, or will reach the service no later. */
  answered(from: number): void {
    const { rule } = this
    this.occupyUntil(freeAt(from, rule.per))
    this.backoff?.cool(from, rule)
  }

  /** The earliest moment for whoever has `ahead` requests before it. */
  earliestStart(ahead: number, now: number): number {
    const { rule } = this
    return Math.max(this.opening(now), this.earliest(rule, ahead, now), this.backoff?.earliest(rule, ahead, now) ?? now)
  }

  /** Whether it may be forgotten by `now`. */
  isIdle(now: number): boolean {
    this.expire(now)
    if (this.inFlight > 0 || this.releasing > 0 || this.waiting > 0) return false
    return now >= this.closedUntil
  }
}

/** What a set of buckets is known by. */
export const setId = (buckets: readonly Bucket[]): string => buckets.map(({ id }) => id).join(' ')
