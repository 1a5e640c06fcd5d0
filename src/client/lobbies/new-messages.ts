/** Finds the messages that are new, for a stream that announces them and for games that poll. The service's response is the only source of their content. */
import type { LobbyMessage } from './lobby-state'
import { compareIds } from './read-lobby'
import type { LobbyCache } from './lobby-cache'
import type { Clock } from '../../shared/foundation/clock'
import { ApiError, RateLimitError } from '../../shared/foundation/errors'

/** Messages per read. If all are new, a read with the larger limit follows. */
const FIRST_LIMIT = 50
const SECOND_LIMIT = 200

/** Reads the newest messages, newest first: more of them if the first read shows only new ones. */
async function readNew(
  fetch: (limit: number) => Promise<readonly LobbyMessage[]>,
  isNew: (message: LobbyMessage) => boolean,
): Promise<readonly LobbyMessage[]> {
  const few = await fetch(FIRST_LIMIT)
  return few.length === FIRST_LIMIT && few.every(isNew) ? fetch(SECOND_LIMIT) : few
}

/** ms before a failed read is repeated: up to the first value, then doubled up to the second. */
const FIRST_REPEAT = 1000
const LAST_REPEAT = 30_000

interface PullContext {
  readonly clock: Clock
  readonly cache: Pick<LobbyCache, 'addMessages' | 'generation' | 'get'>
  /** Reads the newest messages, newest first. */
  readonly fetch: (lobbyId: string, limit: number) => Promise<readonly LobbyMessage[]>
}

interface Pull {
  /** Id of the newest message that was read; `0` in a lobby without one. `unknown` until the first read. */
  mark: string
  readonly pending: Set<string>
  isRunning: boolean
  isQueued: boolean
  /** Since the last read that succeeded. */
  failures: number
  /** Cancels the next attempt after a failure. */
  cancel: () => void
}

/** At most one read in flight and one queued for each lobby. */
export class MessagePulls {
  readonly #context: PullContext
  readonly #pulls = new Map<string, Pull>()

  constructor(context: PullContext) {
    this.#context = context
  }

  /** The player has joined: messages that are there by now are older, and all later ones are emitted. */
  begin(lobbyId: string): void {
    if (!this.#pulls.has(lobbyId)) this.#start(lobbyId)
  }

  /**
   * Emits the message with this id and all after the mark. Without an id, messages may have been missed: a lobby that the player has not
   * joined yet has none.
   */
  pull(lobbyId: string, messageId?: string): void {
    if (messageId === undefined && !this.#context.cache.get(lobbyId)) return
    this.#start(lobbyId, messageId)
  }

  /** The player has left. */
  end(lobbyId: string): void {
    this.#pulls.get(lobbyId)?.cancel()
    this.#pulls.delete(lobbyId)
  }

  clear(): void {
    for (const { cancel } of this.#pulls.values()) cancel()
    this.#pulls.clear()
  }

  #start(lobbyId: string, messageId?: string): void {
    const pull: Pull = this.#pulls.get(lobbyId) ?? {
      mark: 'unknown',
      pending: new Set(),
      isRunning: false,
      isQueued: false,
      failures: 0,
      cancel: () => undefined,
    }
    this.#pulls.set(lobbyId, pull)
    if (messageId !== undefined) pull.pending.add(messageId)
    if (pull.isRunning) pull.isQueued = true
    else void this.#run(lobbyId, pull)
  }

  async #run(lobbyId: string, pull: Pull): Promise<void> {
    pull.isRunning = true
    pull.cancel()
    const { cache } = this.#context
    const { generation } = cache
    // Announcements that arrive together cause one read.
    await Promise.resolve()
    const pending = new Set(pull.pending)
    pull.pending.clear()
    try {
      const { mark } = pull
      const messages = await readNew(
        (limit) => this.#context.fetch(lobbyId, limit),
        ({ id }) => isAfter(id, mark),
      )
      pull.failures = 0
      if (generation !== cache.generation || this.#pulls.get(lobbyId) !== pull) return
      const first = pull.mark === 'unknown' ? [...pending].sort(compareIds)[0] : undefined
      cache.addMessages(messages.filter(({ id }) => pending.has(id) || isAfter(id, first ?? pull.mark)))
      const [newest] = messages
      if (newest ? pull.mark === 'unknown' || isAfter(newest.id, pull.mark) : pull.mark === 'unknown')
        pull.mark = newest?.id ?? '0'
    } catch (error) {
      for (const id of pending) pull.pending.add(id)
      this.#repeat(lobbyId, pull, error)
    } finally {
      pull.isRunning = false
      if (pull.isQueued) {
        pull.isQueued = false
        void this.#run(lobbyId, pull)
      }
    }
  }

  /** Without it, the message would be found with the next one, or never. A service that refuses the player is not asked again. */
  #repeat(lobbyId: string, pull: Pull, error: unknown): void {
    if (this.#pulls.get(lobbyId) !== pull || (error instanceof ApiError && !error.retryable)) return
    const asked = error instanceof RateLimitError ? error.retryAfter : 0
    const delay = Math.min(FIRST_REPEAT * 2 ** pull.failures++, LAST_REPEAT)
    const wait = Math.max(asked, delay * (0.5 + Math.random() / 2))
    pull.cancel = this.#context.clock.after(wait, () => this.#start(lobbyId))
  }
}

const isAfter = (id: string, mark: string): boolean => mark !== 'unknown' && compareIds(id, mark) > 0

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
 * failed poll is made up for by the next one, which comes later and later while they fail.
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
    const all = await readNew((limit) => fetch(limit, options), isLater)
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
  /** Since the last poll that the service has answered. */
  let failures = 0
  const pollAndSchedule = async (): Promise<void> => {
    let error: unknown
    await poll().catch((reason: unknown) => (error = reason))
    if (error instanceof ApiError && !error.retryable) return
    interval = Math.max(shortest, nextInterval(interval, error))
    if (error instanceof RateLimitError || error === undefined) failures = 0
    else failures++
    schedule(error instanceof RateLimitError ? error.retryAfter : pauseAfter(failures))
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

/** Least time in ms until the next poll: none after the first failure, then doubled, and another one for each player. */
function pauseAfter(failures: number): number {
  if (failures < 2) return 0
  return Math.min(FIRST_REPEAT * 2 ** (failures - 1), LAST_REPEAT) * (0.75 + Math.random() / 4)
}

/** Interval in ms after a poll, which may have been refused. */
function nextInterval(interval: number, error: unknown): number {
  if (error instanceof RateLimitError) return Math.min(interval * SLOWER, MAX_INTERVAL)
  return error === undefined ? interval / (1 + (interval / HALVED) ** 2) : interval
}
