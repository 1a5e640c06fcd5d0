/** Panels of the inspector beside the requests. */
import { html } from './preact.js'
import { Panel } from './inspector-panel-frame.js'

const MINUTE = 60_000
const STEPS = [
  { label: '1 minute', advance: MINUTE },
  { label: '1 hour', advance: 60 * MINUTE },
  { label: '1 day', advance: 1440 * MINUTE },
]

const TOKEN_REQUEST = { path: '/api/v10/oauth2/token' }
const PRESETS = [
  { label: 'The next token request fails (500)', rule: { match: TOKEN_REQUEST, effect: { status: 500, body: {} } } },
  { label: 'The response of the next token request is lost', rule: { match: TOKEN_REQUEST, effect: { lostAnswer: true } } },
  { label: 'The next request takes 5 seconds', rule: { effect: { delay: 5000 } } },
  {
    label: 'The next API call is refused (429)',
    rule: { match: { path: '/api/*' }, effect: { status: 429, headers: { 'Retry-After': '5' }, body: { retry_after: 5 } } },
  },
  { label: 'The next connection is closed', rule: { effect: { drop: true } } },
]

export function Clock({ now, act }) {
  return html`<${Panel} title="Clock">
    <p><time datetime=${new Date(now).toISOString()}>${new Date(now).toLocaleString('en-GB')}</time></p>
    <div class="buttons">
      ${STEPS.map(
        ({ label, advance }) =>
          html`<button onClick=${() => act('clock', { advance }, `The clock is ${label} ahead of before: tokens and deadlines aged.`)}>
            + ${label}
          </button>`,
      )}
    </div>
  <//>`
}

export function Faults({ faults, act }) {
  return html`<${Panel} title="Faults">
    ${
      faults.length === 0
        ? html`<p class="empty">No fault is set.</p>`
        : html`<ul>
            ${faults.map(({ match, times, effect }) => html`<li><code>${match.method ?? ''} ${match.path ?? 'any path'}</code> ${JSON.stringify(effect)}, ${times} more</li>`)}
          </ul>`
    }
    <div class="buttons">
      ${PRESETS.map(({ label, rule }) => html`<button onClick=${() => act('faults', { rules: [...faults, rule] }, `Set: ${label}.`)}>${label}</button>`)}
      ${faults.length > 0 && html`<button onClick=${() => act('faults', { rules: [] }, 'All faults were removed.')}>Remove all</button>`}
    </div>
  <//>`
}

export function Lobbies({ lobbies, now, players }) {
  const nameOf = (id) => players.find((player) => player.id === id)?.username ?? id
  return html`<${Panel} title="Lobbies">
    ${lobbies.length === 0 && html`<p class="empty">No lobby is open.</p>`}
    <ul>
      ${lobbies.map(
        ({ lobby, closesAt }) =>
          html`<li key=${lobby.id}>
            <code>${lobby.id}</code> ${lobby.members.length} members:
            ${lobby.members.map(({ userId }) => nameOf(userId)).join(', ') || 'nobody'}
            <span class="quiet"
              >${closesAt === undefined ? '' : ` closes in ${Math.max(0, Math.ceil((closesAt - now) / 1000))} s unless used`}</span
            >
          </li>`,
      )}
    </ul>
  <//>`
}

export function Limits({ limits: { limits } }) {
  const rows = Object.entries(limits).flatMap(([name, limit]) =>
    (limit?.uses ?? []).map((use) => ({ name, max: limit.requests ?? limit.limit ?? use.used + use.remaining, ...use })),
  )
  return html`<${Panel} title="Limits in use">
    ${rows.length === 0 && html`<p class="empty">No limit is in use.</p>`}
    <ul>
      ${rows.map(
        ({ name, key, used, remaining, resetAfter }) =>
          html`<li key=${name + key}>
            <code>${name}</code> ${used} of ${used + remaining}
            <meter min="0" max=${used + remaining} value=${used} aria-label=${`${name}, ${key}`}></meter>
            <span class="quiet">free again in ${Math.ceil(resetAfter / 1000)} s</span>
          </li>`,
      )}
    </ul>
  <//>`
}

export function Players({ players, act }) {
  return html`<${Panel} title="Players">
    <ul>
      ${players.map(
        ({ id, username, globalName }) =>
          html`<li key=${id}>
            ${globalName ?? username} <code>${id}</code>
            <div class="buttons">
              <button onClick=${() => act('tokens', { user: id, action: 'expire' }, `The access tokens of ${username} have expired.`)}>
                Expire access tokens
              </button>
              <button onClick=${() => act('tokens', { user: id, action: 'revoke' }, `Everything that ${username} granted was revoked.`)}>
                Revoke
              </button>
            </div>
          </li>`,
      )}
    </ul>
  <//>`
}
