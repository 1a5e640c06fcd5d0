/** Whose turn it is: lanes stand in the queue of the one thing that is in their way, and move on in the turn in which it gives way. */
import type { Agenda } from './agenda'
import { type Bucket, setId } from './bucket'
import type { Group } from './group'
import { Lane, LaneQueue, type Priority, type Waiter } from './lanes'
import type { Sharing } from './sharing'

export interface SchedulerOptions {
  agenda: Agenda
  sharing: Sharing | undefined
  elapsed: () => number
  /** Whether one more request may be in flight at all. */
  mayFly: (now: number) => boolean
  /** A lane has been told to wait longer than it could know when its requests came. */
  postponed: (lane: Lane<Bucket>, bucket: Bucket) => void
}

export interface Place {
  readonly buckets: readonly Bucket[]
  readonly party: string
  readonly priority: Priority
}

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #lanes = new Map<string, Lane<Bucket>>()
  readonly #throttled = new LaneQueue<Bucket>()

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Nobody waits: no timer is needed. Lanes that are left empty in a queue are dropped by whoever comes next. */
  rest(): void {
    this.#lanes.clear()
    this.#options.agenda.clear()
  }

  /** Whether a request that has just come may start at once. Whoever waits already goes first. */
  mayStart(buckets: readonly Bucket[], now: number): boolean {
    for (const bucket of buckets) {
      if (bucket.parked > 0) this.drain(bucket, now)
      if (bucket.available(now) < 1) return false
    }
    return !this.#options.sharing && this.#options.mayFly(now)
  }

  enqueue(waiter: Waiter, place: Place): Lane<Bucket> {
    const id = laneId(place)
    let lane = this.#lanes.get(id)
    // A lane that everybody has left may still stand in a queue, with buckets that have been forgotten since.
    const isNew = !lane || lane.buckets.some((bucket, index) => bucket !== place.buckets[index])
    if (!lane || isNew) lane = new Lane(id, place.buckets, place.priority)
    lane.add(waiter)
    if (!isNew) return lane
    this.#lanes.set(id, lane)
    this.#advance(lane, this.#options.elapsed())
    return lane
  }

  /** Lets start whoever may, of those who wait for this bucket. */
  drain(bucket: Bucket, now: number): void {
    if (bucket.parked === 0) return
    const { queue } = bucket.more
    while (queue.size > 0 && bucket.available(now) > 0) this.#next(queue, now)
    this.#schedule(bucket, now)
  }

  /** A group has news from the shared store. */
  drainGroup(group: Group): void {
    const now = this.#options.elapsed()
    // In turns as long as there is something to have; then each lane that is left finds out what is in its way.
    while (group.queue.size > 0 && group.credits.length > 0) this.#next(group.queue, now)
    group.hold()
    for (const lane of Array.from({ length: group.queue.size }, () => group.queue.shift())) if (lane) this.#resume(lane, now)
    this.#options.sharing?.tidy(group)
  }

  /** A request has come back: those that wait only for fewer to be in flight. */
  drainThrottled(now: number): void {
    while (this.#throttled.size > 0 && this.#options.mayFly(now)) this.#next(this.#throttled, now)
  }

  /** A bucket is closed for longer than those who wait for it could know. */
  postpone(bucket: Bucket): void {
    if (bucket.parked === 0) return
    for (const lane of bucket.more.queue.lanes()) this.#options.postponed(lane, bucket)
  }

  /** Everybody who waits leaves. */
  *waiters(): Iterable<readonly [Lane<Bucket>, Waiter]> {
    for (const lane of this.#lanes.values()) for (const waiter of lane.waiters()) yield [lane, waiter]
  }

  #next(queue: LaneQueue<Bucket>, now: number): void {
    const lane = queue.shift()
    if (lane) this.#resume(lane, now, queue)
  }

  #resume(lane: Lane<Bucket>, now: number, from?: LaneQueue<Bucket>): void {
    if (lane.first) this.#advance(lane, now, from)
    else this.#drop(lane)
  }

  /** Lets the first of a lane start, if nothing is in its way; what is left of the lane stands where it came from, or at the obstacle. */
  #advance(lane: Lane<Bucket>, now: number, from?: LaneQueue<Bucket>): void {
    for (;;) {
      const obstacle = this.#obstacle(lane, now)
      if (obstacle) return this.#park(lane, obstacle, now)
      const waiter = lane.first
      if (waiter) {
        lane.remove(waiter)
        waiter.start()
      }
      if (!lane.first) return this.#drop(lane)
      if (from) return from.push(lane)
    }
  }

  #drop(lane: Lane<Bucket>): void {
    if (this.#lanes.get(lane.id) === lane) this.#lanes.delete(lane.id)
  }

  #obstacle(lane: Lane<Bucket>, now: number): Bucket | Group | LaneQueue<Bucket> | undefined {
    for (const bucket of lane.buckets) if (bucket.available(now) < 1) return bucket
    if (!this.#options.mayFly(now)) return this.#throttled
    return this.#options.sharing?.obstacle(lane.buckets)
  }

  #park(lane: Lane<Bucket>, obstacle: Bucket | Group | LaneQueue<Bucket>, now: number): void {
    if (obstacle instanceof LaneQueue) return obstacle.push(lane)
    if ('isAsking' in obstacle) {
      obstacle.queue.push(lane)
      return this.#options.sharing?.ask(obstacle)
    }
    obstacle.more.queue.push(lane)
    if (now < obstacle.opening(now)) this.#options.postponed(lane, obstacle)
    this.#schedule(obstacle, now)
  }

  #schedule(bucket: Bucket, now: number): void {
    const { more } = bucket
    const { agenda } = this.#options
    if (more.queue.size === 0) return
    const at = bucket.nextChange(now)
    if (at === Number.POSITIVE_INFINITY || (more.epoch === agenda.epoch && at >= more.scheduledAt)) return
    more.scheduledAt = at
    more.epoch = agenda.epoch
    agenda.add(at, () => {
      if (more.scheduledAt === at) more.scheduledAt = Number.POSITIVE_INFINITY
      this.drain(bucket, this.#options.elapsed())
    })
  }
}

const laneId = ({ buckets, party, priority }: Place): string => `${setId(buckets)} ${priority} ${party}`
