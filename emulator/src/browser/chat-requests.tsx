/** Log of requests to the backend and its responses, newest first, with the URLs of the backend and the game. */
import { html, useState } from './preact.js'
import { post } from './chat-api.js'

export function Requests({ view, connect }) {
  return html`<aside class="requests" aria-label="Requests">
    <h2>Requests to the backend</h2>
    <${Address}
      label="Interactions endpoint"
      name="connect"
      current=${view.endpoint}
      hint="http://localhost:3000/interactions"
      done=${connect}
    />
    <${Address} label="Activity" name="game" current=${view.game} hint="http://localhost:5173/" done=${connect} />
    ${view.exchanges.length === 0 && html`<p class="quiet">Nothing was sent yet.</p>`}
    <ul>
      ${view.exchanges.map((exchange) => html`<${Exchange} key=${`${exchange.id} ${exchange.kind}`} exchange=${exchange} />`)}
    </ul>
  </aside>`
}

function Address({ label, name, current, hint, done }) {
  const [problem, setProblem] = useState()
  const [busy, setBusy] = useState(false)
  const set = async (event) => {
    event.preventDefault()
    setBusy(true)
    const answer = await post(name, { url: new FormData(event.target).get('url') })
    setBusy(false)
    setProblem(answer.problem)
    if (!answer.problem) done()
  }
  return html`<form class="address" onSubmit=${set}>
    <label class="field">
      <span>${label}</span>
      <input type="url" name="url" required key=${current} placeholder=${hint} defaultValue=${current ?? ''} spellcheck="false" />
    </label>
    <button disabled=${busy} aria-label=${`Set the ${label}`}>${busy ? '…' : 'Set'}</button>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
  </form>`
}

function Exchange({ exchange }) {
  const { kind, subject, request, answer, ms, refused, calls } = exchange
  return html`<li>
    <details class=${refused ? 'refused' : ''}>
      <summary>
        <span class="tag">${kind}</span> <b>${subject}</b> <span class="result">${resultOf(exchange)}</span>
        ${refused && html`<span class="why">${refused}</span>`}
      </summary>
      ${request && html`<h3>Request <span class="quiet">POST ${request.url}</span></h3>`} ${request && html`<${Part} ...${request} />`}
      ${answer && html`<h3>Answer <span class="quiet">${answer.status}, ${ms} ms</span></h3>`} ${answer && html`<${Part} ...${answer} />`}
      ${calls.length > 0 && html`<h3>Calls by its token</h3>`}
      ${calls.map(
        ({ method, path, status, body, rule }) =>
          html`<p class="call"><b>${method}</b> ${path} <b>${status}</b>${rule && html`<span class="why">${rule}</span>`}</p>
            ${body && html`<pre tabindex="0">${pretty(body)}</pre>`}`,
      )}
    </details>
  </li>`
}

function Part({ headers, body }) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return html`<pre tabindex="0">${lines.join('\n')}${body ? `\n\n${pretty(body)}` : ''}</pre>`
}

function resultOf({ request, answer, refused }) {
  if (answer) return String(answer.status)
  if (!request) return refused ? 'not sent' : '…'
  return refused ? 'no answer' : '…'
}

/** Formatted for reading; the signed body had no added spaces. */
function pretty(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}
