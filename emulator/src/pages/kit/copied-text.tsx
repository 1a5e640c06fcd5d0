/** Text in a box, with a heading and the button that copies it. */
import type { ComponentChildren } from 'preact'
import { CopyButton } from './copy-button.js'

interface CopiedTextProps {
  head: ComponentChildren
  what: string
  /** Name of the box. Default: `what`. */
  label?: string
  /** The text as it was sent. */
  copied: string
  /** Another form of it. Default: as it was sent. */
  children?: ComponentChildren
}

export function CopiedText({ head, what, label = what, copied, children }: CopiedTextProps) {
  return (
    <div class="copied">
      <div class="copied-head">
        {head}
        <CopyButton what={what} text={() => copied} />
      </div>
      <pre tabIndex={0} role="region" aria-label={label}>
        {children ?? <code>{copied}</code>}
      </pre>
    </div>
  )
}
