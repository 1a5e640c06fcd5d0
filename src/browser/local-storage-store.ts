/** Texts in `localStorage`. Browsers hand a change from tab to tab later than a Web Lock: who comes next in a lock waits for the latest one. */
import { systemClock } from '../foundation/clock'
import type { TokenStore } from '../tokens/session/token-store'
import { textStore } from './web-storage'

/** ms that a change may take to reach every tab. */
const PASSING = 5000
/** How often to look for a change that is known and does not come, since the site's data were cleared; and ms between two looks. */
const LOOKS = 4
const LOOK = 500

/** Lives until it is cleared, and is the same in all tabs. Every script of the origin can read it, and so can who reads the disk. */
export function localStorageStore(): TokenStore {
  const store = textStore(() => localStorage)
  return {
    async get(key) {
      await arrived(key, await latest(key))
      return store.get(key)
    },
    set: (key, text) => put(key, () => store.set(key, text)),
    delete: (key) => put(key, () => store.delete(key)),
  }
}

/** Writes, and tells of it. The version stays where a text is deleted: who reads then waits for the deletion, and for nothing after it. */
async function put(key: string, write: () => Promise<void>): Promise<void> {
  const version = Math.max(await latest(key), versionOf(key)) + 1
  await write()
  localStorage.setItem(nameOf(key), `${version}`)
  await tell(`${nameOf(key)} ${version}`)
}

/** Pages over plain http have no locks, and Node has nothing of it. */
interface Platform {
  navigator?: { locks?: LockManager }
}

const webLocks = (platform: Platform = globalThis): LockManager | undefined => platform.navigator?.locks

const nameOf = (key: string): string => `${key} version`

/** 0 where there is none. */
const versionOf = (key: string): number => Number(localStorage.getItem(nameOf(key))) || 0

/** The version that a tab has set in these seconds, whether this one can see it yet or not. */
async function latest(key: string): Promise<number> {
  const { held = [] } = (await webLocks()?.query()) ?? {}
  const start = `${nameOf(key)} `
  return Math.max(0, ...held.map(({ name = '' }) => (name.startsWith(start) ? Number(name.slice(start.length)) || 0 : 0)))
}

/** Holds a lock of this name for as long as others may not see yet what it tells of. It is in nobody's way. */
async function tell(name: string): Promise<void> {
  const locks = webLocks()
  if (!locks) return
  await new Promise<void>((told) => {
    const hold = () => {
      told()
      return pause(PASSING)
    }
    locks.request(name, { mode: 'shared' }, hold).catch(told)
  })
}

/** In several looks: who slept wakes to a timer first, and to the change only then. */
async function arrived(key: string, version: number): Promise<void> {
  let looks = 0
  while (versionOf(key) < version && looks < LOOKS) if (!(await changeComes())) looks++
}

/** Whether another tab changes something before the next look. */
function changeComes(): Promise<boolean> {
  return new Promise((end) => {
    addEventListener('storage', () => end(true), { once: true })
    void pause(LOOK).then(() => end(false))
  })
}

const pause = (ms: number): Promise<void> => new Promise((end) => void systemClock.after(ms, end))
