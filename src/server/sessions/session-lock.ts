/** A lock of all processes, held for as long as its work takes, and for a few seconds by a process that was killed. */
import type { Clock } from '../../shared/foundation/clock'
import { NetworkError } from '../../shared/foundation/errors'
import { inTime, pause } from '../../shared/foundation/in-time'
import { randomText } from '../../shared/foundation/crypto'
import type { StoreKey } from '../keys/store-key'
import type { SessionStore } from './session-store'

/** ms for which a lock is held that is renewed, and ms between two renewals. */
const RENEWED_TTL = 4000
const RENEWAL = 1000
/** ms for which a lock is held in a store that renews none: longer than a refresh takes. */
const TTL = 20_000
/** ms between two attempts to take a lock, and ms after which no more are made. */
const RETRY = 50
const MAX_WAIT = 20_000
/** ms for the release of a lock. */
const RELEASE = 500

export interface SessionLockOptions {
  readonly store: Pick<SessionStore, 'lock' | 'renew' | 'unlock'>
  readonly clock: Clock
}

export class SessionLock {
  readonly #options: SessionLockOptions

  constructor(options: SessionLockOptions) {
    this.#options = options
  }

  /** @throws NetworkError `timed_out` if another owner holds the lock for too long. @throws what the work or the store throws. */
  async run<Result>(key: StoreKey, work: () => Promise<Result>): Promise<Result> {
    const { store, clock } = this.#options
    const owner = randomText()
    for (let waited = 0; !(await store.lock(key, owner, store.renew ? RENEWED_TTL : TTL)); waited += RETRY) {
      if (waited > MAX_WAIT) throw new NetworkError('timed_out', 'store')
      await pause(clock, RETRY)
    }
    const end = this.#keep(key, owner)
    try {
      return await work()
    } finally {
      end()
      const released = store.unlock(key, owner)
      // Whoever waits for the answer does not wait for a store that hangs: the lock ends by itself.
      await inTime(released, { name: 'store.unlock', clock, timeout: RELEASE }).catch(() => undefined)
    }
  }

  /** Renews a lock until the returned function is called. A renewal that fails is tried again: the lock lasts for three more. */
  #keep(key: StoreKey, owner: string): () => void {
    const { store, clock } = this.#options
    let isOver = !store.renew
    let cancel: (() => void) | undefined
    const renewLater = () => {
      cancel = clock.after(RENEWAL, () => {
        const renewal = store.renew?.(key, owner, RENEWED_TTL) ?? Promise.resolve(false)
        void renewal.catch(() => true).then((isHeld) => void (isHeld && !isOver && renewLater()))
      })
    }
    if (!isOver) renewLater()
    return () => {
      isOver = true
      cancel?.()
    }
  }
}
