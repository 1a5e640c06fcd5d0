/** Fair queueing of requests: first in, first out within a queue; round robin between queues; weighted round robin between priorities. */

/** Counts the requests that wait for it. */
export interface WaitCounter {
  waiting: number
}

/** Priority of a request: `high` for what the player is waiting for, `normal` for what is needed soon, `low` for background work. */
export type Priority = 'high' | 'normal' | 'low'

/** Weights of the priorities, `high` first. No priority starves. */
const WEIGHTS: readonly number[] = [8, 4, 1]
const CLASSES: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 }

/** A waiting request. */
export class Waiter {
  /** Position among requests for the same buckets: lower numbers came before. */
  readonly sequence: number
  /** Monotonic ms; `Infinity` if there is none. */
  readonly deadline: number
  /** Called when the request may start. */
  readonly start: () => void
  readonly reject: (reason: unknown) => void
  previous: Waiter | undefined
  next: Waiter | undefined
  isWaiting = true
  /** True if the game was notified of the wait. */
  notified = false

  constructor({
    sequence,
    deadline,
    start,
    reject,
  }: Pick<Waiter, 'sequence' | 'deadline' | 'start' | 'reject'>) {
    this.sequence = sequence
    this.deadline = deadline
    this.start = start
    this.reject = reject
  }
}

/** FIFO queue of requests for the same buckets with the same fairness key and priority. Removal from the middle is O(1). */
export class WaitQueue<B extends WaitCounter = WaitCounter> {
  readonly id: string
  readonly buckets: readonly B[]
  readonly rank: number
  length = 0
  #head: Waiter | undefined
  #tail: Waiter | undefined

  constructor(id: string, buckets: readonly B[], priority: Priority) {
    this.id = id
    this.buckets = buckets
    this.rank = CLASSES[priority]
  }

  get first(): Waiter | undefined {
    return this.#head
  }

  *waiters(): Iterable<Waiter> {
    // Callbacks may remove other waiters during the iteration.
    for (let waiter = this.#head; waiter; waiter = waiter.next) if (waiter.isWaiting) yield waiter
  }

  /** Appends a waiter; a request that is retried after a 429 returns to its old position. */
  add(waiter: Waiter): void {
    let previous = this.#tail
    if (previous && previous.sequence > waiter.sequence) {
      previous = undefined
      for (let next = this.#head; next && next.sequence < waiter.sequence; next = next.next) previous = next
    }
    const next = previous ? previous.next : this.#head
    waiter.previous = previous
    waiter.next = next
    if (previous) previous.next = waiter
    else this.#head = waiter
    if (next) next.previous = waiter
    else this.#tail = waiter
    this.#count(1)
  }

  /** Returns false if the waiter was removed before. */
  remove(waiter: Waiter): boolean {
    if (!waiter.isWaiting) return false
    waiter.isWaiting = false
    if (waiter.previous) waiter.previous.next = waiter.next
    else this.#head = waiter.next
    if (waiter.next) waiter.next.previous = waiter.previous
    else this.#tail = waiter.previous
    this.#count(-1)
    return true
  }

  #count(change: 1 | -1): void {
    this.length += change
    for (const bucket of this.buckets) bucket.waiting += change
  }
}

/** Queues of one priority. */
interface PriorityClass<B extends WaitCounter> {
  readonly weight: number
  /** Remaining turns of the current round. */
  turns: number
  readonly queues: WaitQueue<B>[]
  /** Index of the first queue; entries before it were removed. */
  head: number
}

/** Queues that wait for the same resource. */
export class FairQueue<B extends WaitCounter = WaitCounter> {
  /** `high` first. */
  readonly #classes = WEIGHTS.map((weight): PriorityClass<B> => ({
    weight,
    turns: weight,
    queues: [],
    head: 0,
  }))
  size = 0

  push(queue: WaitQueue<B>): void {
    this.#classes[queue.rank]?.queues.push(queue)
    this.size++
  }

  *queues(): Iterable<WaitQueue<B>> {
    for (const { queues, head } of this.#classes) yield* queues.slice(head)
  }

  /** Removes and returns the next queue. */
  shift(): WaitQueue<B> | undefined {
    const next = this.#pick()
    if (!next) return undefined
    const queue = next.queues[next.head]
    this.size--
    next.turns--
    next.head++
    if (next.head >= 64 && next.head * 2 > next.queues.length) {
      next.queues.splice(0, next.head)
      next.head = 0
    }
    return queue
  }

  /** The highest priority with turns left; if there is none, a new round begins. */
  #pick(): PriorityClass<B> | undefined {
    if (this.size === 0) return undefined
    for (const each of this.#classes) if (each.turns > 0 && each.head < each.queues.length) return each
    for (const each of this.#classes) each.turns = each.weight
    return this.#classes.find(({ head, queues }) => head < queues.length)
  }
}
