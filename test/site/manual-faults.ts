/** Faults of a page of the manual that axe-core finds, in a fraction of the time that a whole run takes. */
import axe from 'axe-core'
import type { Page } from 'playwright'

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

interface Options {
  /** Also the list of all pages beside the text, which is the same on every page. */
  withSidebar?: boolean
}

/** Rule and place of each fault that does not depend on colors. */
export async function structureFaults(page: Page, { withSidebar = false }: Options = {}): Promise<string[]> {
  await loadAxe(page)
  const exclude = withSidebar ? [] : ['.VPSidebar']
  return page.evaluate(
    async ({ tags, colorRules, exclude: left }) => {
      const rules = Object.fromEntries(colorRules.map((rule) => [rule, { enabled: false }]))
      const results = await window.axe?.run(
        { exclude: left },
        { runOnly: tags, rules, resultTypes: ['violations'] },
      )
      if (!results) throw new Error('axe-core did not load.')
      return results.violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
      )
    },
    { tags: TAGS, colorRules: COLOR_RULES, exclude },
  )
}

/** Rule and place of each fault of colors. Texts of one look are measured once: same color, size and weight on the same background. */
export async function colorFaults(page: Page): Promise<string[]> {
  await loadAxe(page)
  return page.evaluate(async (values) => {
    const backgroundOf = (element: Element | null): string => {
      if (element === null) return ''
      const { backgroundColor, backgroundImage } = getComputedStyle(element)
      const isClear = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none'
      return isClear ? backgroundOf(element.parentElement) : `${backgroundColor} ${backgroundImage}`
    }
    const looks = new Map<string, Element>()
    for (const element of document.body.querySelectorAll('*')) {
      const hasText = [...element.childNodes].some(
        ({ nodeType, textContent }) => nodeType === 3 && textContent?.trim(),
      )
      if (!hasText || !element.checkVisibility()) continue
      const { color, fontSize, fontWeight, opacity } = getComputedStyle(element)
      const isLink = element.closest('a') !== null
      looks.set([color, fontSize, fontWeight, opacity, isLink, backgroundOf(element)].join(), element)
    }
    const results = await window.axe?.run(
      { include: [...looks.values()] },
      { runOnly: { type: 'rule', values }, resultTypes: ['violations'] },
    )
    if (!results) throw new Error('axe-core did not load.')
    return results.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target }) => `${id}: ${target.join(' ')}`),
    )
  }, COLOR_RULES)
}

/** Removes each block of the text whose elements are the same as those of an earlier one, but for their words. A reference has thousands. */
export function dropRepeatedBlocks(page: Page): Promise<void> {
  return page.evaluate(() => {
    const seen = new Set<string>()
    for (const block of document.querySelectorAll('.vp-doc > div > :not(h1, h2, h3, h4, h5, h6)')) {
      const elements = [block, ...block.querySelectorAll('*')]
      const kinds = new Set(elements.map(({ tagName, className }) => `${tagName}.${className}`))
      const look = [...kinds].toSorted().join(' ')
      if (seen.has(look)) block.remove()
      seen.add(look)
    }
  })
}

/** The script is evaluated by the debugger, which a content policy does not bind. */
async function loadAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
}
