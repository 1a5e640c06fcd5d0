/** Who waits, in order: first come, first served within a lane; turns between lanes; shares between classes. */

/** What counts how many wait for it. */
export interface Awaited {
  waiting: number
}

/** What a game is waiting for, what it will soon want, what can wait. */
export type Priority = 'high' | 'normal' | 'low'

/** Turns of the classes, high first: nobody of a lower class waits for ever. */
const WEIGHTS: readonly number[] = [8, 4, 1]
const CLASSES: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 }

/** One request that waits. */
export class Waiter {
  /** Its place among those who wait for the same: lower numbers came before. */
  readonly ticket: number
  /** Monotonic ms; `Infinity` without one. */
  readonly deadline: number
  /** Its turn has come. */
  readonly start: () => void
  readonly refuse: (reason: unknown) => void
  previous: Waiter | undefined
  next: Waiter | undefined
  waits = true
  /** Whether the game has heard that it waits. */
  notified = false

  constructor({ ticket, deadline, start, refuse }: Pick<Waiter, 'ticket' | 'deadline' | 'start' | 'refuse'>) {
    this.ticket = ticket
    this.deadline = deadline
    this.start = start
    this.refuse = refuse
  }
}

/** Requests that want the same buckets for the same party with the same priority. Leaving from the middle costs nothing. */
export class WaitQueue<B extends Awaited = Awaited> {
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
    // Whoever hears of one may take others away.
    for (let waiter = this.#head; waiter; waiter = waiter.next) if (waiter.waits) yield waiter
  }

  /** At the end; a request that was refused comes back to where it stood. */
  add(waiter: Waiter): void {
    let previous = this.#tail
    if (previous && previous.ticket > waiter.ticket) {
      previous = undefined
      for (let next = this.#head; next && next.ticket < waiter.ticket; next = next.next) previous = next
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

  /** Whether it was still there. */
  remove(waiter: Waiter): boolean {
    if (!waiter.waits) return false
    waiter.waits = false
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

/** Lanes of one priority. */
interface PriorityClass<B extends Awaited> {
  readonly weight: number
  /** Those that are left of the share in this round. */
  turns: number
  readonly lanes: WaitQueue<B>[]
  /** The lanes before it have gone. */
  head: number
}

/** The lanes that wait for one thing. */
export class FairQueue<B extends Awaited = Awaited> {
  /** High first. */
  readonly #classes = WEIGHTS.map((weight): PriorityClass<B> => ({ weight, turns: weight, lanes: [], head: 0 }))
  size = 0

  push(queue: WaitQueue<B>): void {
    this.#classes[queue.rank]?.lanes.push(queue)
    this.size++
  }

  *lanes(): Iterable<WaitQueue<B>> {
    for (const { lanes, head } of this.#classes) yield* lanes.slice(head)
  }

  /** The next lane in turn. */
  shift(): WaitQueue<B> | undefined {
    const next = this.#pick()
    if (!next) return undefined
    const queue = next.lanes[next.head]
    this.size--
    next.turns--
    next.head++
    if (next.head >= 64 && next.head * 2 > next.lanes.length) {
      next.lanes.splice(0, next.head)
      next.head = 0
    }
    return queue
  }

  /** A class that waits and has turns left; when none has, a new round begins. */
  #pick(): PriorityClass<B> | undefined {
    if (this.size === 0) return undefined
    for (const each of this.#classes) if (each.turns > 0 && each.head < each.lanes.length) return each
    for (const each of this.#classes) each.turns = each.weight
    return this.#classes.find(({ head, lanes }) => head < lanes.length)
  }
}
