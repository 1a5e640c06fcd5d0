/** Frame of a panel: a heading, a description and a body. */
import type { ComponentChildren } from 'preact'

interface PanelProps {
  id: string
  title: string
  /** Description below the heading. */
  intro?: ComponentChildren
  /** Buttons beside the heading. */
  tools?: ComponentChildren
  /** More classes of the section. */
  class?: string
  hidden?: boolean
  children: ComponentChildren
}

/** Region labelled by its heading. */
export function Panel({ id, title, intro, tools, class: more, hidden = false, children }: PanelProps) {
  return (
    <section id={id} class={more === undefined ? 'panel' : `panel ${more}`} aria-labelledby={`${id}-title`} hidden={hidden}>
      <header class="panel-head">
        <h2 id={`${id}-title`}>{title}</h2>
        <div class="buttons">{tools}</div>
      </header>
      {intro !== undefined && <p class="intro">{intro}</p>}
      <div class="panel-body">{children}</div>
    </section>
  )
}
