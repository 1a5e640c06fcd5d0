/** Panel for guilds and permissions: which commands a member may use in a channel, and the rule that keeps them from the others. */
import { useEffect, useState } from 'preact/hooks'
import { kindWords } from './command-words.js'
import { read } from './control/inspector-api.js'
import type { AccessEntry, GuildEntry, PlayerEntry } from './control/inspector-data.js'
import { Panel } from '../kit/panel.js'
import { SelectField, type SelectChoice } from '../kit/select-field.js'

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
  const members = guild.members.map(({ id }) => ({
    id,
    name: players.find((player) => player.id === id)?.username ?? id,
  }))
  return (
    <Panel title="Guilds and permissions">
      <div class="one-line">
        <SelectField
          id="access-guild"
          label="Guild"
          value={guild.id}
          choices={choicesOf(guilds)}
          onChange={setGuild}
        />
        <SelectField
          id="access-member"
          label="Member"
          value={member?.id ?? ''}
          choices={choicesOf(members)}
          onChange={setPlayer}
        />
        <SelectField
          id="access-channel"
          label="Channel"
          value={channel?.id ?? ''}
          choices={choicesOf(guild.channels)}
          onChange={setChannel}
        />
      </div>
      <p class="quiet">
        {guild.members.length} members, {guild.channels.length} channels. Roles of the member:{' '}
        {member?.roles.join(', ') || 'none'}.
      </p>
      {member !== undefined && (
        <Access path={pathOf(guild.id, { as: member.id, channel: channel?.id })} now={now} />
      )}
    </Panel>
  )
}

function choicesOf(list: readonly { id: string; name: string }[]): SelectChoice[] {
  return list.map(({ id, name }) => ({ value: id, label: name }))
}

function pathOf(guild: string, { as, channel }: { as: string; channel: string | undefined }): string {
  return `guilds/${guild}/access?${new URLSearchParams({ as, ...(channel !== undefined && { channel }) })}`
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
      (error: unknown) =>
        show({ entries: [], problem: error instanceof Error ? error.message : String(error) }),
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
