/** Frame of a panel: a heading, a description and a body. */
import { type Child, h } from './create-element'

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
