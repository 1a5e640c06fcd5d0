/** What the limits of both players look like over the last minute. */
import type { BucketUse, Limited } from 'foyer-sdk'
import { Store } from '../store'
import type { Seat } from './seat'

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
  readonly use: BucketUse
  /** Whose it is: an index of the seats, or undefined where it is everybody's. */
  readonly seat: number | undefined
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

export class Meter {
  readonly gauges = new Store<readonly Gauge[]>([])
  readonly #seats: readonly Seat[]
  readonly #samples = new Map<string, readonly Sample[]>()
  readonly #refusals = new Map<string, Counts>()

  constructor(seats: readonly Seat[]) {
    this.#seats = seats
    for (const [index, seat] of seats.entries()) seat.limited.onChange((event) => event && this.#count(event, index))
  }

  /** Looks once. */
  tick(): void {
    const found = new Map<string, { use: BucketUse; seat: number | undefined }>()
    for (const [index, { client }] of this.#seats.entries()) {
      for (const use of client?.limits() ?? []) {
        // A route that turned out to have no limit has nothing to meter.
        if (!Number.isFinite(use.limit)) continue
        const id = idOf(use, index)
        const other = found.get(id)?.use
        found.set(id, { use: other ? { ...use, waiting: use.waiting + other.waiting } : use, seat: isShared(use) ? undefined : index })
      }
    }
    this.gauges.set([...found].map(([id, { use, seat }]) => this.#gauge(id, use, seat)))
  }

  #gauge(id: string, use: BucketUse, seat: number | undefined): Gauge {
    const samples = [...(this.#samples.get(id) ?? []), { used: use.limit - use.free, waiting: use.waiting }].slice(-TICKS)
    this.#samples.set(id, samples)
    const { service = 0, client = 0 } = this.#refusals.get(id) ?? {}
    return { id, use, seat, samples, answered429: service, refusedHere: client }
  }

  #count(event: Limited, index: number): void {
    const id = idOf(event, index)
    const { service = 0, client = 0 } = this.#refusals.get(id) ?? {}
    this.#refusals.set(id, event.by === 'service' ? { service: service + 1, client } : { service, client: client + 1 })
  }
}

const isShared = ({ bucket }: { bucket: string }): boolean => bucket === 'global'

function idOf(use: { bucket: string; key: string }, index: number): string {
  return isShared(use) ? use.bucket : `${use.bucket} ${index}`
}
