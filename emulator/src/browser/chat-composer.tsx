/** Composer: sends a message, or chooses a command after a slash. */
import { html, useEffect, useLayoutEffect, useRef, useState } from './preact.js'
import { CommandForm } from './chat-command-form.js'
import { Listbox, useListKeys } from './chat-listbox.js'

const entryPoint = 4

export function Composer({ view, act, title }) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState()
  const [focus, setFocus] = useState(false)
  const [outdated, setOutdated] = useState(false)
  const input = useRef()
  const typed = text.startsWith('/') ? text.slice(1).trimStart().toLowerCase() : undefined
  const found = typed === undefined ? [] : routesOf(view.commands).filter(({ label }) => label.toLowerCase().includes(typed))
  const choose = (route) => {
    setText('')
    if (route.command.type === entryPoint) void act('use', { command: route.command.id, version: route.command.version })
    else setChosen(route)
  }
  const keys = useListKeys(found, choose, () => setText(''))
  useLayoutEffect(() => {
    if (!focus || chosen !== undefined) return
    input.current.focus()
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
  const send = async (event) => {
    event.preventDefault()
    if (typed !== undefined || text.trim() === '') return
    const outcome = await act('say', { content: text })
    if (!outcome.problem) setText('')
  }
  if (chosen !== undefined)
    return html`<${CommandForm} route=${chosen} view=${view} act=${act} leave=${leave} reload=${() => setOutdated(true)} />`
  const starters = view.commands.filter(({ type }) => type === entryPoint)
  return html`<form class="composer" onSubmit=${send}>
    ${
      typed !== undefined &&
      html`<div class="popup">
        <p class="count" role="status">
          ${found.length === 0 ? 'No command like this here' : `${found.length} ${found.length === 1 ? 'command' : 'commands'}`}
        </p>
        <${Listbox} id="commands" label="Commands" items=${found} active=${keys.active} choose=${choose} show=${showRoute} />
      </div>`
    }
    <div class="line">
      ${starters.map(
        (command) =>
          html`<button type="button" class="launch" onClick=${() => choose({ command })} title=${command.description}>
            <span aria-hidden="true">▶</span> ${command.label}
          </button>`,
      )}
      <input
        ref=${input}
        class="text"
        value=${text}
        role="combobox"
        aria-label=${`Message to ${title}`}
        aria-expanded=${typed !== undefined}
        aria-controls="commands"
        aria-activedescendant=${typed !== undefined && found.length > 0 ? `commands-${keys.active}` : undefined}
        aria-autocomplete="list"
        placeholder=${view.maySend ? 'Write, or type / for commands' : 'Type / for commands; writing is not allowed here'}
        maxlength="2000"
        autocomplete="off"
        onInput=${({ target }) => setText(target.value)}
        onKeyDown=${typed === undefined ? undefined : keys.onKeyDown}
      />
      <button class="primary" disabled=${typed !== undefined || text.trim() === '' || !view.maySend}>Send</button>
    </div>
  </form>`
}

function showRoute({ command, label, description }) {
  return html`<span class="name">${command.type === entryPoint ? '▶ ' : '/'}${label}</span> <span class="quiet">${description}</span>
    <span class="tags"
      >${command.type === entryPoint && html`<span class="tag">Activity</span>`}${command.nsfw && html`<span class="tag warn">18+</span>`}${
        command.local && html`<span class="tag">guild</span>`
      }${command.permissions && html`<span class="tag">${command.permissions}</span>`}</span
    >`
}

/** One entry for each command that can be used; a command with subcommands appears as its subcommands only. */
function routesOf(commands) {
  return commands.filter(({ type }) => type === 1 || type === entryPoint).flatMap((command) => leaves(command, command, []))
}

function leaves(command, { label, description, options = [] }, path) {
  const parts = options.filter(({ type }) => type === 1 || type === 2)
  if (parts.length > 0) return parts.flatMap((part) => leaves(command, { ...part, label: `${label} ${part.label}` }, [...path, part.name]))
  if (path.length > 0 && options.length === 0 && isEmptyGroup(command, path)) return []
  return [{ key: [command.id, ...path].join(' '), command, label, description, path, options }]
}

function isEmptyGroup(command, path) {
  let options = command.options
  let part
  for (const name of path) {
    part = options.find((option) => option.name === name)
    options = part.options ?? []
  }
  return part.type === 2
}
