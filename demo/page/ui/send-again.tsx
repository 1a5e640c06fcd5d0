/** Form that sends a request again: the tester may change its values, leave some out, and add others. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from 'kit/icon'
import { useDemo } from '../context/use-demo'
import { type Exchange, isSecretName, title } from '../exchanges/exchange'
import {
  addField,
  changeField,
  removeField,
  type Draft,
  type DraftField,
  draftOf,
  type Part,
  PARTS,
  sentParts,
  takesField,
} from '../exchanges/request-draft'

const PASSWORD = { type: 'password' } as const
const TEXT = { type: 'text' } as const
const WORDS: Record<Part, { title: string; add: string }> = {
  query: { title: 'Parameters', add: 'a parameter' },
  body: { title: 'Body', add: 'a field of the body' },
  headers: { title: 'Headers', add: 'a header' },
}

export function SendAgain({ exchange, close }: { exchange: Exchange; close: () => void }) {
  const { exchanges, runs } = useDemo()
  const [draft, change] = useState(() => draftOf(exchange))
  const [fault, setFault] = useState('')
  const send = () => {
    try {
      void exchanges.sendAgain(exchange, sentParts(draft))
    } catch (error) {
      setFault(`The browser does not send this: ${error instanceof Error ? error.message : String(error)}`)
      return
    }
    // The new request is the last row, which is shown unless another one was chosen.
    runs.chosenRow.value = undefined
    close()
  }
  return (
    <form
      class="send-again"
      aria-label={`Send ${title(exchange)} again`}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {PARTS.filter((part) => draft[part].length > 0).map((part) => (
        <DraftPart part={part} draft={draft} change={change} key={part} />
      ))}
      <p class="fault" role="alert">
        {fault}
      </p>
      <div class="buttons">
        <button type="submit" class="primary">
          Send
        </button>
        <button type="button" class="secondary" onClick={close}>
          Cancel
        </button>
        {PARTS.filter((part) => takesField(exchange, part)).map((part) => (
          <button type="button" class="quiet" key={part} onClick={() => change(addField(draft, part))}>
            {`Add ${WORDS[part].add}`}
          </button>
        ))}
      </div>
    </form>
  )
}

interface PartProps {
  part: Part
  draft: Draft
  change: (draft: Draft) => void
}

function DraftPart({ part, draft, change }: PartProps) {
  return (
    <fieldset>
      <legend>{WORDS[part].title}</legend>
      {draft[part].map((field) => (
        <DraftValue
          field={field}
          set={(next) => change(changeField(draft, part, { ...field, ...next }))}
          remove={() => change(removeField(draft, part, field))}
          key={field.key}
        />
      ))}
    </fieldset>
  )
}

interface ValueProps {
  field: DraftField
  set: (change: Partial<DraftField>) => void
  /** Removes one that the tester has added. */
  remove: () => void
}

/** A secret stays masked. One that was not kept has to be entered, or left out. */
function DraftValue({ field, set, remove }: ValueProps) {
  const { key, name, value, isSecret, isLeftOut, isAdded, isSkipped } = field
  const id = `again-${key}`
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <div class={isSkipped ? 'again-value again-skipped' : 'again-value'}>
      {isAdded ? (
        <input
          {...TEXT}
          {...UNASSISTED}
          required
          aria-label="Name of what is added"
          placeholder="name"
          value={name}
          ref={first}
          onInput={({ currentTarget }) =>
            set({ name: currentTarget.value, isSecret: isSecretName(currentTarget.value) })
          }
        />
      ) : (
        <label for={id}>{name || 'text'}</label>
      )}
      <input
        {...(isSecret ? PASSWORD : TEXT)}
        {...UNASSISTED}
        id={id}
        required={isLeftOut}
        disabled={isSkipped}
        aria-label={isAdded ? 'Value of what is added' : undefined}
        placeholder={isLeftOut ? 'was not kept' : isAdded ? 'value' : undefined}
        value={value}
        onInput={({ currentTarget }) => set({ value: currentTarget.value, isLeftOut: false })}
      />
      <button
        type="button"
        class="quiet"
        aria-pressed={isAdded ? undefined : isSkipped}
        onClick={isAdded ? remove : () => set({ isSkipped: !isSkipped })}
      >
        <Icon name="cross" />
        <span class="visually-hidden">{`${isAdded ? 'Remove' : 'Leave out'} ${name || 'this text'}`}</span>
      </button>
    </div>
  )
}

const UNASSISTED = { autocomplete: 'off', spellcheck: false } as const
