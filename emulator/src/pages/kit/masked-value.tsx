/** Masked value in a table, with the button that reveals it. */
import { useReveal } from './use-reveal.js'

const MASK = '•'.repeat(12)

export function MaskedValue({ name, secret }: { name: string; secret: string }) {
  const { button, value } = useReveal({ name, source: secret, read: (text) => text, mask: MASK })
  return (
    <span class="masked">
      {value}
      {button}
    </span>
  )
}
