/** Sidebar: the current player, the channels that they see, and the other members. */
import { Menu } from '../kit/menu.js'
import type { Act, Place, Presence as PresenceData, Start, View } from './shared/chat-data.js'

/** Shows another player or channel. */
type Go = (place: Partial<Place>) => void

interface Props {
  start: Start
  view: View
  go: Go
  act: Act
}

export function Sidebar({ start, view, go, act }: Props) {
  const guilds = [
    ...new Map(view.channels.flatMap(({ guild }) => (guild ? [[guild.id, guild] as const] : []))).values(),
  ]
  const direct = view.channels.filter(({ kind }) => kind === 'direct')
  const player = start.players.find(({ id }) => id === view.player)
  return (
    <aside class="side" aria-label="Player and channels">
      <div class="field who">
        <label for="player">Player</label>
        <span class="pick">
          <img src={`/avatars/${view.player}.svg`} alt="" width="36" height="36" />
          <select
            id="player"
            value={view.player}
            onChange={({ currentTarget }) => go({ as: currentTarget.value })}
          >
            {start.players.map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
          </select>
        </span>
        <span class="quiet">
          {player?.locale}
          {player?.adult === false ? ', under 18' : ''}
        </span>
      </div>
      <label class="field narrow">
        <span>Channel</span>
        <select value={view.channel} onChange={({ currentTarget }) => go({ channel: currentTarget.value })}>
          {guilds.map(({ id, name }) => (
            <optgroup label={name}>
              {view.channels
                .filter(({ guild }) => guild?.id === id)
                .map((channel) => (
                  <option value={channel.id}># {channel.name}</option>
                ))}
            </optgroup>
          ))}
          <optgroup label="Direct messages">
            {direct.map(({ id, name }) => (
              <option value={id}>{name}</option>
            ))}
          </optgroup>
        </select>
      </label>
      <nav class="wide" aria-label="Channels">
        {guilds.map(({ id, name }) => (
          <>
            <h2>{name}</h2>
            <List
              channels={view.channels.filter(({ guild }) => guild?.id === id)}
              view={view}
              go={go}
              mark="#"
            />
          </>
        ))}
        <h2>Direct messages</h2>
        <List channels={direct} view={view} go={go} mark="@" />
      </nav>
      <section class="wide" aria-label="People here">
        <h2>People here</h2>
        <ul class="people">
          {view.people.map(({ id, name }) => (
            <li key={id}>
              <img src={`/avatars/${id}.svg`} alt="" width="24" height="24" />
              <span>
                {name}
                <Presence presence={view.presences[id]} />
                <ProgramButtons id={id} view={view} act={act} />
              </span>
              <UserMenu id={id} name={name} view={view} act={act} />
            </li>
          ))}
        </ul>
      </section>
    </aside>
  )
}

/** Rich presence as friends see it. */
function Presence({ presence }: { presence: PresenceData | undefined }) {
  if (!presence) return null
  const [size, max] = presence.party?.size ?? []
  const words = [presence.details, presence.state, size && `${size} of ${max}`].filter(Boolean)
  return (
    <small class="quiet presence">
      {presence.name}
      {words.length > 0 && `: ${words.join(', ')}`}
    </small>
  )
}

/** Buttons for the service's program: the player's own, or that of another one. */
function ProgramButtons({ id, view, act }: { id: string; view: View; act: Act }) {
  const { running, joinable } = view.programs
  const isOwn = id === view.player
  const own = running.includes(view.player)
  const canJoin = !isOwn && joinable.includes(id)
  if (!(canJoin && (own || running.includes(id))) && !(isOwn && own)) return null
  return (
    <span class="programs">
      {canJoin && running.includes(id) && (
        <button type="button" onClick={() => void act('ask', { other: id })}>
          Ask to join
        </button>
      )}
      {canJoin && own && (
        <button type="button" onClick={() => void act('accept-program', { other: id })}>
          Accept invitation
        </button>
      )}
      {isOwn && own && (
        <button type="button" onClick={() => void act('quit', {})}>
          Quit the program
        </button>
      )}
    </span>
  )
}

function List({
  channels,
  view,
  go,
  mark,
}: {
  channels: View['channels']
  view: View
  go: Go
  mark: string
}) {
  return (
    <ul>
      {channels.map(({ id, name }) => (
        <li key={id}>
          <button
            type="button"
            class="channel"
            aria-current={id === view.channel ? 'page' : undefined}
            onClick={() => go({ channel: id })}
          >
            <span aria-hidden="true">{mark}</span> {name}
          </button>
        </li>
      ))}
    </ul>
  )
}

function UserMenu({ id, name, view, act }: { id: string; name: string; view: View; act: Act }) {
  const items = view.commands.filter(({ type }) => type === 2)
  return (
    <Menu
      label={`Apps for ${name}`}
      empty="No user commands here"
      groups={[{ title: `Apps for ${name}`, items }]}
      choose={({ id: command, version }) => void act('use', { command, version, target: id })}
    />
  )
}
