/** Polls a lobby for new messages, for games without a stream. */
import type { Clock } from '../foundation/clock'
import { ApiError } from '../foundation/errors'
import type { LobbyMessage } from './lobby-types'
import type { LobbyCache } from './lobby-cache'
import { compareIds } from './decode-player-lobby'

export interface WatchContext {
  clock: Clock
  cache: LobbyCache
  /** Fetches the newest messages, newest first. */
  fetch: (limit: number, signal: AbortSignal) => Promise<LobbyMessage[]>
}

/** Messages per poll. If all are new, a poll with the larger limit follows. */
const FIRST_LIMIT = 50
const SECOND_LIMIT = 200
/** Minimum interval in ms. */
const MIN_INTERVAL = 1000

/**
 * Polls until the signal aborts or the service refuses the player. Messages of the first poll are not emitted, because they are older. A
 * failed poll is made up for by the next one.
 */
export async function watch(
  { clock, cache, fetch }: WatchContext,
  { interval, signal }: { interval: number; signal: AbortSignal },
): Promise<void> {
  const [newest] = await fetch(FIRST_LIMIT, signal)
  let latest = newest?.id
  const isLater = ({ id }: LobbyMessage) => !latest || compareIds(id, latest) > 0
  const poll = async (): Promise<void> => {
    const few = await fetch(FIRST_LIMIT, signal)
    const all = few.length === FIRST_LIMIT && few.every(isLater) ? await fetch(SECOND_LIMIT, signal) : few
    if (signal.aborted) return
    const found = all.filter(isLater)
    latest = found[0]?.id ?? latest
    cache.addMessages(found)
  }
  const pollAndSchedule = async (): Promise<void> => {
    try {
      await poll()
    } catch (error) {
      if (error instanceof ApiError && !error.retryable) return
    }
    schedule()
  }
  const schedule = () => {
    if (signal.aborted) return
    const cancel = clock.after(interval > MIN_INTERVAL ? interval : MIN_INTERVAL, () => {
      signal.removeEventListener('abort', cancel)
      void pollAndSchedule()
    })
    signal.addEventListener('abort', cancel, { once: true })
  }
  schedule()
}
