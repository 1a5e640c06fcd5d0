/** Button that shows a masked value for ten seconds, then removes it from the document again. */
import { h } from './create-element'
import { icon } from './icons'

const REVEALED = 10_000

export interface RevealOptions {
  name: string
  /** Returns the secret value. */
  read: () => string
  mask: string
}

/** Creates the button and the element that shows the mask or the value. */
export function revealButton({ name, read, mask }: RevealOptions): { button: HTMLButtonElement; value: HTMLElement } {
  const value = h('code', { class: 'secret' }, [mask])
  const word = h('span', {}, ['Reveal'])
  let hideTimer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    clearTimeout(hideTimer)
    hideTimer = undefined
    value.textContent = mask
    word.textContent = 'Reveal'
  }
  const toggle = () => {
    if (hideTimer !== undefined) return hide()
    value.textContent = read()
    word.textContent = 'Hide'
    hideTimer = setTimeout(hide, REVEALED)
  }
  const label = `Reveal ${name} for ten seconds`
  const button = h('button', { type: 'button', class: 'quiet', 'aria-label': label, onclick: toggle }, [icon('eye'), word])
  return { button, value }
}
