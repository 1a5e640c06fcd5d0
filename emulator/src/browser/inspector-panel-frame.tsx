/** Frame of a panel of the inspector: a region with a heading. */
import { html } from './preact.js'

export function Panel({ title, children }) {
  const id = `panel-${title.toLowerCase().replaceAll(' ', '-')}`
  return html`<section class="panel" aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${children}
  </section>`
}
