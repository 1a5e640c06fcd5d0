/** Keyed mutex: one call per key runs at a time, among all clients that share a store. */
import { type Clock } from '../../foundation/clock'
import { monotonic, type MonotonicClock } from '../../foundation/monotonic-clock'
import { NetworkError } from '../../foundation/errors'
import { createDeferred, AbortGroup } from '../../foundation/async'
import type { Permit } from '../permit'
import { RateLimiter } from '../rate-limiter'
import { LockLife } from './lock-life'
import type { RateLimitStore } from '../store-port'

/** Lock that a call holds while it runs. */
export interface HeldLock {
  /** Aborts when the lock expires. */
  readonly signal: AbortSignal
  /**
   * To be called before each write: in a process that stood still, the lock may belong to another one before the signal aborts.
   * @throws NetworkError `timed_out` if the lock has expired.
   */
  readonly requireHeld: () => void
}

export interface KeyedMutex {
  /**
   * Runs `work` while holding the mutex of `key`, for 10 s at most; with `isRenewed`, for as long as the store confirms the lock.
   * @throws RateLimitError if the mutex cannot be acquired within `maxWait`, for example while the store is unavailable.
   * @throws NetworkError `timed_out`, `aborted`.
   */
  runExclusive<T>(key: string, work: (lock: HeldLock) => Promise<T>, options: ExclusiveOptions): Promise<T>
  /** Aborts waiting and running calls. */
  close(): void
}

export interface ExclusiveOptions {
  signal?: AbortSignal | undefined
  /** Default: false. */
  isRenewed?: boolean
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
/** Maximum ms that a lock is held without a renewal. A store that lost its state grants no lock for that long. */
const MAX_HOLD = 10_000
const HOLD = MAX_HOLD + HOLD_GRACE
/** Polling interval in ms while another process holds the lock. */
const POLL_INTERVAL = 25

/** A lock is a limit of one call at a time. */
const LOCK = { limit: 1, per: POLL_INTERVAL }

export function createKeyedMutex({ clock, maxWait, store }: KeyedMutexOptions): KeyedMutex {
  const abortGroup = new AbortGroup()
  const monotonicClock = monotonic(clock)
  const limiter = new RateLimiter({ clock, hold: HOLD, fence: HOLD + POLL_INTERVAL, store })
  return {
    async runExclusive(key, work, { signal, isRenewed = false }) {
      const permit = await limiter.acquire({ buckets: [{ name: 'turn', key, ...LOCK }], maxWait, signal })
      const renew = isRenewed ? renewalOf(permit, store) : undefined
      const done = runWithDeadline(work, {
        clock: monotonicClock,
        abortGroup,
        signal,
        heldSince: permit.heldSince,
        renew,
      })
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

/** Undefined if the store cannot renew. Without a store, the lock is this client's own. */
function renewalOf(
  { storeLease: lease, buckets }: Permit,
  store: RateLimitStore | undefined,
): (() => Promise<boolean>) | undefined {
  if (!store || lease === undefined) return async () => true
  const bucket = { key: buckets[0]?.id ?? '', ...LOCK }
  const renew = store.renew?.bind(store)
  return renew && (() => renew({ bucket, lease, hold: HOLD }))
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
  /** Monotonic ms: measured from the request, since the store may have granted the lease at that time. */
  heldSince: number
  renew: (() => Promise<boolean>) | undefined
}

/** Settles the caller's promise when the lock expires, even if `work` is still pending. */
function runWithDeadline<T>(
  work: (lock: HeldLock) => Promise<T>,
  { clock, abortGroup, signal, heldSince, renew }: ExclusiveRun,
): Promise<T> {
  const pending = createDeferred<T>(clock, {
    signals: [signal],
    group: abortGroup,
    makeError: (code) => new NetworkError(code, 'turn'),
  })
  const expire = () => pending.reject(new NetworkError('timed_out', 'turn'))
  const life = new LockLife({ clock, maxHold: MAX_HOLD, renew, expired: expire }, heldSince)
  const requireHeld = () => {
    if (!life.isHeld) throw new NetworkError('timed_out', 'turn')
  }
  if (!pending.isSettled) work({ signal: pending.signal, requireHeld }).then(pending.resolve, pending.reject)
  return pending.promise.finally(() => life.end())
}
