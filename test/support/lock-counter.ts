/** Counter in a store that several tabs increment under a lock: a tab that reads a stale value loses a step. */
import type { TokenStore } from 'foyer-sdk'
import type { Page } from 'playwright'

/** `localStorage` itself is the reference for the store that is based on it. */
export type Counted = 'localStorageStore' | 'indexedDbStore' | 'localStorage'

/** Resolves with the counter after each tab has incremented it `steps` times. */
export async function countIn(
  tabs: readonly Page[],
  { where, steps }: { where: Counted; steps: number },
): Promise<number> {
  await Promise.all(tabs.map((page) => page.evaluate(count, { where, steps })))
  const counts = await Promise.all(tabs.map((page) => page.evaluate(count, { where, steps: 0 })))
  return Math.max(...counts)
}

/** Runs in the page. */
async function count({ where, steps }: { where: Counted; steps: number }): Promise<number> {
  const bare = {
    get: async (key: string) => localStorage.getItem(key) ?? undefined,
    set: async (key: string, text: string) => localStorage.setItem(key, text),
  }
  const { Foyer } = window as unknown as { Foyer: Record<string, () => TokenStore> }
  const texts = Foyer[where]?.() ?? bare
  const read = async () => Number((await texts.get('count')) ?? 0)
  const step = async () => texts.set('count', `${(await read()) + 1}`)
  for (let done = 0; done < steps; done += 1) await navigator.locks.request('count', step)
  return read()
}
