/** Form for the options of a chosen command. */
import type { TargetedEvent } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { post } from '../shared/chat-api.js'
import type { Act, OptionValue, Route, View } from '../shared/chat-data.js'
import { OptionField } from './option-field.js'

interface Props {
  route: Route
  view: View
  act: Act
  /** Closes the form. */
  leave: () => void
  /** Loads the command anew, after the service reported it as outdated. */
  reload: () => void
}

export function CommandForm({ route, view, act, leave, reload }: Props) {
  const { command, label, description, path, options } = route
  const [values, setValues] = useState<Record<string, OptionValue>>({})
  const [added, setAdded] = useState<string[]>([])
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // Synchronously, before the next key event: fast typing loses no character.
  useLayoutEffect(
    () =>
      form.current
        ?.querySelector<HTMLElement>('.command-fields input, .command-fields select, .primary')
        ?.focus(),
    [],
  )
  const shown = options.filter(({ name, required }) => required || added.includes(name))
  const more = options.filter((option) => !shown.includes(option))
  const place = { as: view.player, channel: view.channel }
  const body = (changes: Record<string, OptionValue> = {}) => ({
    command: command.id,
    version: command.version,
    options: nest(
      path,
      Object.entries({ ...values, ...changes }).map(([name, value]) => ({ name, value })),
    ),
  })
  const add = (name: string) => {
    setAdded([...added, name])
    setTimeout(() => form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus())
  }
  const send = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    setBusy(true)
    const outcome = await act('use', body())
    setBusy(false)
    if (outcome.code === 40043) reload()
    else if (outcome.kind !== 'refused' && outcome.problem === undefined) leave()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented) leave()
  }
  return (
    <form
      class="composer command"
      ref={form}
      onSubmit={(event) => void send(event)}
      onKeyDown={onKeyDown}
      aria-label={`/${label}`}
    >
      <div class="line">
        <p class="chosen">
          <b>/{label}</b> <span class="quiet">{description}</span>
        </p>
        <button type="button" onClick={leave} aria-label={`Cancel /${label}`}>
          ✕
        </button>
      </div>
      <div class="command-fields">
        {shown.map((option) => (
          <OptionField
            key={option.name}
            option={option}
            view={view}
            value={values[option.name]}
            change={(value) => setValues((old) => ({ ...old, [option.name]: value }))}
            suggest={(value, how) =>
              post('type', { ...place, focused: option.name, ...how, ...body({ [option.name]: value }) })
            }
          />
        ))}
      </div>
      <div class="line">
        <div class="more">
          {more.map(({ name, label: text, description: title }) => (
            <button type="button" title={title} onClick={() => add(name)}>
              + {text}
            </button>
          ))}
        </div>
        <button class="primary" disabled={busy}>
          {busy ? 'Sending…' : 'Send'}
        </button>
      </div>
    </form>
  )
}

interface NestedOption {
  name: string
  value?: OptionValue
  options?: NestedOption[]
}

/** Option values, nested under their group and subcommand. */
function nest(path: string[], options: NestedOption[]): NestedOption[] {
  return path.toReversed().reduce<NestedOption[]>((inner, name) => [{ name, options: inner }], options)
}
