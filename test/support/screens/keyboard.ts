/** Finds the controls of a page that Tab does not reach, and those that do not show that they have the focus, in any engine. */
import type { EnginePage } from '../engines/engine'

/** Presses in one command, where there is no frame. */
const BATCH = 20

/** Presses beyond the number of controls: the browser's own controls, lists that take the focus, and the controls in frames. */
const BEYOND = 160

export interface KeyboardFaults {
  /** Beginning of the markup of each control that never had the focus. */
  readonly unreached: readonly string[]
  /** The same of each element that had it without an outline, a shadow, or one at its label or neighbour. */
  readonly unmarked: readonly string[]
}

/** Presses Tab through the whole page. */
export async function keyboardFaults(page: EnginePage): Promise<KeyboardFaults> {
  const count = await page.evaluate<number>(`(${markControls.toString()})()`)
  let left = await page.evaluate<string[]>(LEFT)
  // An evaluation takes the focus away from a frame in WebKit.
  const batch = (await page.evaluate<boolean>("document.querySelector('iframe') !== null"))
    ? count + BEYOND
    : BATCH
  for (let presses = 0; left.length > 0 && presses < count + BEYOND; presses += batch) {
    await page.pressTab(batch)
    left = await page.evaluate<string[]>(LEFT)
  }
  await page.evaluate("document.querySelector('#keyboard-start')?.remove()")
  return { unreached: left, unmarked: await page.evaluate<string[]>(UNMARKED) }
}

const LEFT =
  "[...document.querySelectorAll('[data-unreached]')].filter((one) => one.checkVisibility()).map((one) => one.outerHTML.slice(0, 120))"

const UNMARKED = "[...document.querySelectorAll('[data-unmarked]')].map((one) => one.outerHTML.slice(0, 120))"

/** Marks what Tab has to reach until it has the focus: of the radio buttons with one name the checked one, and in a dialog its own controls. */
function markControls(): number {
  const root = document.querySelector('dialog:modal') ?? document.body
  const excluded = ':disabled, [type=radio]:not(:checked), [type=hidden], [tabindex="-1"], [role=menu] *'
  const controls = [
    ...root.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary'),
  ].filter((one) => one.checkVisibility() && !one.matches(excluded))
  for (const one of controls) one.dataset['unreached'] = ''
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    delete target.dataset['unreached']
    const places = [target, target.nextElementSibling, target.parentElement, target.closest('label')]
    const isMarked = places.some((one) => {
      if (!one) return false
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    })
    // A frame shows the focus inside of it.
    if (!isMarked && !target.matches('iframe')) target.dataset['unmarked'] = ''
  })
  // Stays there: Firefox goes on from the caret of a field, once the element with the focus is gone.
  const start = Object.assign(document.createElement('span'), { id: 'keyboard-start', tabIndex: -1 })
  root.prepend(start)
  start.focus()
  return controls.length
}
