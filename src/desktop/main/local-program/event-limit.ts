/** Limit of what a program may cause: a number of events in a span of time, counted by the arithmetic of the SDK's rate limits. */
import { SlotWindow, type SlotRule } from '../../../shared/rate-limit/slot-window'

export class EventLimit {
  readonly #rule: SlotRule
  readonly #window = new SlotWindow()

  constructor(rule: SlotRule) {
    this.#rule = rule
  }

  /** Counts an event, unless there were too many. `now` in monotonic ms. */
  take(now: number): boolean {
    if (this.#window.free(this.#rule.limit, now) < 1) return false
    this.#window.occupyUntil(now + this.#rule.per)
    return true
  }
}
