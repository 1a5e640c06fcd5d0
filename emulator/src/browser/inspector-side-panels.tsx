/** Panels of the inspector for lobbies and limits. */
import type { LobbyEntry, Overview, PlayerEntry } from './control/inspector-data.js'
import { Panel } from './kit/panel.js'

export function Lobbies({ lobbies, now, players }: { lobbies: LobbyEntry[]; now: number; players: PlayerEntry[] }) {
  const nameOf = (id: string) => players.find((player) => player.id === id)?.username ?? id
  return (
    <Panel title="Lobbies">
      {lobbies.length === 0 && <p class="empty">No lobby is open.</p>}
      <ul>
        {lobbies.map(({ lobby, closesAt }) => (
          <li key={lobby.id}>
            <code>{lobby.id}</code> {lobby.members.length} {lobby.members.length === 1 ? 'member' : 'members'}:{' '}
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

export function Limits({ limits: { limits, edge } }: Pick<Overview, 'limits'>) {
  const counted = Object.entries(limits).flatMap(([name, limit]) => (limit?.uses ?? []).map((use) => ({ name, ...use })))
  const refused = (edge?.uses ?? []).map(({ address, ...use }) => ({ name: 'refused requests', key: address, ...use }))
  const rows = [...counted, ...refused]
  return (
    <Panel title="Limits in use">
      {rows.length === 0 && <p class="empty">No limit is in use.</p>}
      <ul>
        {rows.map(({ name, key, used, remaining, resetAfter }) => (
          <li key={name + key}>
            <code>{name}</code> {used} of {used + remaining}{' '}
            <meter min="0" max={used + remaining} value={used} aria-label={`${name}, ${key}`}></meter>{' '}
            <span class="quiet">free again in {Math.ceil(resetAfter / 1000)} s</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
