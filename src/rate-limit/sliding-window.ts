/** The arithmetic of one bucket: N slots, each free again when a whole window has passed since its answer came. It knows no clock. */
import { margin } from './shared/store'

/** So many requests in so many ms. An `Infinity` stands for a limit that nobody has told yet. */
export interface Rule {
  readonly limit: number
  readonly per: number
}

/** Release times in order, equal ones counted together: `[at, count, at, count, …]` from `head` on. */
export class ReleaseLog {
  total = 0
  #head = 0
  readonly #pairs: number[] = []

  static from(pairs: readonly number[]): ReleaseLog {
    const log = new ReleaseLog()
    for (let i = 0; i + 1 < pairs.length; i += 2) log.add(pairs[i] ?? 0, pairs[i + 1] ?? 0)
    return log
  }

  /** What `from` takes. */
  toPairs(): number[] {
    return this.#pairs.slice(this.#head)
  }

  /** The first release, `Infinity` when nothing cools. */
  get first(): number {
    return this.#pairs[this.#head] ?? Number.POSITIVE_INFINITY
  }

  get last(): number {
    return this.#pairs[this.#pairs.length - 2] ?? Number.NEGATIVE_INFINITY
  }

  add(at: number, count: number): void {
    const pairs = this.#pairs
    let end = pairs.length
    while (end > this.#head && Number(pairs[end - 2]) > at) end -= 2
    this.total += count
    if (end > this.#head && pairs[end - 2] === at) pairs[end - 1] = Number(pairs[end - 1]) + count
    else if (end === pairs.length) pairs.push(at, count)
    else pairs.splice(end, 0, at, count)
  }

  /** Drops what is free by `now`. */
  expire(now: number): void {
    const pairs = this.#pairs
    while (Number(pairs[this.#head]) <= now) {
      this.total -= Number(pairs[this.#head + 1])
      this.#head += 2
    }
    if (this.#head < 64 || this.#head * 2 < pairs.length) return
    pairs.splice(0, this.#head)
    this.#head = 0
  }

  /** When the slot in place `index` (0 is the first to come) is free; undefined when fewer cool. */
  at(index: number): number | undefined {
    let seen = 0
    for (let i = this.#head; i < this.#pairs.length; i += 2) {
      seen += Number(this.#pairs[i + 1])
      if (index < seen) return this.#pairs[i]
    }
    return undefined
  }
}

/** In flight and cooling slots of one bucket. A bucket that was used once and rests is this object, its key, and nothing else. */
export class SlotWindow {
  inFlight = 0
  #releases = 0
  /** The one release time, as long as there is only one. */
  #at = 0
  #releaseLog: ReleaseLog | undefined

  /** Settled up to the last `now` that was told. */
  get releasing(): number {
    return this.#releases
  }

  /** The next release, `Infinity` when nothing cools. */
  get nextRelease(): number {
    if (this.#releases === 0) return Number.POSITIVE_INFINITY
    return this.#releaseLog ? this.#releaseLog.first : this.#at
  }

  get lastRelease(): number {
    if (this.#releases === 0) return Number.NEGATIVE_INFINITY
    return this.#releaseLog ? this.#releaseLog.last : this.#at
  }

  expire(now: number): void {
    if (this.#releases === 0) return
    if (!this.#releaseLog) {
      if (this.#at <= now) this.#releases = 0
      return
    }
    this.#releaseLog.expire(now)
    this.#releases = this.#releaseLog.total
    if (this.#releases === 0) this.#releaseLog = undefined
  }

  /** Slots that may be taken by `now`. Negative when the limit has shrunk. */
  free(limit: number, now: number): number {
    this.expire(now)
    return limit - this.inFlight - this.#releases
  }

  /** Slots that are used up until `at`: an answered request, or somebody else's. */
  occupyUntil(at: number, count = 1): void {
    if (this.#releases > 0 && !this.#releaseLog && this.#at !== at) {
      this.#releaseLog = new ReleaseLog()
      this.#releaseLog.add(this.#at, this.#releases)
    }
    this.#releaseLog?.add(at, count)
    if (this.#releases === 0) this.#at = at
    this.#releases += count
  }

  /** The earliest moment at which whoever has `ahead` requests before it can be granted: a bound that no schedule beats. */
  earliest({ limit, per }: Rule, ahead: number, now: number): number {
    if (limit === Number.POSITIVE_INFINITY) return now
    const cycle = per + margin(per)
    // Below zero where the limit has shrunk: so many more have to come back first.
    const free = this.free(limit, now)
    const place = ahead % limit
    const turns = Math.floor(ahead / limit) * cycle
    if (place < free) return now + turns
    const releasing = this.#releaseLog ? this.#releaseLog.at(place - free) : place - free < this.#releases ? this.#at : undefined
    return (releasing ?? now + cycle) + turns
  }
}

/**
 * The same rate in small portions, for a server that weighs the window before this one: a burst in each window is refused there, and
 * `q` in each part of it never is, because (1 - f) q k + (f k + 1) q = q (k + 1) <= N.
 */
export function smoothed({ limit, per }: Rule, share: number): Rule {
  const whole = Math.max(1, Math.floor(limit * share))
  const parts = Math.min(8, whole - 1)
  return parts < 1 ? { limit: 1, per: per * 2 } : { limit: Math.floor(whole / (parts + 1)), per: Math.ceil(per / parts) }
}

/** One of `parties` equal parts. Where there are more parties than slots it is one slot, open for a moment in each period. */
export function fairPart({ limit, per }: Rule, parties: number): Rule {
  return { limit: Math.max(1, Math.floor(limit / parties)), per }
}

/** When a party may send that has less than one slot in a window: in the first `width` ms of each `period`, counted from `offset`. */
export interface Gate {
  readonly period: number
  readonly offset: number
  readonly width: number
}

/**
 * Undefined where each party has a whole slot. Parties cannot agree on an order while nobody counts for all, so each draws its own `place`,
 * from 0 to 1: they are spread over the period by chance, also when all of them want to send in the same moment.
 */
export function gateOf({ limit, per }: Rule, { parties, place }: { parties: number; place: number }): Gate | undefined {
  const period = Math.ceil((per * parties) / limit)
  return parties > limit ? { period, offset: place * period, width: per / 8 } : undefined
}

/** When the gate is open next; `now` where it is. */
export function opensAt({ period, offset, width }: Gate, now: number): number {
  const into = (((now - offset) % period) + period) % period
  return into < width ? now : Math.ceil(now + period - into)
}
