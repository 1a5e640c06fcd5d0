/** Frame of a panel: a heading, a description and a body. */
import type { ComponentChildren } from 'preact'
import { type Child, h } from './create-element'

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

export interface PanelParts {
  readonly body: HTMLElement
  /** Buttons beside the heading. */
  readonly tools: HTMLElement
}

/** Fills `element`, which becomes a region labelled by its heading. */
export function panel(element: HTMLElement, title: string, intro: readonly Child[] = []): PanelParts {
  const body = h('div', { class: 'panel-body' })
  const tools = h('div', { class: 'buttons' })
  const id = `${element.id}-title`
  element.setAttribute('aria-labelledby', id)
  element.append(
    h('header', { class: 'panel-head' }, [h('h2', { id }, [title]), tools]),
    ...(intro.length > 0 ? [h('p', { class: 'intro' }, intro)] : []),
    body,
  )
  return { body, tools }
}
