/** Lobbies that were read just now: their members are taken to be the same. */
import type { Clock } from '../../shared/foundation/clock'

/** ms for which they are. */
const MAX_AGE = 5000

/**
 * By the clock of this machine alone. The versions of states come from the broker's clock: compared with this one, a state would stay fresh
 * for as long as this machine's clock is behind.
 */
export class FreshLobbies {
  readonly #clock: Clock
  /** Epoch ms. */
  readonly #readAt = new Map<string, number>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(lobbyId: string): void {
    this.#readAt.set(lobbyId, this.#clock.now())
  }

  /** Also false after the clock was set back. */
  has(lobbyId: string): boolean {
    const readAt = this.#readAt.get(lobbyId)
    return readAt !== undefined && Math.abs(this.#clock.now() - readAt) < MAX_AGE
  }

  sweep(): void {
    for (const id of this.#readAt.keys()) if (!this.has(id)) this.#readAt.delete(id)
  }
}
