/** Who waits, in order: first come, first served within a lane; turns between lanes; shares between classes. */

/** What counts how many wait for it. */
export interface Awaited {
  waiting: number
}

/** What a game is waiting for, what it will soon want, what can wait. */
export type Priority = 'high' | 'normal' | 'low'

/** Turns of the classes, high first: nobody of a lower class waits for ever. */
const SHARES: readonly number[] = [8, 4, 1]
const CLASSES: Readonly<Record<Priority, number>> = { high: 0, normal: 1, low: 2 }

/** One request that waits. */
export class Waiter {
  /** Monotonic ms; `Infinity` without one. */
  readonly deadline: number
  /** Its turn has come. */
  readonly start: () => void
  readonly refuse: (reason: unknown) => void
  previous: Waiter | undefined
  next: Waiter | undefined
  waits = true
  /** Whether the game has heard that it waits. */
  isTold = false

  constructor({ deadline, start, refuse }: Pick<Waiter, 'deadline' | 'start' | 'refuse'>) {
    this.deadline = deadline
    this.start = start
    this.refuse = refuse
  }
}

/** Requests that want the same buckets for the same party with the same priority. Leaving from the middle costs nothing. */
export class Lane<B extends Awaited = Awaited> {
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
    for (let waiter = this.#head; waiter; waiter = waiter.next) yield waiter
  }

  push(waiter: Waiter): void {
    waiter.previous = this.#tail
    if (this.#tail) this.#tail.next = waiter
    else this.#head = waiter
    this.#tail = waiter
    this.#count(1)
  }

  /** For a request that was refused: it keeps its place. */
  unshift(waiter: Waiter): void {
    waiter.next = this.#head
    if (this.#head) this.#head.previous = waiter
    else this.#tail = waiter
    this.#head = waiter
    this.#count(1)
  }

  remove(waiter: Waiter): void {
    if (!waiter.waits) return
    waiter.waits = false
    if (waiter.previous) waiter.previous.next = waiter.next
    else this.#head = waiter.next
    if (waiter.next) waiter.next.previous = waiter.previous
    else this.#tail = waiter.previous
    this.#count(-1)
  }

  #count(change: 1 | -1): void {
    this.length += change
    for (const bucket of this.buckets) bucket.waiting += change
  }
}

/** Lanes of one priority. */
interface Class<B extends Awaited> {
  readonly share: number
  /** Those that are left of the share in this round. */
  turns: number
  readonly lanes: Lane<B>[]
  /** The lanes before it have gone. */
  head: number
}

/** The lanes that wait for one thing. */
export class LaneQueue<B extends Awaited = Awaited> {
  /** High first. */
  readonly #classes = SHARES.map((share): Class<B> => ({ share, turns: share, lanes: [], head: 0 }))
  size = 0

  push(lane: Lane<B>): void {
    this.#classes[lane.rank]?.lanes.push(lane)
    this.size++
  }

  *lanes(): Iterable<Lane<B>> {
    for (const { lanes, head } of this.#classes) yield* lanes.slice(head)
  }

  /** The next lane in turn. */
  shift(): Lane<B> | undefined {
    const next = this.#pick()
    if (!next) return undefined
    const lane = next.lanes[next.head]
    this.size--
    next.turns--
    next.head++
    if (next.head >= 64 && next.head * 2 > next.lanes.length) {
      next.lanes.splice(0, next.head)
      next.head = 0
    }
    return lane
  }

  /** A class that waits and has turns left; when none has, a new round begins. */
  #pick(): Class<B> | undefined {
    if (this.size === 0) return undefined
    for (const each of this.#classes) if (each.turns > 0 && each.head < each.lanes.length) return each
    for (const each of this.#classes) each.turns = each.share
    return this.#classes.find(({ head, lanes }) => head < lanes.length)
  }
}
