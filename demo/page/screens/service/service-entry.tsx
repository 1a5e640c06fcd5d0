/** One saved service: choose, rename and delete. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { SavedService } from '../../game/saved-service'
import { Icon } from 'kit/icon'
import { useDemo } from '../../context/use-demo'

export interface Deleted {
  id: string
  /** Undoes the deletion. */
  restore: () => void
}

/** Reports an action in words; a deletion can be undone. */
export type Say = (text: string, deleted?: Deleted) => void

interface Props {
  one: SavedService
  say: Say
}

/** Has the focus once it is restored or renamed. */
export function ServiceEntry({ one, say, isRestored }: Props & { isRestored: boolean }) {
  const { services } = useDemo()
  const [isRenaming, setRenaming] = useState<boolean>()
  const choice = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isRenaming === false || isRestored) choice.current?.focus()
  }, [isRenaming, isRestored])
  const renamed = (name: string | undefined) => {
    if (name !== undefined) services.rename(one.id, name)
    setRenaming(false)
  }
  return (
    <li class="service" data-service={one.id}>
      {isRenaming === true ? (
        <NameForm name={one.name} onDone={renamed} />
      ) : (
        <>
          <ChoiceButton one={one} choice={choice} />
          <EntryButtons one={one} say={say} onRename={() => setRenaming(true)} />
        </>
      )}
    </li>
  )
}

function ChoiceButton({
  one: { id, name, host = '' },
  choice,
}: {
  one: SavedService
  choice: RefObject<HTMLButtonElement | null>
}) {
  const { services, signIn } = useDemo()
  return (
    <button
      type="button"
      class="secondary service-choice"
      aria-pressed={services.chosen === id}
      disabled={signIn.busy}
      ref={choice}
      onClick={() => services.choose(id)}
    >
      <strong>{name}</strong>
      <span class="hint">{host === '' ? 'no host yet' : host}</span>
    </button>
  )
}

function EntryButtons({ one: { id, name }, say, onRename }: Props & { onRename: () => void }) {
  const { services } = useDemo()
  const remove = () => {
    const restore = services.remove(id)
    say(`${name} was deleted.`, { id, restore })
  }
  return (
    <div class="buttons">
      <button type="button" class="quiet" aria-label={`Rename ${name}`} onClick={onRename}>
        Rename
      </button>
      <button type="button" class="quiet" aria-label={`Delete ${name}`} onClick={remove}>
        <Icon name="cross" />
        Delete
      </button>
    </div>
  )
}

/** Form for a new name. Escape keeps the old one. */
function NameForm({ name, onDone }: { name: string; onDone: (name: string | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(name)
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const submit = (event: Event) => {
    event.preventDefault()
    onDone(typed)
  }
  return (
    <form class="inline" onSubmit={submit} onKeyDown={({ key }) => key === 'Escape' && onDone(undefined)}>
      <input
        aria-label={`New name of ${name}`}
        maxlength={60}
        autocomplete="off"
        ref={input}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <button class="secondary">Save</button>
    </form>
  )
}
