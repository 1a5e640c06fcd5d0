/** Turns: of the calls that name the same key one runs at a time, among all clients that share a store. */
import type { Clock } from '../../foundation/clock'
import { NetworkError } from '../../foundation/errors'
import { createDeferred } from '../../foundation/deferred'
import { monotonic, type MonotonicClock } from '../../foundation/monotonic-clock'
import type { Permit } from '../permit'
import { RateLimiter } from '../limiter'
import type { RateLimitStore } from './store'
import { AbortGroup } from '../../foundation/abort-group'

export interface KeyedMutex {
  /**
   * Runs `work` when its turn has come; it gets a signal that ends it when its turn does.
   * @throws RateLimitError when the turn does not come within `maxWait`, as while the store is away.
   * @throws NetworkError `timed_out`, `aborted`.
   */
  runExclusive<T>(key: string, work: (signal: AbortSignal) => Promise<T>, options: { signal?: AbortSignal | undefined }): Promise<T>
  /** Ends the turns that wait and that are under way. */
  close(): void
}

export interface KeyedMutexOptions {
  clock: Clock
  /** ms that a turn may be waited for. */
  maxWait: number
  /** All that take turns must share it. Without one, a client takes turns with itself alone. */
  store?: RateLimitStore | undefined
}

/** ms beyond its deadline for which a turn may still be taken; a process that died holds it so long. */
const GRACE = 1000
/** No turn is longer, in ms. A store that has forgotten whose turn it is grants none for so long. */
const LONGEST = 10_000
/** ms between two looks whether another process has ended its turn. */
const LOOK = 25

export function createKeyedMutex({ clock, maxWait, store }: KeyedMutexOptions): KeyedMutex {
  const abortGroup = new AbortGroup()
  const steadyClock = monotonic(clock)
  const hold = LONGEST + GRACE
  const limiter = new RateLimiter({ clock, hold, fence: hold + LOOK, ...(store && { store }) })
  return {
    async runExclusive(key, work, { signal }) {
      const permit = await limiter.acquire({ buckets: [{ name: 'turn', key, limit: 1, per: LOOK }], maxWait, signal })
      // From when it was asked for: the store may have granted it then.
      const longest = Math.max(0, permit.heldSince + LONGEST - steadyClock.elapsed())
      const done = runWithDeadline(work, { clock: steadyClock, abortGroup, signal, longest })
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

/** A request that was given up may still arrive: nobody else may begin before. */
function release(permit: Permit, error: unknown): void {
  if (error instanceof NetworkError) permit.lost()
  else permit.unused()
}

interface ExclusiveRun {
  clock: MonotonicClock
  abortGroup: AbortGroup
  signal: AbortSignal | undefined
  /** ms. */
  longest: number
}

/** Whatever `work` waits for: when its turn is over, the caller is freed. */
function runWithDeadline<T>(work: (signal: AbortSignal) => Promise<T>, { clock, abortGroup, signal, longest }: ExclusiveRun): Promise<T> {
  const pending = createDeferred<T>(clock, { timeout: longest, signals: [signal], makeError: (code) => new NetworkError(code, 'turn') })
  const place = abortGroup.add(() => pending.reject(new NetworkError('aborted', 'turn')))
  if (!pending.signal.aborted) work(pending.signal).then(pending.resolve, pending.reject)
  return pending.promise.finally(() => abortGroup.remove(place))
}
