/** Texts in `localStorage`. Browsers hand a change from tab to tab later than a Web Lock: who comes next in a lock waits for the latest one. */
import { systemClock } from '../foundation/clock'
import type { TokenStore } from '../tokens/store'
import { textStore } from './web-storage'

/** ms that a change may take to reach every tab. */
const PASSING = 5000
/** ms to wait for a change that is known and does not come: the site's data were cleared. */
const PATIENCE = 1000

/** Lives until it is cleared, and is the same in all tabs. Every script of the origin can read it, and so can who reads the disk. */
export function localStorageStore(): TokenStore {
  const store = textStore(() => localStorage)
  return {
    async get(key) {
      await arrived(key, await latest(key))
      return store.get(key)
    },
    async set(key, text) {
      const version = Math.max(await latest(key), versionOf(key)) + 1
      await store.set(key, text)
      await store.set(nameOf(key), `${version}`)
      await tell(`${nameOf(key)} ${version}`)
    },
    async delete(key) {
      await store.delete(key)
      await store.delete(nameOf(key))
    },
  }
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
  await new Promise<void>((told) => {
    const hold = () => {
      told()
      return new Promise<void>((end) => void systemClock.after(PASSING, end))
    }
    if (locks) locks.request(name, { mode: 'shared' }, hold).catch(told)
    else told()
  })
}

async function arrived(key: string, version: number): Promise<void> {
  while (versionOf(key) < version && (await changeComes())) continue
}

/** Whether a change of another tab comes while there is patience. */
function changeComes(): Promise<boolean> {
  return new Promise((end) => {
    addEventListener('storage', () => end(true), { once: true })
    systemClock.after(PATIENCE, () => end(false))
  })
}
