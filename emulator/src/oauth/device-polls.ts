/** Remembers when each device asked last, and tells who asks too often to slow down. */
import type { Clock } from '../foundation/clock.js'

/** Seconds between two questions, as the device was told. */
export const pollInterval = 5
/** A device that asks too often has to wait so much longer from then on. */
const penalty = 5

export class DevicePolls {
  readonly #clock: Clock
  readonly #polls = new Map<string, { last: number; interval: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The seconds that this device should have waited, when it did not. */
  tooSoon(deviceCode: string): number | undefined {
    const now = this.#clock.now()
    const { last, interval } = this.#polls.get(deviceCode) ?? { last: Number.NEGATIVE_INFINITY, interval: pollInterval }
    const soon = now - last < interval * 1000
    this.#polls.set(deviceCode, { last: now, interval: soon ? interval + penalty : interval })
    return soon ? interval + penalty : undefined
  }
}
