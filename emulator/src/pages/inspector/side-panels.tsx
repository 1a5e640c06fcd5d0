/** Panels of the inspector for lobbies and limits. */
import { Panel } from '../kit/panel.js'
import { contextWords, kindWords, permissionWords } from './command-words.js'
import type {
  Act,
  CommandEntry,
  EventDelivery,
  LobbyEntry,
  Overview,
  PlayerEntry,
  Webhooks,
} from './control/inspector-data.js'
import { useState } from 'preact/hooks'

export function Lobbies({
  lobbies,
  now,
  players,
}: {
  lobbies: LobbyEntry[]
  now: number
  players: PlayerEntry[]
}) {
  const nameOf = (id: string) => players.find((player) => player.id === id)?.username ?? id
  return (
    <Panel title="Lobbies">
      {lobbies.length === 0 && <p class="empty">No lobby is open.</p>}
      <ul>
        {lobbies.map(({ lobby, closesAt }) => (
          <li key={lobby.id}>
            <code>{lobby.id}</code> {lobby.members.length} {lobby.members.length === 1 ? 'member' : 'members'}
            : {lobby.members.map(({ userId }) => nameOf(userId)).join(', ') || 'nobody'}
            <span class="quiet">
              {closesAt === undefined
                ? ''
                : ` closes in ${Math.max(0, Math.ceil((closesAt - now) / 1000))} s unless used`}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

export function Limits({ limits: { limits, edge } }: Pick<Overview, 'limits'>) {
  const counted = Object.entries(limits).flatMap(([name, limit]) =>
    (limit?.uses ?? []).map((use) => ({ name, ...use })),
  )
  const refused = (edge?.uses ?? []).map(({ address, ...use }) => ({
    name: 'refused requests',
    key: address,
    ...use,
  }))
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

export function Deliveries({ webhooks: { url, deliveries }, act }: { webhooks: Webhooks; act: Act }) {
  const [address, setAddress] = useState(url ?? '')
  const connect = (event: Event) => {
    event.preventDefault()
    void act('webhooks/connect', { url: address }, `Events go to ${address}.`)
  }
  return (
    <Panel title="Deliveries">
      <form class="one-line" onSubmit={connect}>
        <label>
          Address for events
          <input
            type="url"
            value={address}
            required
            placeholder="http://localhost:3000/events"
            onInput={({ currentTarget }) => setAddress(currentTarget.value)}
          />
        </label>
        <button>Set the address</button>
      </form>
      {deliveries.length === 0 && <p class="empty">No event was sent.</p>}
      <ul>
        {deliveries.toReversed().map((delivery) => (
          <Delivery key={delivery.id} delivery={delivery} act={act} />
        ))}
      </ul>
    </Panel>
  )
}

function Delivery({
  delivery: { id, type, forged, state, attempts },
  act,
}: {
  delivery: EventDelivery
  act: Act
}) {
  const last = attempts.at(-1)
  return (
    <li class={state === 'refused' ? 'refused' : ''}>
      <code>{type}</code> {forged && <span class="quiet">with a wrong signature </span>}
      <strong>{state}</strong>{' '}
      <span class="quiet">
        {attempts.length} {attempts.length === 1 ? 'attempt' : 'attempts'}
        {last?.status ? `, ${last.status}` : ''}
      </span>
      {last?.refused && <p>{last.refused}</p>}
      {type !== 'PING' && (
        <button onClick={() => void act('webhooks/resend', { id }, `${type} was sent once more.`)}>
          Resend
        </button>
      )}
    </li>
  )
}

export function Commands({ commands }: { commands: CommandEntry[] }) {
  if (commands.length === 0)
    return (
      <Panel title="Commands">
        <p class="empty">
          No command is registered. Register one in the demo, with the API, or with the command line.
        </p>
      </Panel>
    )
  return (
    <Panel title="Commands">
      <p class="quiet">
        {commands.length} {commands.length === 1 ? 'command is' : 'commands are'} registered. Guilds can have
        other permissions.
      </p>
      <ul class="long" tabIndex={0} aria-label="Registered commands">
        {commands.map((command) => (
          <li key={command.id}>
            <strong>{command.name}</strong> {kindWords(command.type)},{' '}
            {command.guild === undefined ? 'global' : 'guild'}
            {command.nsfw && <span class="tag">18+</span>}
            <p class="quiet">
              {contextWords(command)}; {permissionWords(command)}
            </p>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
