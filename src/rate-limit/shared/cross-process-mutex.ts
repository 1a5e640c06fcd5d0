/** Keyed mutex: one call per key runs at a time, among all clients that share a store. */
import type { Clock } from '../../foundation/clock'
import { NetworkError } from '../../foundation/errors'
import { createDeferred } from '../../foundation/deferred'
import { monotonic, type MonotonicClock } from '../../foundation/monotonic-clock'
import type { Permit } from '../request-permit'
import { RateLimiter } from '../rate-limiter'
import type { RateLimitStore } from './store-port'
import { AbortGroup } from '../../foundation/cancel-callbacks'

export interface KeyedMutex {
  /**
   * Runs `work` while holding the mutex of `key`. The signal aborts when the lock expires.
   * @throws RateLimitError if the mutex cannot be acquired within `maxWait`, for example while the store is unavailable.
   * @throws NetworkError `timed_out`, `aborted`.
   */
  runExclusive<T>(key: string, work: (signal: AbortSignal) => Promise<T>, options: { signal?: AbortSignal | undefined }): Promise<T>
  /** Aborts waiting and running calls. */
  close(): void
}

export interface KeyedMutexOptions {
  clock: Clock
  /** Maximum wait for the mutex in ms. */
  maxWait: number
  /** Store that all clients with the same mutex share. Default: the mutex covers this client only. */
  store?: RateLimitStore | undefined
}

/** ms beyond its deadline for which a lock is still held; a dead process blocks others for that long. */
const HOLD_GRACE = 1000
/** Maximum ms that a lock is held. A store that lost its state grants no lock for that long. */
const MAX_HOLD = 10_000
/** Polling interval in ms while another process holds the lock. */
const POLL_INTERVAL = 25

export function createKeyedMutex({ clock, maxWait, store }: KeyedMutexOptions): KeyedMutex {
  const abortGroup = new AbortGroup()
  const monotonicClock = monotonic(clock)
  const hold = MAX_HOLD + HOLD_GRACE
  const limiter = new RateLimiter({ clock, hold, fence: hold + POLL_INTERVAL, ...(store && { store }) })
  return {
    async runExclusive(key, work, { signal }) {
      const permit = await limiter.acquire({ buckets: [{ name: 'turn', key, limit: 1, per: POLL_INTERVAL }], maxWait, signal })
      // Measured from the request, since the store may have granted the lease at that time.
      const timeout = Math.max(0, permit.heldSince + MAX_HOLD - monotonicClock.elapsed())
      const done = runWithDeadline(work, { clock: monotonicClock, abortGroup, signal, timeout })
      done.then(
        () => permit.unused(),
        (error: unknown) => release(permit, error),
      )
      return done
    },
    close() {
      abortGroup.end()
      limiter.close()
    },
  }
}

/** An abandoned request may still arrive: the lock must be held until that is impossible. */
function release(permit: Permit, error: unknown): void {
  if (error instanceof NetworkError) permit.lost()
  else permit.unused()
}

interface ExclusiveRun {
  clock: MonotonicClock
  abortGroup: AbortGroup
  signal: AbortSignal | undefined
  /** ms. */
  timeout: number
}

/** Settles the caller's promise when the lock expires, even if `work` is still pending. */
function runWithDeadline<T>(work: (signal: AbortSignal) => Promise<T>, { clock, abortGroup, signal, timeout }: ExclusiveRun): Promise<T> {
  const pending = createDeferred<T>(clock, { timeout, signals: [signal], makeError: (code) => new NetworkError(code, 'turn') })
  const handle = abortGroup.add(() => pending.reject(new NetworkError('aborted', 'turn')))
  if (!pending.signal.aborted) work(pending.signal).then(pending.resolve, pending.reject)
  return pending.promise.finally(() => abortGroup.remove(handle))
}
