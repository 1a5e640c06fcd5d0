/** Text and media that are hidden until the player asks for them. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'

/** @param text of the same length, which is drawn over and not read out. */
export function Spoiler({ text, children }: { text: string; children: ComponentChildren }) {
  const [shown, setShown] = useState(false)
  if (shown) return <span class="spoiler shown">{children}</span>
  return (
    <button type="button" class="spoiler" aria-label="Show the spoiler" onClick={() => setShown(true)}>
      <span aria-hidden="true">{text}</span>
    </button>
  )
}

/** Veil over a picture, a file or a container, if it is a spoiler. */
export function Veil({
  active,
  label,
  children,
}: {
  active: boolean | undefined
  label: string
  children: ComponentChildren
}) {
  const [shown, setShown] = useState(false)
  if (active !== true || shown) return <div class="veiled">{children}</div>
  return (
    <div class="veiled hidden">
      <div class="behind" aria-hidden="true" inert>
        {children}
      </div>
      <button
        type="button"
        class="reveal"
        aria-label={`Spoiler: show the ${label}`}
        onClick={() => setShown(true)}
      >
        Spoiler
      </button>
    </div>
  )
}
