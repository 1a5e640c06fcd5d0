/** Turns: of the calls that name the same key one runs at a time, among all clients that share a store. */
import type { Clock } from '../foundation/clock'
import { NetworkError } from '../foundation/errors'
import { startPending } from '../foundation/pending'
import { steady, type SteadyClock } from '../foundation/steady-clock'
import type { Lease } from '../rate-limit/lease'
import { RateLimiter } from '../rate-limit/limiter'
import type { RateLimitStore } from '../rate-limit/store'
import { Life } from './life'

export interface Turns {
  /**
   * Runs `work` when its turn has come; it gets a signal that ends it when its turn does.
   * @throws RateLimitError when the turn does not come within `maxWait`, as while the store is away.
   * @throws NetworkError `timed_out`, `aborted`.
   */
  takeTurn<T>(key: string, work: (signal: AbortSignal) => Promise<T>, options: { signal?: AbortSignal | undefined }): Promise<T>
  /** Ends the turns that wait and that are under way. */
  close(): void
}

export interface TurnsOptions {
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

export function createTurns({ clock, maxWait, store }: TurnsOptions): Turns {
  const life = new Life()
  const steadyClock = steady(clock)
  const hold = LONGEST + GRACE
  const limiter = new RateLimiter({ clock, hold, fence: hold + LOOK, ...(store && { store }) })
  return {
    async takeTurn(key, work, { signal }) {
      const lease = await limiter.acquire({ buckets: [{ name: 'turn', key, limit: 1, per: LOOK }], maxWait, signal })
      // From when it was asked for: the store may have granted it then.
      const longest = Math.max(0, lease.heldSince + LONGEST - steadyClock.elapsed())
      const done = withinTurn(work, { clock: steadyClock, life, signal, longest })
      done.then(
        () => lease.unused(),
        (error: unknown) => endTurn(lease, error),
      )
      return done
    },
    close() {
      life.end()
      limiter.close()
    },
  }
}

/** A request that was given up may still arrive: nobody else may begin before. */
function endTurn(lease: Lease, error: unknown): void {
  if (error instanceof NetworkError) lease.lost()
  else lease.unused()
}

interface Turn {
  clock: SteadyClock
  life: Life
  signal: AbortSignal | undefined
  /** ms. */
  longest: number
}

/** Whatever `work` waits for: when its turn is over, the caller is freed. */
function withinTurn<T>(work: (signal: AbortSignal) => Promise<T>, { clock, life, signal, longest }: Turn): Promise<T> {
  const pending = startPending<T>(clock, { timeout: longest, signals: [signal], refuse: (code) => new NetworkError(code, 'turn') })
  const place = life.add(() => pending.fail(new NetworkError('aborted', 'turn')))
  if (!pending.signal.aborted) work(pending.signal).then(pending.succeed, pending.fail)
  return pending.promise.finally(() => life.remove(place))
}
