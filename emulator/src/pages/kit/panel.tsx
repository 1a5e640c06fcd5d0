/** Frame of a panel: a heading, a description and a body. */
import type { ComponentChildren } from 'preact'

interface PanelProps {
  /** Default: one made of the title. */
  id?: string
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
export function Panel({
  title,
  id = idOf(title),
  intro,
  tools,
  class: more,
  hidden = false,
  children,
}: PanelProps) {
  return (
    <section
      id={id}
      class={more === undefined ? 'panel' : `panel ${more}`}
      aria-labelledby={`${id}-title`}
      hidden={hidden}
    >
      <header class="panel-head">
        <h2 id={`${id}-title`}>{title}</h2>
        {tools !== undefined && <div class="buttons">{tools}</div>}
      </header>
      {intro !== undefined && <p class="intro">{intro}</p>}
      <div class="panel-body">{children}</div>
    </section>
  )
}

function idOf(title: string): string {
  return `panel-${title.toLowerCase().replaceAll(' ', '-')}`
}
