/** Button that shows a masked value for ten seconds, then removes it from the document again. */
import type { VNode } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { Icon } from './icon.js'

const REVEALED = 10_000

export interface RevealOptions<Source> {
  name: string
  source: Source
  /** Returns the secret value. */
  read: (source: Source) => string
  mask: string
}

/** Returns the button and the element that shows the mask or the value. Another source is masked from the start. */
export function useReveal<Source>({ name, source, read, mask }: RevealOptions<Source>): {
  button: VNode
  value: VNode
} {
  const [revealed, setRevealed] = useState<{ source: Source; text: string }>()
  useLayoutEffect(() => {
    if (!revealed) return undefined
    const timer = setTimeout(() => setRevealed(undefined), REVEALED)
    return () => clearTimeout(timer)
  }, [revealed])
  const text = revealed?.source === source ? revealed.text : undefined
  const toggle = () => setRevealed(text === undefined ? { source, text: read(source) } : undefined)
  const button = (
    <button type="button" class="quiet" aria-label={`Reveal ${name} for ten seconds`} onClick={toggle}>
      <Icon name="eye" />
      <span>{text === undefined ? 'Reveal' : 'Hide'}</span>
    </button>
  )
  return { button, value: <code class="secret">{text ?? mask}</code> }
}
