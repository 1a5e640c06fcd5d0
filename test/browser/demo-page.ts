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
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const faults = await page.evaluate(async (runOnly) => {
    const results = await window.axe?.run(document, { runOnly })
    return results?.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(' ')}`),
    )
  }, RULES)
  if (!faults) throw new Error('axe-core did not load.')
  return faults
}

const axeExpression = (runOnly: object) => `(async () => {
  if (!window.axe) { ${axe.source} }
  const { violations } = await window.axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] })
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' ')))
})()`

/** Expression with the same result as `axeFaults`, for a page of any engine. */
export const AXE_FAULTS = axeExpression(RULES)

/** Faults of the rules that a theme can break. */
export const AXE_COLOR_FAULTS = axeExpression({
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block'],
})

/** Pixels that stand out of the window, or of a panel in it. */
export const sideways = (page: Page): Promise<number> => page.evaluate(sidewaysInPage)

/** Texts of buttons, links and labels that are wider than the element, and of controls that reach out of the window or of a box that clips them. */
export const cutOff = (page: Page): Promise<string[]> => page.evaluate(cutOffInPage)

/** Expressions with the same results, for a page of any engine. */
export const [SIDEWAYS, CUT_OFF] = [`(${sidewaysInPage.toString()})()`, `(${cutOffInPage.toString()})()`]

function sidewaysInPage(): number {
  const panels = [...document.querySelectorAll('.panel')].map(
    ({ scrollWidth, clientWidth }) => scrollWidth - clientWidth,
  )
  return Math.max(document.documentElement.scrollWidth - window.innerWidth, ...panels)
}

function cutOffInPage(): string[] {
  /* oxlint-disable unicorn/consistent-function-scoping -- the page has no function of this module */
  const shown = (selector: string) =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.checkVisibility())
  const nameOf = (one: HTMLElement) =>
    `${one.tagName.toLowerCase()} ${one.getAttribute('aria-label') ?? one.getAttribute('name') ?? one.textContent}`.trim()
  // What only screen readers get is one pixel wide.
  const isExcluded = (one: HTMLElement) =>
    one.clientWidth <= 1 || one.matches('.visually-hidden, .skip, .theme *, .cm-editor *, [role=option] *')
  // A closed list shows as much of its choice as it has room for.
  const wide = shown('button, a, label:not(:has(select)), legend, h1, h2, h3, summary, dt, dd').filter(
    (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline',
  )
  const clips = (box: HTMLElement) => ['hidden', 'clip'].includes(getComputedStyle(box).overflowX)
  const scrolls = (box: HTMLElement) =>
    ['auto', 'scroll'].includes(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth
  const reachesOut = (one: HTMLElement) => {
    const { left, right } = one.getBoundingClientRect()
    for (let box = one.parentElement; box !== null; box = box.parentElement) {
      // It can be scrolled into view, as a column of a wide table.
      if (scrolls(box) && box !== document.documentElement && box !== document.body) return false
      if (clips(box) && right > box.getBoundingClientRect().right + 1) return true
    }
    return left < -1 || right > window.innerWidth + 1
  }
  const out = shown('button, a, input:not([type=hidden]), select, textarea, summary').filter(reachesOut)
  return [...new Set([...wide, ...out])].filter((one) => !isExcluded(one)).map(nameOf)
  /* oxlint-enable unicorn/consistent-function-scoping */
}
