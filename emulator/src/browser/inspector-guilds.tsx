/** Panel for guilds and permissions: which commands a member may use in a channel, and the rule that keeps them from the others. */
import { useEffect, useState } from 'preact/hooks'
import { kindWords } from './inspector-command-words.js'
import { read } from './inspector-api.js'
import type { AccessEntry, GuildEntry, PlayerEntry } from './inspector-data.js'
import { Panel } from './inspector-panel-frame.js'

interface Props {
  guilds: GuildEntry[]
  players: PlayerEntry[]
  /** Changes with each reading of the state. */
  now: number
}

export function Guilds({ guilds, players, now }: Props) {
  const [guildId, setGuild] = useState('')
  const [playerId, setPlayer] = useState('')
  const [channelId, setChannel] = useState('')
  const guild = guilds.find(({ id }) => id === guildId) ?? guilds[0]
  if (guild === undefined) return <Panel title="Guilds and permissions">There is no guild.</Panel>
  const member = guild.members.find(({ id }) => id === playerId) ?? guild.members[0]
  const channel = guild.channels.find(({ id }) => id === channelId) ?? guild.channels[0]
  const nameOf = (id: string) => players.find((player) => player.id === id)?.username ?? id
  return (
    <Panel title="Guilds and permissions">
      <div class="one-line">
        <Choice label="Guild" value={guild.id} options={guilds} choose={setGuild} />
        <Choice label="Member" value={member?.id} options={guild.members.map(({ id }) => ({ id, name: nameOf(id) }))} choose={setPlayer} />
        <Choice label="Channel" value={channel?.id} options={guild.channels} choose={setChannel} />
      </div>
      <p class="quiet">
        {guild.members.length} members, {guild.channels.length} channels. Roles of the member: {member?.roles.join(', ') || 'none'}.
      </p>
      {member !== undefined && <Access path={pathOf(guild.id, { as: member.id, channel: channel?.id })} now={now} />}
    </Panel>
  )
}

function pathOf(guild: string, { as, channel }: { as: string; channel: string | undefined }): string {
  return `guilds/${guild}/access?${new URLSearchParams({ as, ...(channel !== undefined && { channel }) })}`
}

interface ChoiceProps {
  label: string
  value: string | undefined
  options: { id: string; name: string }[]
  choose: (id: string) => void
}

function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {options.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function Access({ path, now }: { path: string; now: number }) {
  const [state, setState] = useState<{ entries: AccessEntry[]; problem?: string }>({ entries: [] })
  useEffect(() => {
    let isCurrent = true
    const show = (next: typeof state) => {
      if (isCurrent) setState(next)
    }
    read<AccessEntry[]>(path).then(
      (entries) => show({ entries }),
      (error: unknown) => show({ entries: [], problem: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      isCurrent = false
    }
  }, [path, now])
  if (state.problem !== undefined) return <p class="empty">No permissions to show: {state.problem}</p>
  if (state.entries.length === 0) return <p class="empty">No command is registered.</p>
  return (
    <table class="access">
      <thead>
        <tr>
          <th scope="col">Command</th>
          <th scope="col">May use it</th>
        </tr>
      </thead>
      <tbody>
        {state.entries.map(({ id, name, type, local, because }) => (
          <tr key={id}>
            <th scope="row">
              {name} <span class="quiet">{`${kindWords(type)}, ${local ? 'this guild' : 'global'}`}</span>
            </th>
            <td>
              {because === undefined ? (
                <span class="yes">yes</span>
              ) : (
                <>
                  <strong class="no">no</strong> {because}
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
