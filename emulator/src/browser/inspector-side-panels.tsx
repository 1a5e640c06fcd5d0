/** Panels of the inspector beside the requests. */
import { h } from './preact.js'
import type { Act, LobbyEntry, Overview, PlayerEntry, SetFault } from './inspector-data.js'
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

export function Clock({ now, act }: { now: number; act: Act }) {
  return (
    <Panel title="Clock">
      <p>
        <time datetime={new Date(now).toISOString()}>{new Date(now).toLocaleString('en-GB')}</time>
      </p>
      <div class="buttons">
        {STEPS.map(({ label, advance }) => (
          <button onClick={() => void act('clock', { advance }, `The clock is ${label} ahead of before: tokens and deadlines aged.`)}>
            + {label}
          </button>
        ))}
      </div>
    </Panel>
  )
}

export function Faults({ faults, act }: { faults: SetFault[]; act: Act }) {
  return (
    <Panel title="Faults">
      {faults.length === 0 ? (
        <p class="empty">No fault is set.</p>
      ) : (
        <ul>
          {faults.map(({ match, times, effect }) => (
            <li>
              <code>
                {match.method ?? ''} {match.path ?? 'any path'}
              </code>{' '}
              {JSON.stringify(effect)}, {times} more
            </li>
          ))}
        </ul>
      )}
      <div class="buttons">
        {PRESETS.map(({ label, rule }) => (
          <button onClick={() => void act('faults', { rules: [...faults, rule] }, `Set: ${label}.`)}>{label}</button>
        ))}
        {faults.length > 0 && <button onClick={() => void act('faults', { rules: [] }, 'All faults were removed.')}>Remove all</button>}
      </div>
    </Panel>
  )
}

export function Lobbies({ lobbies, now, players }: { lobbies: LobbyEntry[]; now: number; players: PlayerEntry[] }) {
  const nameOf = (id: string) => players.find((player) => player.id === id)?.username ?? id
  return (
    <Panel title="Lobbies">
      {lobbies.length === 0 && <p class="empty">No lobby is open.</p>}
      <ul>
        {lobbies.map(({ lobby, closesAt }) => (
          <li key={lobby.id}>
            <code>{lobby.id}</code> {lobby.members.length} members:
            {lobby.members.map(({ userId }) => nameOf(userId)).join(', ') || 'nobody'}
            <span class="quiet">
              {closesAt === undefined ? '' : ` closes in ${Math.max(0, Math.ceil((closesAt - now) / 1000))} s unless used`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function Limits({ limits: { limits } }: Pick<Overview, 'limits'>) {
  const rows = Object.entries(limits).flatMap(([name, limit]) => (limit?.uses ?? []).map((use) => ({ name, ...use })))
  return (
    <Panel title="Limits in use">
      {rows.length === 0 && <p class="empty">No limit is in use.</p>}
      <ul>
        {rows.map(({ name, key, used, remaining, resetAfter }) => (
          <li key={name + key}>
            <code>{name}</code> {used} of {used + remaining}
            <meter min="0" max={used + remaining} value={used} aria-label={`${name}, ${key}`}></meter>
            <span class="quiet">free again in {Math.ceil(resetAfter / 1000)} s</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
