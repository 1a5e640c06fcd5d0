/** List of requests, newest first, with the rule that refused each. Renders only the visible part of a long list. */
import { html, useState } from './preact.js'

/** Rows that are rendered before "Show more". */
const PAGE = 200

/** Files of the emulator's own pages: they say nothing about a game. */
const ownFiles = /^\/(?:inspector|assets|chat\/assets)(?:\/|$)/

export function Requests({ requests: all }) {
  const requests = all.filter(({ path }) => !ownFiles.test(path))
  const [filter, setFilter] = useState('')
  const [onlyRefused, setOnlyRefused] = useState(false)
  const [shown, setShown] = useState(PAGE)
  const found = requests.filter((request) => matches(request, filter, onlyRefused)).toReversed()
  return html`<section class="panel requests" aria-labelledby="requests-title">
    <h2 id="requests-title">Requests</h2>
    <div class="filter">
      <label
        >Filter <input type="search" value=${filter} onInput=${(event) => setFilter(event.target.value)} placeholder="path, status or rule"
      /></label>
      <label class="check">
        <input type="checkbox" checked=${onlyRefused} onChange=${(event) => setOnlyRefused(event.target.checked)} /> Refused only
      </label>
    </div>
    <p class="quiet" role="status">${found.length} of ${requests.length}</p>
    ${found.length === 0 && html`<p class="empty">${requests.length === 0 ? 'No requests yet. Sign in with a game.' : 'Nothing matches.'}</p>`}
    <ol>
      ${found.slice(0, shown).map((request) => html`<${Row} key=${`${request.at} ${request.path} ${request.ms}`} request=${request} />`)}
    </ol>
    ${found.length > shown && html`<button onClick=${() => setShown(shown + PAGE)}>Show more</button>`}
  </section>`
}

function matches({ method, path, status, rule = '' }, filter, onlyRefused) {
  if (onlyRefused && status < 400 && status !== 0) return false
  return `${method} ${path} ${status} ${rule}`.toLowerCase().includes(filter.toLowerCase())
}

function Row({ request: { method, path, status, ms, at, rule, advice, fault } }) {
  const isRefused = status >= 400 || status === 0
  return html`<li class=${isRefused ? 'refused' : ''}>
    <time datetime=${new Date(at).toISOString()}>${new Date(at).toLocaleTimeString('en-GB')}</time>
    <code>${method} ${path}</code>
    <strong>${status === 0 ? 'closed' : status}</strong>
    <span class="quiet">${Math.round(ms)} ms</span>
    ${rule && html`<p>Refused: ${rule}</p>`} ${advice && html`<p>Advice: ${advice}</p>`} ${fault && html`<p>Fault: ${fault}</p>`}
  </li>`
}
