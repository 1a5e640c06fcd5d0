/** The presence that the program shall show: five updates in 20 s reach it, and the last state always does. */
import type { HostPresence } from '../../../client/activity/host-types'
import { freeAt } from '../../../shared/rate-limit/store-port'
import { SlotWindow, type SlotRule } from '../../../shared/rate-limit/slot-window'
import type { MonotonicClock } from '../../../shared/foundation/monotonic-clock'

/** The service's limit (docs/interface/activities.md#local-program). */
const RULE: SlotRule = { limit: 5, per: 20_000 }

/** Sends a presence to the program. */
export type SendPresence = (activity: HostPresence | null) => Promise<unknown>

export class PresenceOutbox {
  readonly #clock: MonotonicClock
  readonly #window = new SlotWindow()
  #wanted: HostPresence | null = null
  /** True if the program shows something else. */
  #isStale = false
  #send: SendPresence | undefined
  #sending: Promise<void> | undefined
  /** Ends the wait for the limit. */
  #wake: (() => void) | undefined

  constructor(clock: MonotonicClock) {
    this.#clock = clock
  }

  /** Resolves when the program shows this or a later state, or is not there. Rejects if it refuses the last one. */
  put(activity: HostPresence | null): Promise<void> {
    this.#wanted = activity
    this.#isStale = true
    return this.#flush()
  }

  /** A program is connected, which shows nothing yet. */
  open(send: SendPresence): Promise<void> {
    this.#send = send
    this.#isStale = this.#wanted !== null
    return this.#flush()
  }

  /** The program has ended. */
  close(): void {
    this.#send = undefined
    this.#wake?.()
  }

  #flush(): Promise<void> {
    this.#sending ??= this.#sendLatest().finally(() => (this.#sending = undefined))
    return this.#sending
  }

  async #sendLatest(): Promise<void> {
    let refusal: { error: unknown } | undefined
    while (this.#isStale && this.#send) {
      await this.#slot()
      const send = this.#send
      if (!send) return
      this.#isStale = false
      refusal = undefined
      try {
        await send(this.#wanted)
      } catch (error) {
        refusal = { error }
      }
      this.#window.occupyUntil(freeAt(this.#clock.elapsed(), RULE.per))
    }
    if (refusal) throw refusal.error
  }

  #slot(): Promise<void> {
    const now = this.#clock.elapsed()
    const wait = this.#window.earliest(RULE, 0, now) - now
    if (wait <= 0) return Promise.resolve()
    return new Promise((resolve) => {
      const cancel = this.#clock.afterUnref(wait, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}
