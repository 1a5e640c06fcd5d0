/** The Activity beside the chat: the host page with a frame for everybody who joined from here. */
import { html } from './preact.js'

export function Activity({ activity: { url, players }, name, close }) {
  const address = new URL(url)
  address.searchParams.set('as', players.join(','))
  return html`<section class="activity" aria-label="Activity">
    <header>
      <h2>${name}</h2>
      <a href=${address.href} target="_blank" rel="noopener noreferrer">Open in a window of its own</a>
      <button type="button" onClick=${close}>Close Activity</button>
    </header>
    <iframe title="The Activity" src=${address.href} allow="autoplay; clipboard-write; fullscreen; gamepad"></iframe>
  </section>`
}
