/** Text with a turning circle, while something takes a moment. */
import { h } from './create-element'

export function Busy({ text }: { text: string }) {
  return (
    <span class="busy">
      <span class="spinner" aria-hidden="true" />
      <span>{text}</span>
    </span>
  )
}

export function busy(text: string): HTMLElement {
  return h('span', { class: 'busy' }, [h('span', { class: 'spinner', 'aria-hidden': 'true' }), h('span', {}, [text])])
}
