/** Consent page: choice of the player, requested scopes, redirect target. */
import { html } from 'hono/html'
import { document, type Page, CONSENT_SCRIPT, playerChoice } from './document.js'
import type { Scope } from '../../model/scope.js'
import type { Player } from '../../state/seed/seed.js'

export interface SignIn {
  applicationName: string
  players: Player[]
  /** Id of the player who signed in last in this browser. */
  lastPlayer: string | undefined
  scopes: Scope[]
  /** Undefined in the device flow. */
  redirectUri: string | undefined
}

export function signInPage({ applicationName, players, lastPlayer, scopes, redirectUri }: SignIn): Page {
  return document({
    heading: `Sign in to ${applicationName}`,
    intro: html`<b>${applicationName}</b> asks for access to an account.`,
    body: html`<form method="post" class="answer">
      ${redirectUri === undefined ? '' : callbackNote}
      ${playerChoice(players, { legend: 'Play as', chosen: lastPlayer })}
      <section aria-labelledby="scopes">
        <h2 id="scopes">It will be able to</h2>
        <ul class="scopes">
          ${scopes.map((scope) => html`<li>${scope.description} <code>${scope.name}</code></li>`)}
        </ul>
      </section>
      <p class="target">${destination(redirectUri)}</p>
      <div class="actions">
        <button class="primary" name="decision" value="approve">Approve</button>
        <button name="decision" value="deny" formnovalidate>Deny</button>
      </div>
    </form>`,
  })
}

/** The script fills and shows it if the redirect target cannot be reached. */
const callbackNote = html`<p id="callback" class="problem" role="alert" hidden><b></b> <span></span></p>
  <script type="module" src="${CONSENT_SCRIPT}"></script>`

function destination(redirectUri: string | undefined): Page | string {
  const url = redirectUri === undefined ? null : URL.parse(redirectUri)
  if (url === null) return 'The answer goes to the device that showed you the code.'
  if (url.protocol === 'http:' || url.protocol === 'https:')
    return html`The answer goes to <code>${url.origin}</code>`
  return html`The answer goes to the program that opens <code>${url.protocol}</code> links`
}
