/** Masked secret, with buttons that reveal and copy it. */
import type { Secret } from 'foyer-sdk'
import { copyButton } from './copy-button'
import { h } from './create-element'
import { revealButton } from './reveal-button'

const MASK = '•'.repeat(24)

export function secretField(name: string, secret: Secret): HTMLElement {
  const read = () => secret.reveal()
  const { button, value } = revealButton({ name, read, mask: MASK })
  return h('div', { class: 'secret-field' }, [
    h('div', { class: 'secret-head' }, [
      h('h4', {}, [name]),
      h('div', { class: 'buttons' }, [button, copyButton({ what: name.toLowerCase(), text: read })]),
    ]),
    value,
  ])
}
