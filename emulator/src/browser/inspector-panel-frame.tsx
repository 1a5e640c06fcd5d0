/** Frame of a panel of the inspector: a region with a heading. */
import type { ComponentChildren } from 'preact'

export function Panel({ title, children }: { title: string; children: ComponentChildren }) {
  const id = `panel-${title.toLowerCase().replaceAll(' ', '-')}`
  return (
    <section class="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
