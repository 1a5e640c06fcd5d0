/** Port to the environment of a session: locks and messages between tabs, wake-up from sleep, and network state. */

/** ms that another tab may take between reading and writing. */
export const WRITE_WAIT = 3000

export interface LockOptions {
  /** ms after which the work runs without the lock, since its holder may be frozen. */
  wait: number
  /** Aborts the wait. */
  signal: AbortSignal
}

export interface Lock {
  alone: boolean
}

export interface SessionEnvironment {
  /** Runs `work` under a named lock. `alone` is true if the lock is held; it is false without lock support, or after `wait`. */
  lock<T>(name: string, options: LockOptions, work: (lock: Lock) => Promise<T>): Promise<T>
  /** Notifies other tabs that the record of this key has changed. The record itself is not sent. */
  announce(key: string): void
  /**
   * Adds a listener. `changed`: another tab announced a change. `awake`: the machine woke up, or the network is back. Returns a function
   * that removes it.
   */
  watch(listener: EnvironmentListener): () => void
  /** False only if the machine reports that it has no network: a hint, since some report it wrongly. */
  online(): boolean
  /** True while the page is being closed, which makes requests fail. */
  leaving?(): boolean
}

export interface EnvironmentListener {
  changed: (key: string) => unknown
  awake: () => void
}

/** Environment of a client that shares its session with no other: local locks, no messages. */
export function singleClientEnvironment(): SessionEnvironment {
  const queues = new Map<string, Promise<unknown>>()
  return {
    lock(name, _, work) {
      const running = (queues.get(name) ?? Promise.resolve()).then(() => work({ alone: true }))
      queues.set(
        name,
        running.catch(() => undefined),
      )
      return running
    },
    announce: () => undefined,
    watch: () => () => undefined,
    online: () => true,
  }
}
