/** Masked value in a table, with the button that reveals it. */
import { h } from './create-element'
import { revealButton } from './reveal-button'

const MASK = '•'.repeat(12)

export function maskedValue(name: string, secret: string): HTMLElement {
  const { button, value } = revealButton({ name, read: () => secret, mask: MASK })
  return h('span', { class: 'masked' }, [value, button])
}
