/** Whose turn it is: lanes stand in the queue of the one thing that is in their way, and move on in the turn in which it gives way. */
import type { TimerQueue } from './timer-queue'
import { type Bucket, setId } from './bucket'
import type { RequestGroup } from './shared/request-group'
import { WaitQueue, FairQueue, type Priority, type Waiter } from './fair-queue'
import type { SharedStoreClient } from './shared/store-client'

export interface SchedulerOptions {
  timers: TimerQueue
  sharedStore: SharedStoreClient | undefined
  elapsed: () => number
  /** Whether one more request may be in flight at all. */
  mayStart: (now: number) => boolean
  /** A lane has been told to wait longer than it could know when its requests came. */
  postponed: (queue: WaitQueue<Bucket>, bucket: Bucket) => void
}

export interface QueuePosition {
  readonly buckets: readonly Bucket[]
  readonly party: string
  readonly priority: Priority
}

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #lanes = new Map<string, WaitQueue<Bucket>>()
  readonly #throttled = new FairQueue<Bucket>()

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Nobody waits: no timer is needed. Lanes that are left empty in a queue are dropped by whoever comes next. */
  rest(): void {
    this.#lanes.clear()
    this.#options.timers.clear()
  }

  /** Whether a request that has just come may start at once. Whoever waits already goes first. */
  mayStart(buckets: readonly Bucket[], now: number): boolean {
    for (const bucket of buckets) {
      if (bucket.waitingLanes > 0) this.drain(bucket, now)
      if (bucket.available(now) < 1) return false
    }
    return !this.#options.sharedStore && this.#options.mayStart(now)
  }

  enqueue(waiter: Waiter, place: QueuePosition): WaitQueue<Bucket> {
    const id = laneId(place)
    let queue = this.#lanes.get(id)
    // A lane that everybody has left may still stand in a queue, with buckets that have been forgotten since.
    const isNew = !queue || queue.buckets.some((bucket, index) => bucket !== place.buckets[index])
    if (!queue || isNew) queue = new WaitQueue(id, place.buckets, place.priority)
    queue.add(waiter)
    if (!isNew) return queue
    this.#lanes.set(id, queue)
    this.#advance(queue, this.#options.elapsed())
    return queue
  }

  /** Lets start whoever may, of those who wait for this bucket. */
  drain(bucket: Bucket, now: number): void {
    if (bucket.waitingLanes === 0) return
    const { queue } = bucket.more
    while (queue.size > 0 && bucket.available(now) > 0) this.#next(queue, now)
    this.#schedule(bucket, now)
  }

  /** A group has news from the shared store. */
  drainGroup(group: RequestGroup): void {
    const now = this.#options.elapsed()
    // In turns as long as there is something to have; then each lane that is left finds out what is in its way.
    while (group.queue.size > 0 && group.storeLeases.length > 0) this.#next(group.queue, now)
    group.hold()
    for (const queue of Array.from({ length: group.queue.size }, () => group.queue.shift())) if (queue) this.#resume(queue, now)
    this.#options.sharedStore?.releaseUnused(group)
  }

  /** A request has come back: those that wait only for fewer to be in flight. */
  drainThrottled(now: number): void {
    while (this.#throttled.size > 0 && this.#options.mayStart(now)) this.#next(this.#throttled, now)
  }

  /** A bucket is closed for longer than those who wait for it could know. */
  postpone(bucket: Bucket): void {
    if (bucket.waitingLanes === 0) return
    for (const queue of bucket.more.queue.lanes()) this.#options.postponed(queue, bucket)
  }

  /** Everybody who waits leaves. */
  *waiters(): Iterable<readonly [WaitQueue<Bucket>, Waiter]> {
    for (const queue of this.#lanes.values()) for (const waiter of queue.waiters()) yield [queue, waiter]
  }

  #next(queue: FairQueue<Bucket>, now: number): void {
    const lane = queue.shift()
    if (lane) this.#resume(lane, now, queue)
  }

  #resume(queue: WaitQueue<Bucket>, now: number, from?: FairQueue<Bucket>): void {
    if (queue.first) this.#advance(queue, now, from)
    else this.#drop(queue)
  }

  /** Lets the first of a lane start, if nothing is in its way; what is left of the lane stands where it came from, or at the obstacle. */
  #advance(queue: WaitQueue<Bucket>, now: number, from?: FairQueue<Bucket>): void {
    for (;;) {
      const obstacle = this.#obstacle(queue, now)
      if (obstacle) return this.#park(queue, obstacle, now)
      const waiter = queue.first
      if (waiter) {
        queue.remove(waiter)
        waiter.start()
      }
      if (!queue.first) return this.#drop(queue)
      if (from) return from.push(queue)
    }
  }

  #drop(queue: WaitQueue<Bucket>): void {
    if (this.#lanes.get(queue.id) === queue) this.#lanes.delete(queue.id)
  }

  #obstacle(queue: WaitQueue<Bucket>, now: number): Bucket | RequestGroup | FairQueue<Bucket> | undefined {
    for (const bucket of queue.buckets) if (bucket.available(now) < 1) return bucket
    if (!this.#options.mayStart(now)) return this.#throttled
    return this.#options.sharedStore?.obstacle(queue.buckets)
  }

  #park(queue: WaitQueue<Bucket>, obstacle: Bucket | RequestGroup | FairQueue<Bucket>, now: number): void {
    if (obstacle instanceof FairQueue) return obstacle.push(queue)
    if ('isAsking' in obstacle) {
      obstacle.queue.push(queue)
      return this.#options.sharedStore?.ask(obstacle)
    }
    obstacle.more.queue.push(queue)
    if (now < obstacle.opening(now)) this.#options.postponed(queue, obstacle)
    this.#schedule(obstacle, now)
  }

  #schedule(bucket: Bucket, now: number): void {
    const { more } = bucket
    const { timers } = this.#options
    if (more.queue.size === 0) return
    const at = bucket.nextChange(now)
    if (at === Number.POSITIVE_INFINITY || (more.epoch === timers.epoch && at >= more.scheduledAt)) return
    more.scheduledAt = at
    more.epoch = timers.epoch
    timers.add(at, () => {
      if (more.scheduledAt === at) more.scheduledAt = Number.POSITIVE_INFINITY
      this.drain(bucket, this.#options.elapsed())
    })
  }
}

const laneId = ({ buckets, party, priority }: QueuePosition): string => `${setId(buckets)} ${priority} ${party}`
