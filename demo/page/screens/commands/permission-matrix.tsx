/** Table of the commands studio: members and commands of a guild of the emulator, with the reason of each answer. */
import { useEffect, useState } from 'preact/hooks'
import { offered, SelectField } from 'kit/select-field'
import { type Status, useStatus } from 'kit/use-status'
import {
  type AccessEntry,
  explainAccess,
  type GuildEntry,
  loadAccess,
  loadGuilds,
  type MemberAccess,
} from './command-permissions'

interface Props {
  /** Number of syncs so far: after another one the table is read again. */
  syncs: number
  hidden: boolean
}

export function PermissionMatrix({ syncs, hidden }: Props) {
  const status = useStatus()
  const [guilds, setGuilds] = useState<readonly GuildEntry[]>()
  const open = () =>
    status.run('Reading the guilds…', async () => {
      setGuilds(await loadGuilds())
      return ''
    })
  return (
    <section aria-labelledby="matrix-title" hidden={hidden}>
      <h3 id="matrix-title">Permissions in a guild</h3>
      <button type="button" class="secondary" onClick={() => void open()}>
        Show who may use them
      </button>
      {guilds ? <GuildAccess {...{ guilds, syncs, status }} /> : <StatusLine status={status} />}
    </section>
  )
}

function StatusLine({ status }: { status: Status }) {
  return (
    <p class="hint" role="status">
      {status.shown}
    </p>
  )
}

interface AccessProps {
  guilds: readonly GuildEntry[]
  syncs: number
  status: Status
}

/** Choice of a guild and a channel, and the table of its members. */
function GuildAccess({ guilds, syncs, status }: AccessProps) {
  const [wanted, setWanted] = useState({ guild: '', channel: '' })
  const guild = offered(toChoices(guilds), wanted.guild)
  const channels = toChoices(guilds.find(({ id }) => id === guild)?.channels ?? [])
  const channel = offered(channels, wanted.channel)
  const members = useMembers({ guild, channel, changes: [syncs, guilds] }, status)
  const choose = (id: string) => setWanted({ guild: id, channel: '' })
  return (
    <>
      <div class="matrix-fields">
        <SelectField
          id="matrix-guild"
          label="Guild"
          choices={toChoices(guilds)}
          value={guild}
          onChange={choose}
        />
        <SelectField
          id="matrix-channel"
          label="Channel"
          choices={channels}
          value={channel}
          onChange={(id) => setWanted({ guild, channel: id })}
        />
      </div>
      <StatusLine status={status} />
      <div class="matrix" tabIndex={0} role="group" aria-label="Members and commands" hidden={!members}>
        {members && <AccessTable members={members} onExplain={status.say} />}
      </div>
    </>
  )
}

function toChoices(entries: readonly { readonly id: string; readonly name: string }[]) {
  return entries.map(({ id, name }) => ({ value: id, label: name }))
}

interface Place {
  guild: string
  channel: string
  /** What is read again after a change of it. */
  changes: readonly unknown[]
}

/** Reads who may use the commands; undefined until it is read. */
function useMembers(
  { guild, channel, changes }: Place,
  { run }: Status,
): readonly MemberAccess[] | undefined {
  const [members, setMembers] = useState<readonly MemberAccess[]>()
  useEffect(() => {
    let isCurrent = true
    setMembers(undefined)
    void run('Reading the permissions…', async () => {
      const read = await loadAccess(guild, channel)
      if (isCurrent) setMembers(read)
      return hintFor(read)
    })
    return () => {
      isCurrent = false
    }
  }, [guild, channel, ...changes])
  return members
}

function hintFor(members: readonly MemberAccess[]): string {
  if (members.every(({ commands }) => commands.length === 0))
    return 'No command is registered for this guild: register yours first.'
  return 'Press an answer to see its reason.'
}

interface TableProps {
  members: readonly MemberAccess[]
  onExplain: (words: string) => void
}

function AccessTable({ members, onExplain }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Command</th>
          {members.map(({ id, name }) => (
            <th scope="col" key={id}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {members[0]?.commands.map(({ id, name }, index) => (
          <tr key={id}>
            <th scope="row">
              <code>{name}</code>
            </th>
            {members.map((member) => (
              <Answer
                member={member}
                command={member.commands[index]}
                onExplain={onExplain}
                key={member.id}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface AnswerProps {
  member: MemberAccess
  command: AccessEntry | undefined
  onExplain: (words: string) => void
}

function Answer({ member, command, onExplain }: AnswerProps) {
  if (!command) return <td />
  const words = explainAccess(member, command)
  const isAllowed = command.because === undefined
  return (
    <td data-member={member.name}>
      <button
        type="button"
        class={isAllowed ? 'answer answer-yes' : 'answer answer-no'}
        aria-label={words}
        onClick={() => onExplain(words)}
      >
        {isAllowed ? 'yes' : 'no'}
      </button>
    </td>
  )
}
