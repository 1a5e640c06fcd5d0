/** Sessions among the tabs of a browser: one at a time by Web Locks, news by broadcast, and the signs that time has passed unseen. */
import type { Clock } from '../foundation/clock'
import { ConfigurationError } from '../foundation/errors'
import { createDeferred } from '../foundation/deferred'
import {
  singleClientEnvironment,
  type Lock,
  type LockOptions,
  type SessionEnvironment,
  type EnvironmentListener,
} from '../tokens/session/environment'
import { openBroadcast } from './callback-channel'

/** What the DOM types promise and not every place has: pages over plain http, workers, Node. */
interface Platform {
  navigator?: { locks?: LockManager; onLine?: boolean }
  document?: Document
}

/** Where there are no tabs, as in Node, and where there are no locks, each client stands alone. */
export function browserSessionEnvironment(clock: Clock): SessionEnvironment {
  const alone = singleClientEnvironment()
  const platform: Platform = globalThis
  if (typeof addEventListener !== 'function') return alone
  const { navigator } = platform
  // Without one the other tabs look for themselves when they are looked at.
  const channel = openBroadcast('foyer:session')
  let leaving = false
  return {
    lock(name, options, work) {
      const unlocked = () => alone.lock(name, options, () => work({ alone: false }))
      return navigator?.locks ? lockAcrossTabs(navigator.locks, name, { ...options, clock, work, unlocked }) : unlocked()
    },
    announce: (key) => channel?.postMessage(key),
    watch: (listener) => watch(listener, { channel, document: platform.document, left: ({ type }) => (leaving = type === 'pagehide') }),
    leaving: () => leaving,
    online: () => navigator?.onLine !== false,
  }
}

interface LockRequest<T> extends LockOptions {
  clock: Clock
  work: (lock: Lock) => Promise<T>
  unlocked: () => Promise<T>
}

/** Never `steal`: who holds the lock may have a request under way. */
async function lockAcrossTabs<T>(locks: LockManager, name: string, { wait, signal, clock, work, unlocked }: LockRequest<T>): Promise<T> {
  const waiting = createDeferred<void>(clock, { timeout: wait, signals: [signal], makeError: closed })
  waiting.promise.catch(() => undefined)
  let isHeld = false
  try {
    return await locks.request(name, { signal: waiting.signal }, () => {
      isHeld = true
      waiting.resolve()
      return work({ alone: true })
    })
  } catch (error) {
    if (isHeld) throw error
    if (signal.aborted) throw closed()
    return unlocked()
  }
}

const closed = () => new ConfigurationError('closed', 'client')

interface WatchedPage {
  channel: BroadcastChannel | undefined
  document: Document | undefined
  /** Called when the page is left, and when it comes back. */
  left: (sign: Event) => void
}

function watch({ changed, awake }: EnvironmentListener, { channel, document, left }: WatchedPage): () => void {
  const life = new AbortController()
  const { signal } = life
  const onVisible = () => document?.visibilityState === 'visible' && awake()
  channel?.addEventListener('message', ({ data }: MessageEvent<unknown>) => typeof data === 'string' && changed(data), { signal })
  for (const sign of ['online', 'pageshow', 'focus']) addEventListener(sign, awake, { signal })
  for (const sign of ['pagehide', 'pageshow']) addEventListener(sign, left, { signal })
  addEventListener('storage', ({ key }) => key && changed(key), { signal })
  document?.addEventListener('visibilitychange', onVisible, { signal })
  // The channel stays open: what is being stored just now is still to be told. Nobody listens at it, so it goes with the page at the latest.
  return () => life.abort()
}
