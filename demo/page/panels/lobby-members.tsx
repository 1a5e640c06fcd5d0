/** Members of one lobby of the list with a button each that removes one, and a field that adds one. */
import { useLayoutEffect, useState } from 'preact/hooks'
import type { ApplicationLobbies, ListedLobby } from '../game/application-lobbies'
import { Icon } from 'kit/icon'
import { memberName } from '../game/preset'
import { offered, Select } from 'kit/select-field'
import { useDemo } from '../context/use-demo'

interface Props {
  lobby: ListedLobby
  lobbies: ApplicationLobbies
}

export function LobbyMembers({ lobby: { id, members }, lobbies }: Props) {
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
