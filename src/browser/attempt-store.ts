/** Keeps attempts in the tab's session storage while the page is away. */
import { ATTEMPT_LIFETIME, type AttemptStore, parseAttempt } from '../authorization/attempt-store'
import type { Clock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'

const PREFIX = 'foyer:attempt:'
const MAX_RECORDS = 8

/** Session storage belongs to one tab and dies with it, which is just how long a redirect's record may live. */
export class SessionAttemptStore implements AttemptStore {
  readonly #clock: Clock

  constructor(clock: Clock) {
    this.#clock = clock
  }

  save(state: string, record: string): void {
    try {
      this.#makeRoom()
      sessionStorage.setItem(PREFIX + state, record)
    } catch (error) {
      throw new ConfigurationError(
        'unsupported',
        'This page may not use session storage, so a full-page redirect cannot work: use a popup.',
        { cause: error },
      )
    }
  }

  take(state: string): string | undefined {
    try {
      const record = sessionStorage.getItem(PREFIX + state)
      sessionStorage.removeItem(PREFIX + state)
      return record ?? undefined
    } catch {
      return undefined
    }
  }

  /** Removes what has expired or is no record, then the oldest, until one more fits. */
  #makeRoom(): void {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
    const byAge = keys.map((key) => ({ key, begun: begunAt(key) })).sort((a, b) => b.begun - a.begun)
    const expired = this.#clock.now() - ATTEMPT_LIFETIME
    byAge.forEach((record, index) => {
      if (index >= MAX_RECORDS - 1 || record.begun < expired) sessionStorage.removeItem(record.key)
    })
  }
}

/** Epoch ms; 0 for what is no record. */
function begunAt(key: string): number {
  return parseAttempt(sessionStorage.getItem(key) ?? '')?.begun ?? 0
}
