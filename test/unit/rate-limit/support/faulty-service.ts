/** A service with all faults of an hour: lost and slow responses, unexplained 429s, failures, dead connections. Deterministic by seed. */
import { NetworkError } from 'foyer-sdk'
import type { ResponseHead } from '../../../support/internals'
import { Judge } from './counting-service'
import type { VirtualClock } from './virtual-clock'

/** Random numbers from 0 to 1, equal for equal seeds (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Fate = 'answered' | 'slow' | 'lost' | 'unsent' | 'refused' | 'broken' | 'forbidden'

/** Percent of requests. */
const FATES: readonly (readonly [Fate, number])[] = [
  ['slow', 2],
  ['lost', 2],
  ['unsent', 1],
  ['refused', 1],
  ['broken', 2],
  ['forbidden', 0.2],
]
/** ms after which the sender times out. */
const TIMEOUT = 10_000

export class FaultyService {
  readonly #clock: VirtualClock
  readonly #chance: () => number
  readonly #judge: Judge
  /** 429s for an exceeded limit, in contrast to unexplained ones. */
  exceeded = 0
  readonly met: Record<Fate, number> = {
    answered: 0,
    slow: 0,
    lost: 0,
    unsent: 0,
    refused: 0,
    broken: 0,
    forbidden: 0,
  }

  constructor(clock: VirtualClock, chance: () => number, limit: { limit: number; per: number }) {
    this.#clock = clock
    this.#chance = chance
    this.#judge = new Judge({ kind: 'sliding', ...limit })
  }

  send(signal: AbortSignal): Promise<ResponseHead> {
    const fate = this.#draw()
    this.met[fate]++
    return new Promise((resolve, reject) => {
      const stop = () => reject(new NetworkError('aborted', 'soak'))
      const end = (after: number, settle: () => void) =>
        this.#clock.at(this.#clock.time + after, () => {
          signal.removeEventListener('abort', stop)
          settle()
        })
      signal.addEventListener('abort', stop)
      if (fate === 'unsent') return void end(1, () => reject(refusedConnection()))
      const [up, down] = [
        this.#between(5, 100),
        fate === 'slow' ? this.#between(1000, 9000) : this.#between(5, 100),
      ]
      if (fate === 'lost') end(TIMEOUT, () => reject(new NetworkError('timed_out', 'soak')))
      return void this.#clock.at(this.#clock.time + up, () => {
        const response = this.#answer(fate)
        if (fate !== 'lost') end(down, () => resolve(response))
      })
    })
  }

  #answer(fate: Fate): ResponseHead {
    const { isRefused, resetAfter } = this.#judge.check(this.#clock.time)
    this.#forget()
    if (isRefused) this.exceeded++
    if (isRefused) return rejection(resetAfter / 1000)
    if (fate === 'refused') return rejection(this.#between(0.5, 5))
    return {
      status: fate === 'broken' ? 503 : fate === 'forbidden' ? 403 : 200,
      header: () => null,
      body: {},
    }
  }

  /** Deletes times before every window: an hour of them would look like a leak. */
  #forget(): void {
    const { passed, limit, per } = this.#judge
    if (passed.length > 4 * limit)
      passed.splice(
        0,
        passed.findIndex((at) => at > this.#clock.time - per),
      )
  }

  #draw(): Fate {
    let left = this.#chance() * 100
    for (const [fate, share] of FATES) if ((left -= share) < 0) return fate
    return 'answered'
  }

  #between = (least: number, most: number): number => least + this.#chance() * (most - least)
}

const rejection = (seconds: number): ResponseHead => ({
  status: 429,
  header: () => null,
  body: { retry_after: seconds, global: false },
})

const refusedConnection = () =>
  new NetworkError('connection_failed', 'soak', { cause: { cause: { code: 'ECONNREFUSED' } } })
