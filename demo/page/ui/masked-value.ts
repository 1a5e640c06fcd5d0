/** Masked value in a table: shown for ten seconds on request, then removed from the document again. */
import { h } from './create-element'

const REVEALED = 10_000
const MASK = '•'.repeat(12)

export function maskedValue(name: string, value: string): HTMLElement {
  const shown = h('code', { class: 'secret' }, [MASK])
  let hideTimer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    clearTimeout(hideTimer)
    hideTimer = undefined
    shown.textContent = MASK
    button.textContent = 'Reveal'
  }
  const toggle = () => {
    if (hideTimer !== undefined) return hide()
    shown.textContent = value
    button.textContent = 'Hide'
    hideTimer = setTimeout(hide, REVEALED)
  }
  const button = h('button', { type: 'button', class: 'quiet', 'aria-label': `Reveal ${name} for ten seconds`, onclick: toggle }, [
    'Reveal',
  ])
  return h('span', { class: 'masked' }, [shown, button])
}
