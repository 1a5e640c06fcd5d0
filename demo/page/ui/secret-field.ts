/** Masked secret: shown for ten seconds on request, then removed from the document again. */
import type { Secret } from 'foyer-sdk'
import { copyButton } from './copy-button'
import { h } from './create-element'
import { icon } from './icons'

const REVEALED = 10_000
const MASK = '•'.repeat(24)

export function secretField(name: string, secret: Secret): HTMLElement {
  const value = h('code', { class: 'secret' }, [MASK])
  const word = h('span', {}, ['Reveal'])
  let hideTimer: ReturnType<typeof setTimeout> | undefined
  const hide = () => {
    clearTimeout(hideTimer)
    hideTimer = undefined
    value.textContent = MASK
    word.textContent = 'Reveal'
  }
  const toggle = () => {
    if (hideTimer !== undefined) return hide()
    value.textContent = secret.reveal()
    word.textContent = 'Hide'
    hideTimer = setTimeout(hide, REVEALED)
  }
  const reveal = h('button', { type: 'button', class: 'quiet', 'aria-label': `Reveal ${name} for ten seconds`, onclick: toggle }, [
    icon('eye'),
    word,
  ])
  return h('div', { class: 'secret-field' }, [
    h('div', { class: 'secret-head' }, [
      h('h4', {}, [name]),
      h('div', { class: 'buttons' }, [reveal, copyButton({ what: name.toLowerCase(), text: () => secret.reveal() })]),
    ]),
    value,
  ])
}
