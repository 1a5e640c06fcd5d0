/** Looks for new messages of a lobby now and then, where no stream tells them. */
import type { Clock } from '../foundation/clock'
import { ApiError } from '../foundation/errors'
import type { LobbyMessage } from './lobby'
import type { LobbyCache } from './lobby-cache'
import { compareIds } from './decode-player-lobby'

export interface WatchContext {
  clock: Clock
  cache: LobbyCache
  /** The newest messages, newest first. */
  fetch: (limit: number, signal: AbortSignal) => Promise<LobbyMessage[]>
}

/** Messages of a look; where all of them are new, there may be more. */
const FEW = 50
const MOST = 200
/** ms between two looks: no shorter. */
const SHORTEST = 1000

/**
 * The first look tells nothing: what stood there before is history. A look that fails is made up for by the next one; the watch ends
 * when the service refuses the player.
 */
export async function watch(
  { clock, cache, fetch }: WatchContext,
  { interval, signal }: { interval: number; signal: AbortSignal },
): Promise<void> {
  const [newest] = await fetch(FEW, signal)
  let latest = newest?.id
  const isLater = ({ id }: LobbyMessage) => !latest || compareIds(id, latest) > 0
  const look = async (): Promise<void> => {
    const few = await fetch(FEW, signal)
    const all = few.length === FEW && few.every(isLater) ? await fetch(MOST, signal) : few
    if (signal.aborted) return
    const found = all.filter(isLater)
    latest = found[0]?.id ?? latest
    cache.hear(found)
  }
  const goOn = async (): Promise<void> => {
    try {
      await look()
    } catch (error) {
      if (error instanceof ApiError && !error.retryable) return
    }
    wait()
  }
  const wait = () => {
    if (signal.aborted) return
    const cancel = clock.after(interval > SHORTEST ? interval : SHORTEST, () => {
      signal.removeEventListener('abort', cancel)
      void goOn()
    })
    signal.addEventListener('abort', cancel, { once: true })
  }
  wait()
}
