/** Sessions of a browser page, shared by its tabs: Web Locks, broadcasts, and events that indicate elapsed time. */
import type { ClientBase } from '../context/client-base'
import { Sessions } from '../sign-in/sessions'
import type { Clock } from '../../shared/foundation/clock'
import { ConfigurationError } from '../../shared/foundation/errors'
import { createDeferred } from '../../shared/foundation/async'
import {
  singleClientEnvironment,
  type Lock,
  type LockOptions,
  type SessionEnvironment,
  type EnvironmentListener,
} from '../session/current-session'
import type { Persist } from '../session/stored-session'
import { openBroadcast } from './callback-channel'

/** `persist` as for `Sessions`. */
export function openBrowserSessions(client: ClientBase, persist: Persist | undefined): Sessions {
  return new Sessions(client, browserSessionEnvironment(client.options.clock), persist)
}

/** Globals that are missing in pages over plain http, in workers or in Node, although the DOM types declare them. */
interface Platform {
  navigator?: { locks?: LockManager; onLine?: boolean }
  document?: Document
}

/** Without tabs, as in Node, or without Web Locks, each client works alone. */
export function browserSessionEnvironment(clock: Clock): SessionEnvironment {
  const alone = singleClientEnvironment()
  const platform: Platform = globalThis
  if (typeof addEventListener !== 'function') return alone
  const { navigator } = platform
  // Without a channel, other tabs check for changes when they become visible.
  const channel = openBroadcast('foyer:session')
  let leaving = false
  return {
    lock(name, options, work) {
      const unlocked = () => alone.lock(name, options, () => work({ alone: false }))
      return navigator?.locks
        ? lockAcrossTabs(navigator.locks, name, { ...options, clock, work, unlocked })
        : unlocked()
    },
    announce: (key) => channel?.postMessage(key),
    watch: (listener) =>
      watch(listener, {
        channel,
        document: platform.document,
        left: ({ type }) => (leaving = type === 'pagehide'),
      }),
    leaving: () => leaving,
    online: () => navigator?.onLine !== false,
  }
}

interface LockRequest<T> extends LockOptions {
  clock: Clock
  work: (lock: Lock) => Promise<T>
  unlocked: () => Promise<T>
}

/** Never uses `steal`: the lock holder may have a request in progress. */
async function lockAcrossTabs<T>(
  locks: LockManager,
  name: string,
  { wait, signal, clock, work, unlocked }: LockRequest<T>,
): Promise<T> {
  const waiting = createDeferred<void>(clock, { timeout: wait, signals: [signal], makeError: closed })
  waiting.promise.catch(() => undefined)
  let running: Promise<T> | undefined
  try {
    return await locks.request(name, { signal: waiting.signal }, () => {
      waiting.resolve()
      return (running = work({ alone: true }))
    })
  } catch {
    // Another script of the page may have stolen the lock: the work that has begun goes on, and its outcome counts.
    if (running) return running
    if (signal.aborted) throw closed()
    return unlocked()
  }
}

const closed = () => new ConfigurationError('closed', 'client')

interface WatchedPage {
  channel: BroadcastChannel | undefined
  document: Document | undefined
  /** Called on `pagehide` and `pageshow`. */
  left: (sign: Event) => void
}

function watch(
  { changed, awake }: EnvironmentListener,
  { channel, document, left }: WatchedPage,
): () => void {
  const stopped = new AbortController()
  const { signal } = stopped
  const onVisible = () => document?.visibilityState === 'visible' && awake()
  channel?.addEventListener(
    'message',
    ({ data }: MessageEvent<unknown>) => typeof data === 'string' && changed(data),
    { signal },
  )
  for (const sign of ['online', 'pageshow', 'focus']) addEventListener(sign, awake, { signal })
  for (const sign of ['pagehide', 'pageshow']) addEventListener(sign, left, { signal })
  addEventListener('storage', ({ key }) => key && changed(key), { signal })
  document?.addEventListener('visibilitychange', onVisible, { signal })
  // The channel stays open for announcements of writes in progress. It has no listener left and ends with the page at the latest.
  return () => stopped.abort()
}
