/** Percentage of the updates of several tabs that survive, compared with plain `localStorage` under the same lock. */
import { createEmulator } from 'foyer-emulator'
import type { Page } from 'playwright'
import { launchChromium } from '../../test/support/chromium'
import { type Counted, countIn } from '../../test/support/lock-counter'
import { serveGame } from '../../test/support/game-page'
import type { Result } from '../measure'

const TABS = 5
const STEPS = 100

export async function bench(): Promise<Result[]> {
  const peer = await kept('localStorage')
  const results: Result[] = []
  for (const where of ['localStorageStore', 'indexedDbStore'] as const) {
    const ours = await kept(where)
    results.push({
      bench: 'stores',
      where: `5 tabs, ${where}`,
      ours,
      peer,
      ratio: ours / peer,
      unit: '%',
      target: '100 %',
      passed: ours === 100,
    })
  }
  return results
}

/** Percentage of the steps. */
async function kept(where: Counted): Promise<number> {
  const emulator = await createEmulator()
  const game = await serveGame(emulator)
  const browser = await launchChromium(undefined, { full: true })
  try {
    const context = await browser.newContext()
    const tabs: Page[] = []
    while (tabs.length < TABS) tabs.push(await context.newPage())
    for (const page of tabs) await page.goto(game.url)
    return (100 * (await countIn(tabs, { where, steps: STEPS }))) / (TABS * STEPS)
  } finally {
    await browser.close()
    await game.close()
    await emulator.close()
  }
}
