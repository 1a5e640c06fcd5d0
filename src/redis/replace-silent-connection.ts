/** Replaces the connection to a Redis server that answers nothing: a frozen one never closes it, even after another server took over. */
import { afterUnref } from '../foundation/after-unref'
import { type Clock, systemClock } from '../foundation/clock'

/** ms without a response to any command. */
const SILENCE = 3000
/** States of an `ioredis` client that has a connection. */
const CONNECTED = new Set(['connect', 'ready'])

/** Methods of an `ioredis` client or cluster; a client without them keeps its connection. */
export interface ReplaceableConnection {
  /** State of the connection: `ready` and `connect` mean that there is one. */
  readonly status?: string
  /** Ends the connection and opens another one. */
  disconnect?(...args: [reconnect: true]): void
}

/** Returns a function that watches commands: it resolves and rejects as the command does. */
export function replaceSilentConnection(redis: ReplaceableConnection, clock: Clock = systemClock): <T>(command: Promise<T>) => Promise<T> {
  let waiting = 0
  let cancel: (() => void) | undefined
  const expectResponse = () => {
    cancel?.()
    cancel = waiting > 0 ? afterUnref(clock, SILENCE, onSilence) : undefined
  }
  const onSilence = () => {
    if (CONNECTED.has(redis.status ?? '')) redis.disconnect?.(true)
    expectResponse()
  }
  return async (command) => {
    if (waiting++ === 0) expectResponse()
    try {
      return await command
    } finally {
      waiting -= 1
      expectResponse()
    }
  }
}
