/** What can be measured on a page without knowing it. */
import axe from 'axe-core'
import type { Page } from 'playwright'

declare global {
  interface Window {
    axe?: typeof axe
  }
}

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Rule and place of each fault. The script is evaluated by the debugger, which a content policy does not bind. */
export async function axeFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const faults = await page.evaluate(async (runOnly) => {
    const results = await window.axe?.run(document, { runOnly })
    return results?.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`))
  }, RULES)
  if (!faults) throw new Error('axe-core did not load.')
  return faults
}

/** Pixels that stand out of the window, or of a panel in it. */
export function sideways(page: Page): Promise<number> {
  return page.evaluate(() => {
    const panels = [...document.querySelectorAll('.panel')].map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    return Math.max(document.documentElement.scrollWidth - window.innerWidth, ...panels)
  })
}
