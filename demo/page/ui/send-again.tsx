/** Form that sends a request again, with values that the tester may change first. */
import { useState } from 'preact/hooks'
import { useDemo } from '../context/use-demo'
import { type Exchange, type Field, title } from '../exchanges/exchange'

const PARTS = ['query', 'body', 'headers'] as const
type Part = (typeof PARTS)[number]
const PASSWORD = { type: 'password' } as const
const TEXT = { type: 'text' } as const
const WORDS: Record<Part, string> = { query: 'Parameters', body: 'Body', headers: 'Headers' }

export function SendAgain({ exchange, close }: { exchange: Exchange; close: () => void }) {
  const { exchanges, runs } = useDemo()
  const [changed, change] = useState<Pick<Exchange, Part>>(exchange)
  const set = (part: Part, index: number, value: string) => {
    const field = changed[part][index]
    if (field)
      change({ ...changed, [part]: changed[part].with(index, { ...field, value, isLeftOut: false }) })
  }
  const send = () => {
    // The new request is the last row, which is shown unless another one was chosen.
    runs.chosenRow.value = undefined
    close()
    void exchanges.sendAgain(exchange, changed)
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
      {PARTS.filter((part) => changed[part].length > 0).map((part) => (
        <fieldset key={part}>
          <legend>{WORDS[part]}</legend>
          {changed[part].map((field, index) => (
            <Value field={field} set={(value) => set(part, index, value)} key={`${index} ${field.name}`} />
          ))}
        </fieldset>
      ))}
      <div class="buttons">
        <button type="submit" class="primary">
          Send
        </button>
        <button type="button" class="secondary" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** A secret stays masked. One that was not kept has to be entered. */
function Value({
  field: { name, value, isSecret, isLeftOut },
  set,
}: {
  field: Field
  set: (value: string) => void
}) {
  return (
    <label>
      <span>{name || 'text'}</span>
      <input
        {...(isSecret ? PASSWORD : TEXT)}
        autocomplete="off"
        spellcheck={false}
        required={isLeftOut}
        placeholder={isLeftOut ? 'was not kept' : undefined}
        value={value}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  )
}
