/** Button that shows every masked value of a message for ten seconds. */
import type { VNode } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import { Icon } from 'kit/icon'

const REVEALED = 10_000

/** @param what completes the name of the button. */
export function useRevealAll(what: string): { isRevealed: boolean; button: VNode } {
  const [isRevealed, setRevealed] = useState(false)
  useLayoutEffect(() => {
    if (!isRevealed) return undefined
    const timer = setTimeout(() => setRevealed(false), REVEALED)
    return () => clearTimeout(timer)
  }, [isRevealed])
  const button = (
    <button type="button" class="quiet" aria-label={`Reveal all in ${what} for ten seconds`} onClick={() => setRevealed(!isRevealed)}>
      <Icon name="eye" />
      <span>{isRevealed ? 'Hide all' : 'Reveal all'}</span>
    </button>
  )
  return { isRevealed, button }
}
