/** Scheduler: each wait queue is parked at the bucket, store request or concurrency limit that blocks it, and resumes when that is free. */
import type { MonotonicClock } from '../foundation/monotonic-clock'
import { type Bucket, setId } from './bucket'
import type { RequestGroup } from './request-group'
import { WaitQueue, FairQueue, type Priority, type Waiter } from './fair-queue'
import type { SharedStoreClient } from './shared-store-client'

interface Entry {
  readonly at: number
  readonly run: () => void
}

export class TimerQueue {
  readonly #clock: MonotonicClock
  readonly #heap: Entry[] = []
  #armedFor = Number.POSITIVE_INFINITY
  #disarm: (() => void) | undefined
  readonly #onTimer: () => void
  /** Incremented by `clear`, so that callers can detect that their entries are gone. */
  epoch = 0

  constructor(clock: MonotonicClock) {
    this.#clock = clock
    this.#onTimer = () => {
      this.#disarm = undefined
      this.runDue()
    }
  }

  get size(): number {
    return this.#heap.length
  }

  /** Runs `run` at `at` or, if the platform is late, soon after; never before. */
  add(at: number, run: () => void): void {
    const heap = this.#heap
    let i = heap.push({ at, run }) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!this.#swapIfLater(parent, i)) break
      i = parent
    }
    if (at < this.#armedFor) this.#arm()
  }

  /** Removes all entries and the timer. */
  clear(): void {
    this.#heap.length = 0
    this.epoch++
    this.#arm()
  }

  /** Runs what is due, and starts the timer for the next one. */
  runDue(): void {
    this.#armedFor = Number.POSITIVE_INFINITY
    const now = this.#clock.elapsed()
    for (let first = this.#heap[0]; first && first.at <= now; first = this.#heap[0]) {
      this.#dropFirst()
      first.run()
    }
    this.#arm()
  }

  #arm(): void {
    const at = this.#heap[0]?.at ?? Number.POSITIVE_INFINITY
    if (at === this.#armedFor && this.#disarm) return
    this.#disarm?.()
    this.#armedFor = at
    const delay = Math.max(0, Math.ceil(at - this.#clock.elapsed()))
    this.#disarm = at === Number.POSITIVE_INFINITY ? undefined : this.#clock.after(delay, this.#onTimer)
  }

  #dropFirst(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (!last || heap.length === 0) return
    heap[0] = last
    for (let i = 0; ;) {
      const left = 2 * i + 1
      const child =
        left + 1 < heap.length && (heap[left + 1]?.at ?? 0) < (heap[left]?.at ?? 0) ? left + 1 : left
      if (child >= heap.length || !this.#swapIfLater(i, child)) return
      i = child
    }
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [a, b] = [this.#heap[parent], this.#heap[child]]
    if (!a || !b || a.at <= b.at) return false
    this.#heap[parent] = b
    this.#heap[child] = a
    return true
  }
}

export interface SchedulerOptions {
  timers: TimerQueue
  sharedStore: SharedStoreClient | undefined
  elapsed: () => number
  /** True if one more request may be in flight. */
  mayStart: (now: number) => boolean
  /** Called when a queue must wait longer than was known when its requests came. */
  postponed: (queue: WaitQueue<Bucket>, bucket: Bucket) => void
}

export interface QueuePosition {
  readonly buckets: readonly Bucket[]
  readonly fairnessKey: string
  readonly priority: Priority
}

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #queues = new Map<string, WaitQueue<Bucket>>()
  readonly #throttled = new FairQueue<Bucket>()

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  /** Clears everything once no request waits. Empty queues that are still parked are dropped on their next turn. */
  reset(): void {
    this.#queues.clear()
    this.#options.timers.clear()
  }

  /** True if a new request may start at once. Requests that already wait go first. */
  mayStart(buckets: readonly Bucket[], now: number): boolean {
    for (const bucket of buckets) {
      if (bucket.queued > 0) this.drain(bucket, now)
      if (bucket.available(now) < 1) return false
    }
    return !this.#options.sharedStore && this.#options.mayStart(now)
  }

  enqueue(waiter: Waiter, position: QueuePosition): WaitQueue<Bucket> {
    const id = queueId(position)
    let queue = this.#queues.get(id)
    // An empty queue may still be parked, with buckets that have been deleted since.
    const isNew = !queue || queue.buckets.some((bucket, index) => bucket !== position.buckets[index])
    if (!queue || isNew) queue = new WaitQueue(id, position.buckets, position.priority)
    queue.add(waiter)
    if (!isNew) return queue
    this.#queues.set(id, queue)
    this.#advance(queue, this.#options.elapsed())
    return queue
  }

  /** Starts as many requests as possible of those that wait for this bucket. */
  drain(bucket: Bucket, now: number): void {
    if (bucket.queued === 0) return
    const { queue } = bucket.slowPath
    while (queue.size > 0 && bucket.available(now) > 0) this.#next(queue, now)
    this.#schedule(bucket, now)
  }

  /** Handles a response of the shared store for a group. */
  drainGroup(group: RequestGroup): void {
    const now = this.#options.elapsed()
    // In turns while there are leases; afterwards each remaining queue is parked at its next obstacle.
    while (group.queue.size > 0 && group.storeLeases.length > 0) this.#next(group.queue, now)
    group.applyBlock()
    for (const queue of Array.from({ length: group.queue.size }, () => group.queue.shift()))
      if (queue) this.#resume(queue, now)
    this.#options.sharedStore?.releaseUnused(group)
  }

  /** A request has ended: resumes requests that wait for lower concurrency. */
  drainThrottled(now: number): void {
    while (this.#throttled.size > 0 && this.#options.mayStart(now)) this.#next(this.#throttled, now)
  }

  /** Notifies the queues of a bucket that was blocked for longer than they could know. */
  postpone(bucket: Bucket): void {
    if (bucket.queued === 0) return
    for (const queue of bucket.slowPath.queue.queues()) this.#options.postponed(queue, bucket)
  }

  /** All waiting requests. */
  *waiters(): Iterable<readonly [WaitQueue<Bucket>, Waiter]> {
    for (const queue of this.#queues.values()) for (const waiter of queue.waiters()) yield [queue, waiter]
  }

  #next(queue: FairQueue<Bucket>, now: number): void {
    const next = queue.shift()
    if (next) this.#resume(next, now, queue)
  }

  #resume(queue: WaitQueue<Bucket>, now: number, from?: FairQueue<Bucket>): void {
    if (queue.first) this.#advance(queue, now, from)
    else this.#drop(queue)
  }

  /** Starts the first requests of a queue while nothing blocks them; then the queue is parked at the obstacle, or goes back to `from`. */
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
    if (this.#queues.get(queue.id) === queue) this.#queues.delete(queue.id)
  }

  #obstacle(queue: WaitQueue<Bucket>, now: number): Bucket | RequestGroup | FairQueue<Bucket> | undefined {
    for (const bucket of queue.buckets) if (bucket.available(now) < 1) return bucket
    if (!this.#options.mayStart(now)) return this.#throttled
    return this.#options.sharedStore?.obstacle(queue.buckets)
  }

  #park(queue: WaitQueue<Bucket>, obstacle: Bucket | RequestGroup | FairQueue<Bucket>, now: number): void {
    if (obstacle instanceof FairQueue) return obstacle.push(queue)
    if ('isPending' in obstacle) {
      obstacle.queue.push(queue)
      return this.#options.sharedStore?.requestLeases(obstacle)
    }
    obstacle.slowPath.queue.push(queue)
    if (now < obstacle.opening(now)) this.#options.postponed(queue, obstacle)
    this.#schedule(obstacle, now)
  }

  #schedule(bucket: Bucket, now: number): void {
    const { slowPath } = bucket
    const { timers } = this.#options
    if (slowPath.queue.size === 0) return
    const at = bucket.nextChange(now)
    if (at === Number.POSITIVE_INFINITY || (slowPath.epoch === timers.epoch && at >= slowPath.scheduledAt))
      return
    slowPath.scheduledAt = at
    slowPath.epoch = timers.epoch
    timers.add(at, () => {
      if (slowPath.scheduledAt === at) slowPath.scheduledAt = Number.POSITIVE_INFINITY
      this.drain(bucket, this.#options.elapsed())
    })
  }
}

const queueId = ({ buckets, fairnessKey, priority }: QueuePosition): string =>
  `${setId(buckets)} ${priority} ${fairnessKey}`
