/** Limits as the emulator counts them, with the calls that wait in the clients: a sample of each, several times a second. */
import { signal } from '@preact/signals'
import { onChange } from '../../foundation/on-change'
import type { RateLimitUsage } from 'foyer-sdk'
import { askPageServer } from '../../game/ask-page-server'
import type { PlayerSlot } from '../../game/player-slot'
import { type LimitSample, SAMPLE_COUNT } from '../../game/limit-sample'

export type HeaderMode = 'visible' | 'hidden' | 'absent'

/** Use of one limit: that of the application, or of the player who has used most of it. */
interface LimitUse {
  readonly name: string
  readonly limit: number
  /** Window in ms. */
  readonly per: number
  readonly used: number
  /** Id of the player, for a limit of each player. */
  readonly player?: string
  /** Calls that wait for a slot. */
  readonly waiting: number
  /** Time of the next slot in epoch ms; null if one is free, or if that depends on a response. */
  readonly nextAt: number | null
  /** Number of 429 responses. */
  readonly refused: number
}

/** Refused requests (401, 403, 429) of this machine, which block its address. */
interface EdgeUse {
  readonly limit: number
  readonly per: number
  readonly used: number
}

interface ServiceLimits {
  readonly limits: readonly LimitUse[]
  readonly edge: EdgeUse
  readonly headers: HeaderMode
  /** True if the limit of all requests is raised. */
  readonly raised: boolean
}

export interface LimitGauge extends LimitUse {
  readonly samples: readonly LimitSample[]
}

interface BurstOrder {
  readonly count: number
  readonly call: string
  /** True for requests without the SDK. */
  readonly plain: boolean
}

interface BurstResult {
  readonly succeeded: number
  readonly refused: number
  readonly failed: number
  readonly ms: number
}

export const setLimits = (change: { headers?: HeaderMode; raised?: boolean }) =>
  askPageServer<object>('setLimits', change)
export const resetLimits = () => askPageServer<object>('resetLimits')
export const sendBurst = (order: BurstOrder) => askPageServer<BurstResult>('burst', order)

export class ServiceLimitsMeter {
  readonly gauges = signal<readonly LimitGauge[]>([])
  readonly current = signal<ServiceLimits | undefined>(undefined)
  readonly #slots: readonly PlayerSlot[]
  readonly #samples = new Map<string, readonly LimitSample[]>()
  readonly #refused = new Map<string, number>()
  #isReading = false

  constructor(slots: readonly PlayerSlot[]) {
    this.#slots = slots
    for (const slot of slots) {
      onChange(slot.limited, (event) => {
        if (event?.by === 'service')
          this.#refused.set(event.bucket, (this.#refused.get(event.bucket) ?? 0) + 1)
      })
    }
  }

  /** Takes one sample. Nothing changes while the server of the page does not answer: the notice above the page says so. */
  async read(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    const read = await askPageServer<ServiceLimits>('limits').catch(() => undefined)
    this.#isReading = false
    if (!read) return
    this.current.value = read
    this.gauges.value = read.limits.map((use) => this.#gauge(use))
  }

  /** Forgets the refusals of the players' clients. */
  clear(): void {
    this.#refused.clear()
  }

  #gauge(use: LimitUse): LimitGauge {
    const own = this.#slots
      .flatMap(({ client }) => client?.rateLimits ?? [])
      .filter(({ bucket }) => bucket === use.name)
    const merged = {
      ...use,
      waiting: use.waiting + waitingIn(own),
      refused: use.refused + (this.#refused.get(use.name) ?? 0),
    }
    const samples = [
      ...(this.#samples.get(use.name) ?? []),
      { used: use.used, waiting: merged.waiting },
    ].slice(-SAMPLE_COUNT)
    this.#samples.set(use.name, samples)
    return { ...merged, samples }
  }
}

function waitingIn(uses: readonly RateLimitUsage[]): number {
  return uses.reduce((sum, { waiting }) => sum + waiting, 0)
}

/** Describes how close the address is to being blocked. */
export function describeEdge({ used, limit, per }: EdgeUse): string {
  const counted = `${used.toLocaleString('en')} of ${limit.toLocaleString('en')} refused requests in ${per / 60_000} minutes`
  if (used >= limit)
    return `${counted}: this address is blocked, for every game on it. Reset the counts to go on.`
  const share = (100 * used) / limit
  const words = share < 10 ? 'low' : share < 50 ? 'rising' : 'high'
  return `${counted}. Risk of a block: ${words} (${share < 1 && used > 0 ? 'less than 1' : Math.round(share)} %).`
}

/** @param burst.plain true for requests without the SDK. */
export function describeBurst(
  { succeeded, refused, failed, ms }: BurstResult,
  { plain }: { plain: boolean },
): string {
  const rest = failed === 0 ? '' : `, ${failed} failed otherwise`
  const words = `${succeeded} succeeded, ${refused} were refused with 429${rest}. It took ${(ms / 1000).toFixed(1)} s.`
  if (refused === 0) return words
  return plain
    ? `${words} Each refusal counts towards a block of the address.`
    : `${words} Something else used the same limits.`
}
