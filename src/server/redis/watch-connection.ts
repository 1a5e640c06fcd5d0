/** Keeps the connection of a Redis client usable: a silent one, or one to a server that refuses for good, is replaced. */
import { afterUnref, type Clock, systemClock } from '../../shared/foundation/clock'

/** ms between two looks at a connection with commands without a response. */
const LOOK = 500
/** Looks without a response to any command after which the connection is replaced: a frozen server never closes it. */
const SILENT_LOOKS = 6
/** ms between two replacements because of a refusal. */
const REPLACE_INTERVAL = 500
/** States of an `ioredis` client that has a connection. */
const CONNECTED = new Set(['connect', 'ready'])
/**
 * Refusals that end with another connection only: the server has become a replica, or the password was changed. A client of `ioredis`
 * connects to the current master, with its current options. Up to version 6, Redis puts the refusal of a script's command behind the
 * script's name.
 */
const REFUSAL = /^(ERR Error running script .* -)?(READONLY|MASTERDOWN|NOAUTH|WRONGPASS)\b/

/** Methods of an `ioredis` client or cluster; a client without them keeps its connection. */
export interface ReplaceableConnection {
  /** State of the connection: `ready` and `connect` mean that there is one, `reconnecting` that the client waits before the next. */
  readonly status?: string
  /** Ends the connection and opens another one. */
  disconnect?(...args: [reconnect: true]): void
  /** Opens a connection at once. */
  connect?(): Promise<unknown>
}

/** Returns a function that watches commands: it resolves and rejects as the command does. */
export function watchConnection(
  redis: ReplaceableConnection,
  clock: Clock = systemClock,
): <T>(command: Promise<T>) => Promise<T> {
  let waiting = 0
  let silentLooks = 0
  let replacedAt = Number.NEGATIVE_INFINITY
  let cancel: (() => void) | undefined
  const look = () => {
    silentLooks += 1
    // The client's own delay grows to seconds: the server may be back already.
    if (redis.status === 'reconnecting') redis.connect?.().catch(() => undefined)
    if (silentLooks >= SILENT_LOOKS && CONNECTED.has(redis.status ?? '')) {
      silentLooks = 0
      redis.disconnect?.(true)
    }
    cancel = afterUnref(clock, LOOK, look)
  }
  const onRefusal = (error: unknown) => {
    const isOver =
      error instanceof Error && REFUSAL.test(error.message) && clock.now() - replacedAt >= REPLACE_INTERVAL
    if (!isOver || !CONNECTED.has(redis.status ?? '')) return
    replacedAt = clock.now()
    redis.disconnect?.(true)
  }
  return async (command) => {
    if (waiting++ === 0) cancel = afterUnref(clock, LOOK, look)
    try {
      return await command
    } catch (error) {
      onRefusal(error)
      throw error
    } finally {
      silentLooks = 0
      if (--waiting === 0) cancel?.()
    }
  }
}
