/** Composer: sends a message, or chooses a command after a slash. */
import type { TargetedEvent } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Act, Command, Route, ShownOption, View } from '../shared/chat-data.js'
import { CommandForm } from './command-form.js'
import { Listbox, useListKeys } from '../../kit/listbox.js'

const ENTRY_POINT = 4

export function Composer({ view, act, title }: { view: View; act: Act; title: string }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<Route>()
  const [focus, setFocus] = useState(false)
  const [outdated, setOutdated] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const typed = text.startsWith('/') ? text.slice(1).trimStart().toLowerCase() : undefined
  const found =
    typed === undefined
      ? []
      : routesOf(view.commands).filter(({ label }) => label.toLowerCase().includes(typed))
  const launch = ({ id, version }: Command) => void act('use', { command: id, version })
  const choose = (route: Route) => {
    setText('')
    if (route.command.type === ENTRY_POINT) launch(route.command)
    else setChosen(route)
  }
  const keys = useListKeys(found, choose, () => setText(''))
  useLayoutEffect(() => {
    if (!focus || chosen !== undefined) return
    input.current?.focus()
    setFocus(false)
  }, [focus, chosen])
  // The command may have changed since: keep the chosen version until the service reports it as outdated.
  useEffect(() => {
    if (!outdated) return
    setChosen(routesOf(view.commands).find(({ key }) => key === chosen?.key))
    setOutdated(false)
  }, [outdated, view])
  const leave = () => {
    setChosen(undefined)
    setFocus(true)
  }
  const send = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (typed !== undefined || text.trim() === '') return
    const outcome = await act('say', { content: text })
    if (!outcome.problem) setText('')
  }
  if (chosen !== undefined)
    return <CommandForm route={chosen} view={view} act={act} leave={leave} reload={() => setOutdated(true)} />
  const starters = view.commands.filter(({ type }) => type === ENTRY_POINT)
  return (
    <form class="composer" onSubmit={(event) => void send(event)}>
      {typed !== undefined && (
        <div class="popup">
          <p class="count" role="status">
            {found.length === 0
              ? 'No command like this here'
              : `${found.length} ${found.length === 1 ? 'command' : 'commands'}`}
          </p>
          <Listbox
            id="commands"
            label="Commands"
            items={found}
            active={keys.active}
            choose={choose}
            show={showRoute}
          />
        </div>
      )}
      <div class="line">
        {starters.map((command) => (
          <button type="button" class="launch" onClick={() => launch(command)} title={command.description}>
            <span aria-hidden="true">▶</span> {command.label}
          </button>
        ))}
        <input
          ref={input}
          class="text"
          value={text}
          role="combobox"
          aria-label={`Message to ${title}`}
          aria-expanded={typed !== undefined}
          aria-controls="commands"
          aria-activedescendant={
            typed !== undefined && found.length > 0 ? `commands-${keys.active}` : undefined
          }
          aria-autocomplete="list"
          placeholder={
            view.maySend
              ? 'Write, or type / for commands'
              : 'Type / for commands; writing is not allowed here'
          }
          maxLength={2000}
          autocomplete="off"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={typed === undefined ? undefined : keys.onKeyDown}
        />
        <button class="primary" disabled={typed !== undefined || text.trim() === '' || !view.maySend}>
          Send
        </button>
      </div>
    </form>
  )
}

function showRoute({ command, label, description }: Route) {
  return (
    <>
      <span class="name">
        {command.type === ENTRY_POINT ? '▶ ' : '/'}
        {label}
      </span>{' '}
      <span class="quiet">{description}</span>
      <span class="tags">
        {command.type === ENTRY_POINT && <span class="tag">Activity</span>}
        {command.nsfw && <span class="tag warn">18+</span>}
        {command.local && <span class="tag">guild</span>}
        {command.permissions && <span class="tag">{command.permissions}</span>}
      </span>
    </>
  )
}

/** One entry for each command that can be used; a command with subcommands appears as its subcommands only. */
function routesOf(commands: Command[]): Route[] {
  return commands
    .filter(({ type }) => type === 1 || type === ENTRY_POINT)
    .flatMap((command) => leaves(command, command, []))
}

type Part = Pick<Route, 'label' | 'description'> & { options?: ShownOption[] }

function leaves(command: Command, { label, description, options = [] }: Part, path: string[]): Route[] {
  const parts = options.filter(({ type }) => type === 1 || type === 2)
  if (parts.length > 0)
    return parts.flatMap((part) =>
      leaves(command, { ...part, label: `${label} ${part.label}` }, [...path, part.name]),
    )
  if (path.length > 0 && options.length === 0 && isEmptyGroup(command, path)) return []
  return [{ key: [command.id, ...path].join(' '), command, label, description, path, options }]
}

function isEmptyGroup(command: Command, path: string[]): boolean {
  let part: { type: number; options?: ShownOption[] } | undefined = command
  for (const name of path) part = part?.options?.find((option) => option.name === name)
  return part?.type === 2
}
