/** Token store in `localStorage`. A change may reach other tabs later than a Web Lock does, so readers wait for the latest version. */
import { systemClock } from '../../shared/foundation/clock'
import type { TokenStore } from '../session/token-store'
import { textStore } from './session-storage-store'

/** Maximum time in ms until a change is visible in every tab. */
const PROPAGATION_TIME = 5000
/** Number of polls for a change that may never arrive, because site data were cleared; and the interval in ms. */
const MAX_POLLS = 4
const POLL_INTERVAL = 500

/**
 * Creates a token store in `localStorage`, shared by all tabs and persistent until site data are cleared. Scripts of the same origin, and
 * anyone with access to the disk, can read it.
 */
export function localStorageStore(): TokenStore {
  const store = textStore(() => localStorage)
  return {
    async get(key) {
      await untilVisible(key, await latest(key))
      return store.get(key)
    },
    set: (key, text) => put(key, () => store.set(key, text)),
    delete: (key) => put(key, () => store.delete(key)),
  }
}

/** Writes and announces the new version. A deletion keeps the version, so that readers wait for it as for any other change. */
async function put(key: string, write: () => Promise<void>): Promise<void> {
  const version = Math.max(await latest(key), versionOf(key)) + 1
  await write()
  localStorage.setItem(nameOf(key), `${version}`)
  await announce(`${nameOf(key)} ${version}`)
}

/** Absent in pages over plain http and in Node. */
interface Platform {
  navigator?: { locks?: LockManager }
}

const webLocks = (platform: Platform = globalThis): LockManager | undefined => platform.navigator?.locks

const nameOf = (key: string): string => `${key} version`

/** Returns 0 if there is none. */
const versionOf = (key: string): number => Number(localStorage.getItem(nameOf(key))) || 0

/** Returns the latest announced version, even if it is not visible in this tab yet. */
async function latest(key: string): Promise<number> {
  const { held = [] } = (await webLocks()?.query()) ?? {}
  const start = `${nameOf(key)} `
  return Math.max(
    0,
    ...held.map(({ name = '' }) => (name.startsWith(start) ? Number(name.slice(start.length)) || 0 : 0)),
  )
}

/** Holds a shared lock that contains the version in its name, for as long as the change may be invisible to others. Never blocks. */
async function announce(name: string): Promise<void> {
  const locks = webLocks()
  if (!locks) return
  await new Promise<void>((announced) => {
    const hold = () => {
      announced()
      return untilPropagated()
    }
    locks.request(name, { mode: 'shared' }, hold).catch(announced)
  })
}

/** Ends early when the page is left: Firefox keeps no page that holds a lock in its back/forward cache. */
function untilPropagated(): Promise<unknown> {
  const left = new AbortController()
  const leaves = new Promise((end) =>
    addEventListener('beforeunload', end, { once: true, signal: left.signal }),
  )
  return Promise.race([leaves, pause(PROPAGATION_TIME)]).finally(() => left.abort())
}

/** Polls several times: after sleep, timers fire before storage changes arrive. */
async function untilVisible(key: string, version: number): Promise<void> {
  let polls = 0
  while (versionOf(key) < version && polls < MAX_POLLS) if (!(await nextChange())) polls++
}

/** Resolves with true if another tab changes something before the next poll. */
function nextChange(): Promise<boolean> {
  return new Promise((end) => {
    addEventListener('storage', () => end(true), { once: true })
    void pause(POLL_INTERVAL).then(() => end(false))
  })
}

const pause = (ms: number): Promise<void> => new Promise((end) => void systemClock.after(ms, end))
