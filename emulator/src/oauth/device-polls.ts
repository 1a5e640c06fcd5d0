/** Tracks the polls of devices, to slow down those that poll too often. */
import type { Clock } from '../foundation/clock.js'

/** Seconds between two polls, as reported to the device. */
export const POLL_INTERVAL = 5
/** Seconds added to the interval of a device that polls too often. */
const PENALTY = 5

export class DevicePolls {
  readonly #clock: Clock
  readonly #polls = new Map<string, { last: number; interval: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Records a poll; returns the required interval in seconds if it was too early. */
  tooSoon(deviceCode: string): number | undefined {
    const now = this.#clock.now()
    const { last, interval } = this.#polls.get(deviceCode) ?? { last: Number.NEGATIVE_INFINITY, interval: POLL_INTERVAL }
    const soon = now - last < interval * 1000
    this.#polls.set(deviceCode, { last: now, interval: soon ? interval + PENALTY : interval })
    return soon ? interval + PENALTY : undefined
  }
}
