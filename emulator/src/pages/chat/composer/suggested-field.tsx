/** Text field with suggestions of the application; the typed value may be sent as it is. */
import { useRef, useState } from 'preact/hooks'
import type { ControlProps, Suggestion } from '../shared/chat-data.js'
import { Listbox, useListKeys } from '../../kit/listbox.js'

/** Type of a STRING option. */
const STRING = 3

interface Suggestions {
  items: Suggestion[]
  open: boolean
  busy?: boolean
  /** Reason why there are none. */
  note?: string | undefined
}

export function SuggestedField({ id, option, value, change, suggest }: ControlProps) {
  const [text, setText] = useState(value === undefined || typeof value === 'object' ? '' : String(value))
  const [{ items, open, busy = false, note }, setState] = useState<Suggestions>({ items: [], open: false })
  const [unchecked, setUnchecked] = useState(false)
  const latest = useRef(0)
  const input = useRef<HTMLInputElement>(null)
  const look = async (typed: string) => {
    const round = ++latest.current
    setState((old) => ({ ...old, open: true, busy: true }))
    const { kind, choices = [], because, problem } = await suggest(typed, { unchecked })
    // Responses may arrive out of order: drop the older one.
    if (round !== latest.current) return
    setState({ items: choices, open: true, note: kind === 'choices' ? undefined : (problem ?? because) })
  }
  const close = () => setState((old) => ({ ...old, open: false }))
  const choose = (item: Suggestion) => {
    latest.current += 1
    setText(item.label)
    change(item.value)
    close()
    input.current?.focus()
  }
  const type = (typed: string) => {
    setText(typed)
    change(typed)
    void look(typed)
  }
  const keys = useListKeys(open ? items : [], choose, close)
  const onKeyDown = (event: KeyboardEvent) => {
    if (open) keys.onKeyDown(event)
    else if (event.key === 'ArrowDown') void look(text)
  }
  return (
    <div class="suggested">
      <input
        id={id}
        ref={input}
        name={option.name}
        value={text}
        required={option.required}
        role="combobox"
        aria-expanded={open && items.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={open && items.length > 0 ? `${id}-list-${keys.active}` : undefined}
        aria-autocomplete="list"
        aria-describedby={`${id}-hint`}
        autocomplete="off"
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onFocus={() => {
          if (!open) void look(text)
        }}
        onBlur={close}
        onKeyDown={onKeyDown}
      />
      {option.type !== STRING && (
        <label class="half-typed quiet">
          <input type="checkbox" checked={unchecked} onChange={() => setUnchecked(!unchecked)} /> Also send
          half-typed numbers
        </label>
      )}
      {open && (
        <div class="popup">
          <p class="count" role="status">
            {busy
              ? 'Looking…'
              : (note ?? (items.length === 0 ? 'No suggestions' : `${items.length} suggestions`))}
          </p>
          <Listbox
            id={`${id}-list`}
            label={`Suggestions for ${option.label}`}
            items={items}
            active={keys.active}
            choose={choose}
            show={({ label }) => label}
          />
        </div>
      )}
    </div>
  )
}
