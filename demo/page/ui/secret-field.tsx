/** Masked secret, with buttons that reveal and copy it. */
import type { Secret } from 'foyer-sdk'
import { CopyButton } from 'kit/copy-button'
import { useReveal } from 'kit/use-reveal'

const MASK = '•'.repeat(24)
const read = (secret: Secret) => secret.reveal()

export function SecretField({ name, secret }: { name: string; secret: Secret }) {
  const { button, value } = useReveal({ name, source: secret, read, mask: MASK })
  return (
    <div class="secret-field">
      <div class="secret-head">
        <h4>{name}</h4>
        <div class="buttons">
          {button}
          <CopyButton what={name.toLowerCase()} text={() => read(secret)} />
        </div>
      </div>
      {value}
    </div>
  )
}
