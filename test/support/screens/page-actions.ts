/** Actions by visible text in a page of any engine. Their events are a script's: what needs a gesture of the player uses `page.click`. */
import type { EnginePage } from '../engines/engine'
import { retry } from '../engines/retry'

/** Milliseconds in which a page has what an action needs. */
const PATIENCE = 30_000

const FIND = `
const shown = (css) => [...document.querySelectorAll(css)].filter((one) => one.checkVisibility())
const nameOf = (one) => (one.getAttribute('aria-label') ?? one.textContent).trim()
const labelsOf = (one) => [...(one.labels ?? [])].map(nameOf).concat(one.getAttribute('aria-label') ?? '')
const controlOf = (label) => shown('input, select, textarea').find((one) => labelsOf(one).some((name) => name.startsWith(label)))
`

/** Waits until the body of a function returns something true. @throws Error that says what was awaited. */
async function until(page: EnginePage, awaited: string, body: string): Promise<void> {
  await retry(async () => {
    if (!(await page.evaluate(`(() => { ${FIND} ${body} })()`))) throw new Error(`Not there: ${awaited}.`)
  }, PATIENCE)
}

/** Waits for a visible text. */
export const shows = (page: EnginePage, text: string, css = 'body'): Promise<void> =>
  until(
    page,
    text,
    `return shown(${JSON.stringify(css)}).some((one) => one.textContent.includes(${JSON.stringify(text)}))`,
  )

/** Waits for a visible element. */
export const has = (page: EnginePage, css: string): Promise<void> =>
  until(page, css, `return shown(${JSON.stringify(css)}).length > 0`)

/** Waits for a button, link, summary or label whose name begins so, and activates it. */
export const press = (page: EnginePage, name: string, within = 'body'): Promise<void> =>
  until(
    page,
    name,
    `const found = shown(${JSON.stringify(within)} + ' :is(button, a, summary, label)').find((one) =>
      nameOf(one).startsWith(${JSON.stringify(name)}) && !one.matches(':disabled, [aria-disabled=true]'))
    found?.click()
    return found !== undefined`,
  )

/** Fills a field whose label begins so, or chooses the option of a list whose text begins so. */
export const fill = (page: EnginePage, label: string, value: string): Promise<void> =>
  until(
    page,
    label,
    `const control = controlOf(${JSON.stringify(label)})
    if (control === undefined) return false
    const option = [...(control.options ?? [])].find(({ textContent }) => textContent.startsWith(${JSON.stringify(value)}))
    if (control.options && option === undefined) return false
    const prototype = Object.getPrototypeOf(control)
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(control, option?.value ?? ${JSON.stringify(value)})
    for (const name of ['input', 'change']) control.dispatchEvent(new Event(name, { bubbles: true }))
    return true`,
  )
