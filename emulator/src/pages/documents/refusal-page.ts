/** Error page of a refused request: the rule, and the received and registered values. */
import { html } from 'hono/html'
import { document, type Page } from './document.js'

/** A refused authorization request: its OAuth error, and the rule that refused it. */
export interface AuthorizationRefusal {
  /** OAuth error code. */
  error: string
  description: string
  /** Short and without user input, since it is sent in a header. */
  rule: string
  advice?: string
  received?: string
  registered?: string[]
  /** A seed that would make the request valid, if there is one. */
  seed?: string | undefined
}

export function refusalPage({
  error,
  description,
  rule,
  advice,
  received,
  registered = [],
  seed,
}: AuthorizationRefusal): Page {
  return document({
    heading: 'This request was refused',
    intro: html`<b>${sentence(rule)}</b>`,
    body: html`${advice === undefined ? '' : html`<p>${advice}</p>`}
      <dl>
        ${
          received === undefined
            ? ''
            : html`<dt>Received</dt>
                <dd><code>${received === '' ? '(nothing)' : received}</code></dd>`
        }
        ${
          registered.length === 0
            ? ''
            : html`<dt>Accepted</dt>
                ${registered.map((value) => html`<dd><code>${value}</code></dd>`)}`
        }
        ${
          seed === undefined
            ? ''
            : html`<dt>To accept it</dt>
                <dd>Start with <code>--seed FILE</code>, and write in the file:</dd>
                <dd><code>${seed}</code></dd>`
        }
        <dt>Error</dt>
        <dd>
          <code>${error}</code> ${description === '' ? '' : html`<span class="quiet">${description}</span>`}
        </dd>
      </dl>
      <p class="quiet">
        The game gets no answer: the emulator does not send people to an address it cannot trust, or without a
        proof key.
      </p>`,
    tone: 'bad',
  })
}

function sentence(rule: string): string {
  return `${rule}.`
}
