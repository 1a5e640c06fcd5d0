/** Who waits, in order: first come, first served within a lane; turns between lanes; shares between classes. */

/** What counts how many wait for it. */
export interface Awaited {
  waiting: number
}

/** What a game is waiting for, what it will soon want, what can wait. */
export type Priority = 'high' | 'normal' | 'low'

/** Turns of the classes, high first: nobody of a lower class waits for ever. */
const SHARES = [8, 4, 1] as const
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

/** The lanes that wait for one thing. */
export class LaneQueue<B extends Awaited = Awaited> {
  readonly #classes: readonly Lane<B>[][] = [[], [], []]
  readonly #heads = [0, 0, 0]
  readonly #turns: number[] = [...SHARES]
  size = 0

  push(lane: Lane<B>): void {
    this.#classes[lane.rank]?.push(lane)
    this.size++
  }

  *lanes(): Iterable<Lane<B>> {
    for (const [rank, lanes] of this.#classes.entries()) yield* lanes.slice(this.#heads[rank])
  }

  /** The next lane in turn. */
  shift(): Lane<B> | undefined {
    const rank = this.#pick()
    if (rank === undefined) return undefined
    const lanes = this.#classes[rank] ?? []
    const head = this.#heads[rank] ?? 0
    const lane = lanes[head]
    this.#heads[rank] = head + 1
    if (head + 1 >= 64 && (head + 1) * 2 > lanes.length) {
      lanes.splice(0, head + 1)
      this.#heads[rank] = 0
    }
    this.size--
    return lane
  }

  /** A class that waits and has turns left; when none has, a new round begins. */
  #pick(): number | undefined {
    if (this.size === 0) return undefined
    for (const _ of [0, 1]) {
      for (let rank = 0; rank < SHARES.length; rank++) {
        if (this.#count(rank) === 0 || (this.#turns[rank] ?? 0) === 0) continue
        this.#turns[rank] = (this.#turns[rank] ?? 0) - 1
        return rank
      }
      SHARES.forEach((share, rank) => (this.#turns[rank] = share))
    }
    return undefined
  }

  #count(rank: number): number {
    return (this.#classes[rank]?.length ?? 0) - (this.#heads[rank] ?? 0)
  }
}
