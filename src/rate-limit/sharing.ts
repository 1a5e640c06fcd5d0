/** The limiter's side of a shared budget: asks for slots in batches, gives back what it does not need, and manages alone while the store is away. */
import { NetworkError } from '../foundation/errors'
import { startPending } from '../foundation/pending'
import type { SteadyClock } from '../foundation/steady-clock'
import { type Bucket, setId } from './bucket'
import { LaneQueue } from './lanes'
import type { Ending, Lease } from './lease'
import { BEAT, type Grant, type RateLimitStore, type Settlement, type SharedBucket } from './store'

/** An answer of the store that takes longer is none. ms. */
export const STORE_TIMEOUT = 1000
/** Between two looks whether the store is back. */
const RETRY = 1000

export interface SharingOptions {
  store: RateLimitStore
  clock: SteadyClock
  /** Parties to expect before the store has said how many there are. */
  parties: number
  /** ms that a request may be out. */
  hold: number
  /** A group has got slots, or has learnt why not. */
  changed: (group: Group) => void
  /** The store went away or came back; `parties` is how many share the budget. */
  stateChanged: (state: { isAway: boolean; parties: number }) => void
}

/** Requests for the same buckets: they ask together. */
export class Group {
  readonly queue = new LaneQueue<Bucket>()
  readonly buckets: readonly Bucket[]
  /** Slots that the store has given and nobody has taken yet. */
  readonly credits: string[] = []
  isAsking = false
  /** What the store has said of the future: counts once the credits are used up. */
  #hold: { bucket: Bucket; until: number } | undefined

  constructor(buckets: readonly Bucket[]) {
    this.buckets = buckets
  }

  /** The store has nothing of this bucket before `until`. */
  postpone(bucket: Bucket, until: number): void {
    this.#hold = { bucket, until }
  }

  /** From now on nobody tries in vain. */
  hold(): void {
    if (this.#hold) this.#hold.bucket.more.heldUntil = this.#hold.until
    this.#hold = undefined
  }

  /** How many may usefully be asked for, of a budget that `parties` share. */
  want(parties: number, now: number): number {
    let want = 0
    for (const lane of this.queue.lanes()) want += lane.length
    for (const bucket of this.buckets) {
      want = Math.min(want, bucket.available(now), Math.ceil(bucket.family.full.limit / parties))
    }
    return want
  }
}

export class Sharing {
  readonly #options: SharingOptions
  readonly #groups = new Map<string, Group>()
  readonly #life = new AbortController()
  readonly #endings = new Map<string, Settlement & { leases: string[] }>()
  #parties: number
  #isAway = false
  /** Slots of the store that requests hold. */
  #taken = 0
  #stopBeating: (() => void) | undefined
  #retryAt = Number.NEGATIVE_INFINITY

  constructor(options: SharingOptions) {
    this.#options = options
    this.#parties = options.parties
  }

  /**
   * Where a request must wait until the store has given slots; undefined when it may start now. While the store is away nobody is asked,
   * except whether it is back. A group is forgotten when nobody waits in it.
   */
  obstacle(buckets: readonly Bucket[]): Group | undefined {
    if (this.#isAway) return this.#lookAgain(buckets)
    const id = setId(buckets)
    const group = this.#groups.get(id) ?? new Group(buckets)
    this.#groups.set(id, group)
    return group.credits.length > 0 ? undefined : group
  }

  /** Whether the store has yet to say what there is of these. */
  isAsking(buckets: readonly Bucket[]): boolean {
    return this.#groups.get(setId(buckets))?.isAsking ?? false
  }

  /** Takes one of the slots that `obstacle` saw; undefined while the store is away. */
  take(buckets: readonly Bucket[]): string | undefined {
    const credit = this.#groups.get(setId(buckets))?.credits.shift()
    if (credit !== undefined && this.#taken++ === 0) this.#beat()
    return credit
  }

  /** Asks for whoever waits in the group; all that came in this turn ask together. */
  ask(group: Group): void {
    if (group.isAsking) return
    group.isAsking = true
    void Promise.resolve()
      .then(() => this.#fetch(group))
      .then((grant) => this.#take(group, grant))
  }

  /** Gives back what nobody took, and forgets a group that rests. */
  tidy(group: Group): void {
    const surplus = group.credits.splice(0)
    if (surplus.length > 0) this.#send({ buckets: group.buckets.map(shared), leases: surplus, how: 'unused' })
    if (group.queue.size === 0 && !group.isAsking) this.#groups.delete(setId(group.buckets))
  }

  /** Tells the store how a request ended; what ends in one turn goes in one message. */
  settle({ credit, buckets }: Lease, ending: Ending): void {
    if (credit === undefined) return
    this.#taken--
    const { status, limit = 0, remaining = limit } = ending.kind === 'answered' ? ending.news : {}
    const how = status === 429 ? 'refused' : ending.kind
    const id = `${how} ${setId(buckets)}`
    const { leases = [], used = 0 } = this.#endings.get(id) ?? {}
    if (this.#endings.size === 0) void Promise.resolve().then(() => this.#flush())
    leases.push(credit)
    const told = how === 'answered' ? limit - remaining : 0
    this.#endings.set(id, { buckets: buckets.map(shared), leases, how, used: Math.max(used, told) })
  }

  block(bucket: Bucket, ms: number): void {
    void this.#options.store.block(shared(bucket), ms).catch(() => this.#lose())
  }

  async close(): Promise<void> {
    this.#life.abort()
    this.#stopBeating?.()
    this.#flush()
    await this.#options.store.close()
  }

  /** While requests are under way the store hears that somebody is there who waits for them. */
  #beat(): void {
    this.#stopBeating ??= this.#options.clock.idle(BEAT, () => {
      this.#stopBeating = undefined
      if (this.#taken === 0) return
      void this.#options.store.acquire({ buckets: [], want: 0, hold: 0 }).catch(() => this.#lose())
      this.#beat()
    })
  }

  #flush(): void {
    for (const settlement of this.#endings.values()) this.#send(settlement)
    this.#endings.clear()
  }

  #send(settlement: Settlement): void {
    void this.#options.store.settle(settlement).catch(() => this.#lose())
  }

  /** Undefined when the store is away. */
  async #fetch(group: Group): Promise<(Grant & { want: number }) | undefined> {
    const want = group.want(this.#parties, this.#options.clock.elapsed())
    const { hold } = this.#options
    if (want < 1) return { leases: [], wait: 0, blockedBy: 0, parties: this.#parties, want }
    const buckets = group.buckets.map(shared)
    const asked = this.#options.store.acquire({ buckets, want, hold })
    const grant = await this.#inTime(asked)
    if (!grant) void asked.then(({ leases }) => this.#send({ buckets, leases, how: 'unused' })).catch(() => {})
    return grant && { ...grant, want }
  }

  #take(group: Group, grant: (Grant & { want: number }) | undefined): void {
    group.isAsking = false
    if (grant) this.#parties = Math.max(1, grant.parties)
    if (grant) group.credits.push(...grant.leases)
    else this.#lose()
    const inTheWay = grant && grant.leases.length < grant.want ? group.buckets[grant.blockedBy] : undefined
    if (inTheWay && grant) group.postpone(inTheWay, this.#options.clock.elapsed() + Math.max(1, grant.wait))
    this.#options.changed(group)
  }

  #inTime(asked: Promise<Grant>): Promise<Grant | undefined> {
    const limits = {
      timeout: STORE_TIMEOUT,
      signals: [this.#life.signal],
      refuse: (code: 'timed_out' | 'aborted') => new NetworkError(code, 'store'),
    }
    const pending = startPending<Grant | undefined>(this.#options.clock, limits)
    asked.then(pending.succeed, pending.fail)
    return pending.promise.catch(() => undefined)
  }

  #lose(): void {
    if (this.#life.signal.aborted) return
    this.#retryAt = this.#options.clock.elapsed() + RETRY
    if (this.#isAway) return
    this.#isAway = true
    this.#options.stateChanged({ isAway: true, parties: this.#parties })
    for (const group of this.#groups.values()) this.#options.changed(group)
  }

  #lookAgain(buckets: readonly Bucket[]): undefined {
    if (this.#options.clock.elapsed() < this.#retryAt) return
    this.#retryAt = Number.POSITIVE_INFINITY
    void this.#inTime(this.#options.store.acquire({ buckets: buckets.map(shared), want: 0, hold: 0 })).then((grant) => {
      if (!grant) return this.#lose()
      if (this.#life.signal.aborted) return undefined
      this.#isAway = false
      this.#parties = Math.max(1, grant.parties)
      return this.#options.stateChanged({ isAway: false, parties: this.#parties })
    })
  }
}

const shared = ({ id, family }: Bucket): SharedBucket => ({ key: id, ...family.full })
