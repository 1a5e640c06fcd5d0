/** What the limits of both players look like over the last minute. */
import type { RateLimitUsage, RateLimitedEvent } from 'foyer-sdk'
import { Store } from '../store'
import type { PlayerSlot } from './player-slot'

/** ms between two looks. */
export const TICK = 250
/** Looks that are remembered: a minute. */
export const TICKS = 240

export interface Sample {
  used: number
  waiting: number
}

export interface Gauge {
  readonly id: string
  readonly use: RateLimitUsage
  /** Whose it is: an index of the seats. */
  readonly seat: number
  readonly samples: readonly Sample[]
  /** Answers 429 of the service. */
  readonly answered429: number
  /** Calls refused before they left. */
  readonly refusedHere: number
}

interface Counts {
  service: number
  client: number
}

export class LimitsMeter {
  readonly gauges = new Store<readonly Gauge[]>([])
  readonly #seats: readonly PlayerSlot[]
  readonly #samples = new Map<string, readonly Sample[]>()
  readonly #refusals = new Map<string, Counts>()

  constructor(seats: readonly PlayerSlot[]) {
    this.#seats = seats
    for (const [index, seat] of seats.entries()) seat.limited.onChange((event) => event && this.#count(event, index))
  }

  /** Looks once. */
  tick(): void {
    const found = this.#seats.flatMap(({ client }, seat) => (client?.limits() ?? []).map((use) => ({ use, seat })))
    // A route that turned out to have no limit has nothing to meter.
    this.gauges.set(found.filter(({ use }) => Number.isFinite(use.limit)).map(({ use, seat }) => this.#gauge(use, seat)))
  }

  #gauge(use: RateLimitUsage, seat: number): Gauge {
    const id = idOf(use, seat)
    const samples = [...(this.#samples.get(id) ?? []), { used: use.limit - use.free, waiting: use.waiting }].slice(-TICKS)
    this.#samples.set(id, samples)
    const { service = 0, client = 0 } = this.#refusals.get(id) ?? {}
    return { id, use, seat, samples, answered429: service, refusedHere: client }
  }

  #count(event: RateLimitedEvent, index: number): void {
    const id = idOf(event, index)
    const { service = 0, client = 0 } = this.#refusals.get(id) ?? {}
    this.#refusals.set(id, event.by === 'service' ? { service: service + 1, client } : { service, client: client + 1 })
  }
}

/** Each player's client counts for itself. */
const idOf = ({ bucket }: { bucket: string }, seat: number): string => `${bucket} ${seat}`

/** When a call could start, in words. After a 429 the service holds a bucket that has room: then no call starts although slots are free. */
export function nextSlot({ free, nextAt }: Pick<RateLimitUsage, 'free' | 'nextAt'>, now: number): string {
  if (nextAt !== null && nextAt > now) return `in ${((nextAt - now) / 1000).toFixed(1)} s`
  return free > 0 ? 'now' : 'with an answer'
}
