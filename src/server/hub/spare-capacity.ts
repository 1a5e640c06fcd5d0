/** Leaves a part of the application's rate limit to calls that matter more than reads after reports that may show nothing. */
import { afterUnref, type Clock } from '../../shared/foundation/clock'

/** Part of the limit of all calls that is left free. */
const SPARE = 0.3
/** ms until the limit is compared again. */
const INTERVAL = 50
/** ms after which a read starts although less is free: an application that always uses most of its limit reads these lobbies too. */
const MAX_WAIT = 500

export interface SpareCapacityOptions {
  readonly clock: Clock
  /** Usage of each rate limit. */
  readonly limits: () => readonly { readonly bucket: string; readonly free: number; readonly limit: number }[]
}

export class SpareCapacity {
  readonly #options: SpareCapacityOptions
  #last: Promise<void> = Promise.resolve()

  constructor(options: SpareCapacityOptions) {
    this.#options = options
  }

  /** Resolves when a read may start: in the order of the calls. */
  wait(): Promise<void> {
    return (this.#last = this.#last.then(() => this.#untilFree()))
  }

  async #untilFree(): Promise<void> {
    const { clock } = this.#options
    const until = clock.now() + MAX_WAIT
    // The read before this one takes its slot meanwhile.
    await this.#sleep(0)
    while (!this.#isFree() && clock.now() < until) await this.#sleep(INTERVAL)
  }

  #isFree(): boolean {
    const global = this.#options.limits().find(({ bucket }) => bucket === 'global')
    return !global || global.free > global.limit * SPARE
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void afterUnref(this.#options.clock, ms, resolve))
  }
}
