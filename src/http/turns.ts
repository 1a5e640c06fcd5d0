/** Turns: of those that name the same key one runs at a time, among all who share a store. */
import type { Clock } from '../foundation/clock'
import { NetworkError } from '../foundation/errors'
import { startPending } from '../foundation/pending'
import { steady, type SteadyClock } from '../foundation/steady-clock'
import { RateLimiter } from '../rate-limit/limiter'
import type { RateLimitStore } from '../rate-limit/store'
import { Life } from './life'

export interface Turns {
  /**
   * Runs `work` when its turn has come; it gets a signal that ends it when its turn does.
   * @throws RateLimitError when the turn does not come within `maxWait`. @throws NetworkError `timed_out`, `aborted`.
   */
  takeTurn<T>(key: string, work: (signal: AbortSignal) => Promise<T>, options: { signal?: AbortSignal | undefined }): Promise<T>
  /** Ends the turns that wait and that are under way. */
  close(): void
}

export interface TurnsOptions {
  clock: Clock
  /** ms for one exchange. */
  timeout: number
  /** ms that a turn may be waited for. */
  maxWait: number
  /** Default: the turns of this process alone. */
  store?: RateLimitStore | undefined
}

/** ms beyond its deadline for which a turn may still be taken; a process that died holds it so long. */
const GRACE = 1000
/** No turn is longer, in ms. */
const LONGEST = 600_000
/** ms between two looks whether another process has ended its turn. */
const LOOK = 25

export function createTurns({ clock, timeout, maxWait, store }: TurnsOptions): Turns {
  const life = new Life()
  const steadyClock = steady(clock)
  const longest = Math.min(LONGEST, maxWait + timeout)
  const limiter = new RateLimiter({ clock, hold: longest + GRACE, ...(store && { store }) })
  return {
    async takeTurn(key, work, { signal }) {
      const lease = await limiter.acquire({ buckets: [{ name: 'turn', key, limit: 1, per: LOOK }], maxWait, signal })
      return withinTurn(work, { clock: steadyClock, life, signal, longest }).finally(() => lease.unused())
    },
    close() {
      life.end()
      limiter.close()
    },
  }
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
