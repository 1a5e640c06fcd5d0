/** Polls a lobby for new messages, for games without a stream. */
import type { Clock } from '../../shared/foundation/clock'
import { ApiError, RateLimitError } from '../../shared/foundation/errors'
import type { LobbyMessage } from './lobby-state'
import type { LobbyCache } from './lobby-cache'
import { compareIds } from './read-lobby'

export interface WatchContext {
  clock: Clock
  cache: LobbyCache
  /** Fetches the newest messages, newest first. */
  fetch: (limit: number, options: PollOptions) => Promise<LobbyMessage[]>
}

interface PollOptions {
  signal: AbortSignal
  /** True for the first poll, whose result the game waits for. A refusal of the others makes the interval longer. */
  repeatsRefused: boolean
}

/** Messages per poll. If all are new, a poll with the larger limit follows. */
const FIRST_LIMIT = 50
const SECOND_LIMIT = 200
/** Minimum interval in ms. */
const MIN_INTERVAL = 1000
/** Maximum in ms to which refusals extend the interval of polls. */
const MAX_INTERVAL = 30_000
/** Factor for the interval after a refusal. */
const SLOWER = 1.5
/** ms: an extended interval of this length is halved by a success, shorter ones less: players who share a limit come to equal intervals. */
const HALVED = 60_000
/** Random part of an extended interval, so that players who were refused together do not come back together. */
const SPREAD = 0.5

/**
 * Polls until the signal aborts or the service refuses the player. Messages of the first poll are not emitted, because they are older. A
 * failed poll is made up for by the next one.
 */
export async function watch(
  { clock, cache, fetch }: WatchContext,
  { interval, signal }: { interval: number; signal: AbortSignal },
): Promise<void> {
  const [newest] = await fetch(FIRST_LIMIT, { signal, repeatsRefused: true })
  let latest = newest?.id
  const isLater = ({ id }: LobbyMessage) => !latest || compareIds(id, latest) > 0
  const poll = async (): Promise<void> => {
    const options = { signal, repeatsRefused: false }
    const few = await fetch(FIRST_LIMIT, options)
    const all = few.length === FIRST_LIMIT && few.every(isLater) ? await fetch(SECOND_LIMIT, options) : few
    if (signal.aborted) return
    const found = all.filter(isLater)
    latest = found[0]?.id ?? latest
    cache.addMessages(found)
  }
  repeat(poll, { clock, signal, shortest: interval > MIN_INTERVAL ? interval : MIN_INTERVAL })
}

interface Repetition {
  clock: Clock
  signal: AbortSignal
  /** Interval in ms without refusals. */
  shortest: number
}

function repeat(poll: () => Promise<void>, { clock, signal, shortest }: Repetition): void {
  let interval = shortest
  const pollAndSchedule = async (): Promise<void> => {
    let error: unknown
    await poll().catch((reason: unknown) => (error = reason))
    if (error instanceof ApiError && !error.retryable) return
    interval = Math.max(shortest, nextInterval(interval, error))
    schedule(error instanceof RateLimitError ? error.retryAfter : 0)
  }
  const schedule = (minimum = 0) => {
    if (signal.aborted) return
    const spread = interval > shortest ? 1 + (Math.random() - 0.5) * SPREAD : 1
    const cancel = clock.after(Math.ceil(Math.max(interval * spread, minimum)), () => {
      signal.removeEventListener('abort', cancel)
      void pollAndSchedule()
    })
    signal.addEventListener('abort', cancel, { once: true })
  }
  schedule()
}

/** Interval in ms after a poll, which may have failed. */
function nextInterval(interval: number, error: unknown): number {
  if (error instanceof RateLimitError) return Math.min(interval * SLOWER, MAX_INTERVAL)
  return error === undefined ? interval / (1 + (interval / HALVED) ** 2) : interval
}
