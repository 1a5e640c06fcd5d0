/** One lobby of the list: kind, limits, members that the backend adds and removes, and the time until it closes. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { Icon } from 'kit/icon'
import { Select, offered } from 'kit/select-field'
import { useDemo } from '../../context/use-demo'
import { useEverySecond } from '../../foundation/every-second'
import { duration } from 'kit/format-time'
import { memberName } from '../../game/preset'
import type { ApplicationLobbies, ListedLobby } from './application-lobbies'
import { METADATA_LIMIT } from './parse-metadata'

/** Members that one request of the backend may name (docs/interface/lobbies.md#limits). */
const MEMBERS = 25

interface Props {
  lobby: ListedLobby
  lobbies: ApplicationLobbies
}

export function LobbyItem({ lobby, lobbies }: Props) {
  const { id, bySecret, isLinked, members, characters } = lobby
  const limit = METADATA_LIMIT.toLocaleString('en')
  return (
    <li class="lobby-item" aria-labelledby={`${id}-name`}>
      <div class="lobby-head">
        <h3 id={`${id}-name`}>
          {bySecret ? 'Player lobby ' : 'Server lobby '}
          <code>{id}</code>
        </h3>
        <span class="tag" hidden={!isLinked}>
          linked
        </span>
        <button type="button" class="quiet" onClick={() => void lobbies.delete(id)}>
          <Icon name="cross" />
          Delete
        </button>
      </div>
      <MeterLine
        id={`${id}-members`}
        value={members.length}
        max={MEMBERS}
        words={`${members.length} of ${MEMBERS} members`}
      />
      <MeterLine
        id={`${id}-metadata`}
        value={characters}
        max={METADATA_LIMIT}
        words={`${characters.toLocaleString('en')} of ${limit} characters of metadata`}
      />
      <IdleLine lobby={lobby} lobbies={lobbies} />
      <LobbyMembers lobby={lobby} lobbies={lobbies} />
    </li>
  )
}

function IdleLine({ lobby, lobbies }: Props) {
  useEverySecond()
  const left = lobbies.timeLeft(lobby)
  const value = Number.isFinite(left) ? Math.max(0, left / 1000) : lobby.idleSeconds
  return (
    <MeterLine id={`${lobby.id}-idle`} value={value} max={lobby.idleSeconds} words={idleWords(lobby, left)} />
  )
}

function idleWords({ idleSeconds, closesAt }: ListedLobby, left: number): string {
  if (closesAt === undefined) return 'Does not close while it is linked'
  if (left <= 0) return 'Closes now'
  return `Closes in ${duration(left)} if nobody uses it, of ${duration(idleSeconds * 1000)}`
}

interface LineProps {
  id: string
  value: number
  max: number
  words: string
}

function MeterLine({ id, value, max, words }: LineProps) {
  return (
    <div class="count">
      <meter class="count-bar" min={0} max={max} value={value} aria-labelledby={id} />
      <span id={id}>{words}</span>
    </div>
  )
}

/** Members with a button each that removes one, and a field that adds one. */
function LobbyMembers({ lobby: { id, members }, lobbies }: Props) {
  const { preset } = useDemo()
  const [changes, setChanges] = useState(0)
  const list = `${id}-add`
  // The button of a removed member is gone, and the focus with it.
  useLayoutEffect(() => {
    if (changes > 0) document.getElementById(list)?.focus()
  }, [changes, list])
  const thenFocus = (change: Promise<boolean>) => void change.then(() => setChanges((count) => count + 1))
  const remove = (user: string) => thenFocus(lobbies.remove(id, user))
  return (
    <>
      <ul class="lobby-members">
        {members.map((user) => (
          <Member name={memberName(user, preset)} onRemove={() => remove(user)} key={user} />
        ))}
      </ul>
      <AddForm lobby={id} list={list} members={members} onAdd={(user) => thenFocus(lobbies.add(id, user))} />
    </>
  )
}

function Member({ name, onRemove }: { name: string; onRemove: () => void }) {
  return (
    <li>
      {name}
      <button type="button" class="quiet" aria-label={`Remove ${name}`} onClick={onRemove}>
        <Icon name="cross" />
      </button>
    </li>
  )
}

interface AddProps {
  lobby: string
  /** Id of the list of players. */
  list: string
  members: readonly string[]
  onAdd: (user: string) => void
}

function AddForm({ lobby, list, members, onAdd }: AddProps) {
  const { preset } = useDemo()
  const [wanted, setWanted] = useState('')
  const absent = (preset?.players ?? []).filter(({ id }) => !members.includes(id))
  const choices = absent.map(({ id, name }) => ({ value: id, label: name }))
  const chosen = offered(choices, wanted)
  const add = (event: Event) => {
    event.preventDefault()
    onAdd(chosen)
  }
  return (
    <form class="inline" hidden={absent.length === 0} onSubmit={add}>
      <label class="visually-hidden" for={list}>
        Player to add to lobby {lobby}
      </label>
      <Select id={list} choices={choices} value={chosen} onChange={setWanted} />
      <button class="secondary">Add</button>
    </form>
  )
}
