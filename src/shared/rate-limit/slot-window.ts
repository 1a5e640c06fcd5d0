/** Sliding-window arithmetic of one bucket: N slots, each free again a full window after its response. Pure: times are arguments. */
import { margin } from './store-port'

/** `limit` requests per `per` ms. `Infinity` stands for an unknown limit. */
export interface SlotRule {
  readonly limit: number
  readonly per: number
}

/** Release times in order, equal ones grouped: `[at, count, at, count, …]` from `head` on. */
export class ReleaseLog {
  total = 0
  #head = 0
  readonly #pairs: number[] = []

  static from(pairs: readonly number[]): ReleaseLog {
    const log = new ReleaseLog()
    for (let i = 0; i + 1 < pairs.length; i += 2) log.add(pairs[i] ?? 0, pairs[i + 1] ?? 0)
    return log
  }

  /** Serializes the log for `from`. */
  toPairs(): number[] {
    return this.#pairs.slice(this.#head)
  }

  /** Next release time, `Infinity` if there is none. */
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

  /** Drops slots that are free at `now`. */
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

  /** Release time of the slot at `index` (0 is the next); undefined if fewer slots are releasing. */
  at(index: number): number | undefined {
    let seen = 0
    for (let i = this.#head; i < this.#pairs.length; i += 2) {
      seen += Number(this.#pairs[i + 1])
      if (index < seen) return this.#pairs[i]
    }
    return undefined
  }
}

/** In-flight and releasing slots of one bucket. Memory is minimal for a bucket with a single release time. */
export class SlotWindow {
  inFlight = 0
  #releases = 0
  /** The only release time, as long as there is no log. */
  #at = 0
  #releaseLog: ReleaseLog | undefined

  /** Number of releasing slots as of the last `expire`. */
  get releasing(): number {
    return this.#releases
  }

  /** Next release time, `Infinity` if there is none. */
  get nextRelease(): number {
    if (this.#releases === 0) return Number.POSITIVE_INFINITY
    return this.#releaseLog ? this.#releaseLog.first : this.#at
  }

  get lastRelease(): number {
    if (this.#releases === 0) return Number.NEGATIVE_INFINITY
    return this.#releaseLog ? this.#releaseLog.last : this.#at
  }

  expire(now: number): void {
    if (!this.#releaseLog) {
      if (this.#at <= now) this.#releases = 0
      return
    }
    this.#releaseLog.expire(now)
    this.#releases = this.#releaseLog.total
    if (this.#releases === 0) this.#releaseLog = undefined
  }

  /** Free slots at `now`. Negative after the limit was lowered. */
  free(limit: number, now: number): number {
    this.expire(now)
    return limit - this.inFlight - this.#releases
  }

  /** Occupies slots until `at`: for an answered request, or for usage by others. */
  occupyUntil(at: number, count = 1): void {
    if (this.#releases > 0 && !this.#releaseLog && this.#at !== at) {
      this.#releaseLog = new ReleaseLog()
      this.#releaseLog.add(this.#at, this.#releases)
    }
    this.#releaseLog?.add(at, count)
    if (this.#releases === 0) this.#at = at
    this.#releases += count
  }

  /** Earliest possible start for a request with `ahead` requests before it. This is a lower bound for every schedule. */
  earliest({ limit, per }: SlotRule, ahead: number, now: number): number {
    if (limit === Number.POSITIVE_INFINITY) return now
    const cycle = per + margin(per)
    // Negative after the limit was lowered: that many more slots must be released first.
    const free = this.free(limit, now)
    const index = ahead % limit
    const cycles = Math.floor(ahead / limit) * cycle
    if (index < free) return now + cycles
    const releasing = this.#releaseLog
      ? this.#releaseLog.at(index - free)
      : index - free < this.#releases
        ? this.#at
        : undefined
    return (releasing ?? now + cycle) + cycles
  }
}

/**
 * Splits the rate into smaller portions, for a server that weights the previous window: it would reject a burst in each window, and never
 * rejects `q` per part, because (1 - f) q k + (f k + 1) q = q (k + 1) <= N.
 */
export function smoothed({ limit, per }: SlotRule, fraction: number): SlotRule {
  const whole = Math.max(1, Math.floor(limit * fraction))
  const parts = Math.min(8, whole - 1)
  return parts < 1
    ? { limit: 1, per: per * 2 }
    : { limit: Math.floor(whole / (parts + 1)), per: Math.ceil(per / parts) }
}

/** The limit's share for one of `parties` equal parts. With more parties than slots it is one slot, usable only while the gate is open. */
export function fairPart({ limit, per }: SlotRule, parties: number): SlotRule {
  return { limit: Math.max(1, Math.floor(limit / parties)), per }
}

/** Time slots of a party with less than one slot per window: the first `width` ms of each `period`, counted from `offset`. */
export interface Gate {
  readonly period: number
  readonly offset: number
  readonly width: number
}

/**
 * Undefined if each party has a whole slot. Parties cannot agree on an order without the store, so each uses a random `phase` from 0 to 1:
 * this spreads them over the period, also when all want to send at the same moment.
 */
export function gateOf(
  { limit, per }: SlotRule,
  { parties, phase }: { parties: number; phase: number },
): Gate | undefined {
  const period = Math.ceil((per * parties) / limit)
  return parties > limit ? { period, offset: phase * period, width: per / 8 } : undefined
}

/** Next time the gate is open; `now` if it is. */
export function opensAt({ period, offset, width }: Gate, now: number): number {
  const into = (((now - offset) % period) + period) % period
  return into < width ? now : Math.ceil(now + period - into)
}
