/** The port through which sessions meet what is around them: other tabs that share them, sleep, and the network's own word. */

export interface LockOptions {
  /** ms after which the work runs without the lock: who holds it may be frozen. */
  wait: number
  /** Gives up waiting. */
  signal: AbortSignal
}

export interface Lock {
  alone: boolean
}

export interface SessionEnvironment {
  /** Runs work while nobody else runs any under this name. `alone` tells whether that is so: without locks, or after `wait`, it is not. */
  lock<T>(name: string, options: LockOptions, work: (lock: Lock) => Promise<T>): Promise<T>
  /** Tells the others that the record of this key is another now. Nothing of it crosses. */
  announce(key: string): void
  /** `changed`: another has announced so. `awake`: time may have passed unseen, or the network is back. The result is the undo. */
  watch(listener: EnvironmentListener): () => void
  /** False only when the machine knows that it has no network. */
  online(): boolean
  /** True while the page is being closed: what fails now fails for that reason. */
  leaving?(): boolean
}

export interface EnvironmentListener {
  changed: (key: string) => unknown
  awake: () => void
}

/** For who shares nothing: one queue a name, and nobody to tell. */
export function singleClientEnvironment(): SessionEnvironment {
  const queues = new Map<string, Promise<unknown>>()
  return {
    lock(name, _, work) {
      const turn = (queues.get(name) ?? Promise.resolve()).then(() => work({ alone: true }))
      queues.set(
        name,
        turn.catch(() => undefined),
      )
      return turn
    },
    announce: () => undefined,
    watch: () => () => undefined,
    online: () => true,
  }
}
