/** Samples the rate limits of both players over the last minute. */
import { signal } from '@preact/signals'
import { onChange } from '../../foundation/on-change'
import type { RateLimitUsage, RateLimitedEvent } from 'foyer-sdk'
import { type LimitSample, SAMPLE_COUNT } from '../../game/limit-sample'
import type { PlayerSlot } from '../../game/player-slot'

export interface Gauge {
  readonly id: string
  readonly use: RateLimitUsage
  /** Index of the player in `workbench.slots`. */
  readonly slot: number
  readonly samples: readonly LimitSample[]
  /** Number of 429 responses. */
  readonly answered429: number
  /** Number of calls rejected before they were sent. */
  readonly refusedHere: number
}

interface Counts {
  service: number
  client: number
}

export class LimitsMeter {
  readonly gauges = signal<readonly Gauge[]>([])
  readonly #slots: readonly PlayerSlot[]
  readonly #samples = new Map<string, readonly LimitSample[]>()
  readonly #refusals = new Map<string, Counts>()

  constructor(slots: readonly PlayerSlot[]) {
    this.#slots = slots
    for (const [index, slot] of slots.entries())
      onChange(slot.limited, (event) => event && this.#count(event, index))
  }

  /** Takes one sample. A client forgets a limit that nobody uses: its plot goes on at rest. */
  tick(): void {
    const found = this.#slots.flatMap(({ client }, slot) =>
      (client?.rateLimits ?? []).map((use) => ({ use, slot })),
    )
    const used = new Set(found.map(({ use, slot }) => idOf(use, slot)))
    const resting = this.gauges.value
      .filter(({ id }) => !used.has(id))
      .map(({ use, slot }) => ({ use: atRest(use), slot }))
    // A route that turned out to have no limit has no plot.
    const limited = [...found, ...resting].filter(({ use }) => Number.isFinite(use.limit))
    this.gauges.value = limited.map(({ use, slot }) => this.#gauge(use, slot))
  }

  #gauge(use: RateLimitUsage, slot: number): Gauge {
    const id = idOf(use, slot)
    const samples = [
      ...(this.#samples.get(id) ?? []),
      { used: use.limit - use.free, waiting: use.waiting },
    ].slice(-SAMPLE_COUNT)
    this.#samples.set(id, samples)
    const { service = 0, client = 0 } = this.#refusals.get(id) ?? {}
    return { id, use, slot, samples, answered429: service, refusedHere: client }
  }

  #count(event: RateLimitedEvent, index: number): void {
    const id = idOf(event, index)
    const { service = 0, client = 0 } = this.#refusals.get(id) ?? {}
    this.#refusals.set(
      id,
      event.by === 'service' ? { service: service + 1, client } : { service, client: client + 1 },
    )
  }
}

/** Counts refusals. Each player's client counts separately. */
const idOf = ({ bucket }: { bucket: string }, slot: number): string => `${bucket} ${slot}`

const atRest = (use: RateLimitUsage): RateLimitUsage => ({
  ...use,
  free: use.limit,
  inFlight: 0,
  releasing: 0,
  waiting: 0,
  nextAt: null,
})

/** Sorts the gauges by player, then by limit. */
export function inOrder(gauges: readonly Gauge[]): Gauge[] {
  return gauges.toSorted((a, b) => a.slot - b.slot || a.id.localeCompare(b.id))
}
