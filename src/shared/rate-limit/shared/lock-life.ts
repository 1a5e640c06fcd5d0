/** Life of a held lock: it ends at its deadline, unless it is renewed before. */
import type { MonotonicClock } from '../../foundation/monotonic-clock'

export interface LockLifeOptions {
  clock: MonotonicClock
  /** ms from a request for the lock to its deadline. */
  maxHold: number
  /** Renews the lock; resolves with false if the store no longer has it. Absent: the lock ends at its first deadline. */
  renew: (() => Promise<boolean>) | undefined
  /** Called once at the deadline. */
  expired: () => void
}

/** Renewals until a deadline. */
const TRIES = 4

export class LockLife {
  readonly #options: LockLifeOptions
  #deadline: number
  #cancels: (() => void)[] = []

  /** `heldSince`: monotonic ms of the request that got the lock; the store may have granted it at that time. */
  constructor(options: LockLifeOptions, heldSince: number) {
    this.#options = options
    this.#deadline = heldSince + options.maxHold
    this.#watch(0)
    if (options.renew) this.#renewLater(1, options.renew)
  }

  /** True before the deadline, also when timers run late: in a process that stood still, the lock may belong to another one. */
  get isHeld(): boolean {
    return this.#options.clock.elapsed() < this.#deadline
  }

  /** Stops all timers. */
  end(): void {
    for (const cancel of this.#cancels) cancel()
    this.#cancels = []
  }

  #watch(slot: number): void {
    const { clock, expired } = this.#options
    const left = Math.max(0, this.#deadline - clock.elapsed())
    this.#cancels[slot] = clock.after(left, () => (this.isHeld ? this.#watch(slot) : expired()))
  }

  #renewLater(slot: number, renew: () => Promise<boolean>): void {
    const { clock, maxHold } = this.#options
    this.#cancels[slot] = clock.after(maxHold / TRIES, () => void this.#renew(slot, renew))
  }

  /** While the store is unavailable, tries again until the deadline. */
  async #renew(slot: number, renew: () => Promise<boolean>): Promise<void> {
    const { clock, maxHold } = this.#options
    const sentAt = clock.elapsed()
    const isRenewed = await renew().catch(() => undefined)
    if (this.#cancels.length === 0 || !this.isHeld || isRenewed === false) return
    if (isRenewed) this.#deadline = sentAt + maxHold
    this.#renewLater(slot, renew)
  }
}
