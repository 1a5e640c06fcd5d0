/** Form for the options of a chosen command; requests autocomplete suggestions while the player types. */
import { html, useLayoutEffect, useRef, useState } from './preact.js'
import { post } from './chat-api.js'
import { Listbox, useListKeys } from './chat-listbox.js'

const kinds = { text: 3, whole: 4, yesNo: 5, user: 6, channel: 7, role: 8, mentionable: 9, number: 10, attachment: 11 }

export function CommandForm({ route, view, act, leave, reload }) {
  const { command, label, description, path, options } = route
  const [values, setValues] = useState({})
  const [added, setAdded] = useState([])
  const [busy, setBusy] = useState(false)
  const form = useRef()
  // Synchronously, before the next key event: fast typing loses no character.
  useLayoutEffect(() => form.current.querySelector('.fields input, .fields select, .primary').focus(), [])
  const shown = options.filter(({ name, required }) => required || added.includes(name))
  const more = options.filter((option) => !shown.includes(option))
  const body = (changes = {}) => ({
    command: command.id,
    version: command.version,
    options: nest(
      path,
      Object.entries({ ...values, ...changes }).map(([name, value]) => ({ name, value })),
    ),
  })
  const add = (name) => {
    setAdded([...added, name])
    setTimeout(() => form.current?.querySelector(`[name="${name}"]`)?.focus())
  }
  const send = async (event) => {
    event.preventDefault()
    setBusy(true)
    const outcome = await act('use', body())
    setBusy(false)
    if (outcome.code === 40043) reload()
    else if (outcome.kind !== 'refused') leave()
  }
  const onKeyDown = (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) leave()
  }
  return html`<form class="composer command" ref=${form} onSubmit=${send} onKeyDown=${onKeyDown} aria-label=${`/${label}`}>
    <div class="line">
      <p class="chosen"><b>/${label}</b> <span class="quiet">${description}</span></p>
      <button type="button" onClick=${leave} aria-label=${`Cancel /${label}`}>✕</button>
    </div>
    <div class="fields">
      ${shown.map(
        (option) =>
          html`<${Field}
            key=${option.name}
            option=${option}
            view=${view}
            value=${values[option.name]}
            change=${(value) => setValues((old) => ({ ...old, [option.name]: value }))}
            suggest=${(value) => post('type', { as: view.player, channel: view.channel, focused: option.name, ...body({ [option.name]: value }) })}
          />`,
      )}
    </div>
    <div class="line">
      <div class="more">
        ${more.map(({ name, label: text, description: title }) => html`<button type="button" title=${title} onClick=${() => add(name)}>+ ${text}</button>`)}
      </div>
      <button class="primary" disabled=${busy}>${busy ? 'Sending…' : 'Send'}</button>
    </div>
  </form>`
}

function Field(props) {
  const { option } = props
  const id = `option-${option.name}`
  return html`<div class="field">
    <label for=${id}>${option.label}${option.required ? html` <span class="quiet">required</span>` : ''}</label>
    <${controlFor(option)} id=${id} ...${props} />
    <span class="quiet hint" id=${`${id}-hint`}>${option.description}</span>
  </div>`
}

function controlFor({ type, choices, autocomplete }) {
  if (choices) return Choice
  if (autocomplete) return Suggested
  if (type === kinds.attachment) return Attachment
  return type >= kinds.yesNo && type <= kinds.mentionable ? Choice : Plain
}

function Plain({ id, option: { name, type, required, min_length: least, max_length: most }, value = '', change }) {
  const mode = type === kinds.whole ? 'numeric' : type === kinds.number ? 'decimal' : undefined
  return html`<input
    id=${id}
    name=${name}
    value=${value}
    required=${required}
    inputmode=${mode}
    minlength=${least}
    maxlength=${most}
    autocomplete="off"
    aria-describedby=${`${id}-hint`}
    onInput=${({ target }) => change(target.value)}
  />`
}

function Choice({ id, option, view, value, change }) {
  const items = itemsFor(option, view)
  const at = items.findIndex((item) => item.value === value)
  return html`<select
    id=${id}
    name=${option.name}
    required=${option.required}
    value=${at === -1 ? '' : String(at)}
    aria-describedby=${`${id}-hint`}
    onChange=${({ target }) => change(items[Number(target.value)]?.value)}
  >
    <option value="">Choose…</option>
    ${items.map(({ label }, index) => html`<option value=${String(index)}>${label}</option>`)}
  </select>`
}

/** Text field with autocomplete from the application; the typed value may be sent as it is. */
function Suggested({ id, option, value, change, suggest }) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  const [state, setState] = useState({ items: [], open: false })
  const latest = useRef(0)
  const input = useRef()
  const look = async (typed) => {
    const round = ++latest.current
    setState((old) => ({ ...old, open: true, busy: true }))
    const { kind, choices = [], because, problem } = await suggest(typed)
    // Responses may arrive out of order: drop the older one.
    if (round !== latest.current) return
    setState({ items: choices, open: true, note: kind === 'choices' ? undefined : (problem ?? because) })
  }
  const close = () => setState((old) => ({ ...old, open: false }))
  const choose = (item) => {
    latest.current += 1
    setText(item.label)
    change(item.value)
    close()
    input.current.focus()
  }
  const type = ({ target }) => {
    setText(target.value)
    change(target.value)
    void look(target.value)
  }
  const { items, open, busy, note } = state
  const keys = useListKeys(open ? items : [], choose, close)
  const onKeyDown = (event) => {
    if (open) keys.onKeyDown(event)
    else if (event.key === 'ArrowDown') void look(text)
  }
  return html`<div class="suggested">
    <input
      id=${id}
      ref=${input}
      name=${option.name}
      value=${text}
      required=${option.required}
      role="combobox"
      aria-expanded=${open && items.length > 0}
      aria-controls=${`${id}-list`}
      aria-activedescendant=${open && items.length > 0 ? `${id}-list-${keys.active}` : undefined}
      aria-autocomplete="list"
      aria-describedby=${`${id}-hint`}
      autocomplete="off"
      onInput=${type}
      onFocus=${() => !open && look(text)}
      onBlur=${close}
      onKeyDown=${onKeyDown}
    />
    ${
      open &&
      html`<div class="popup">
        <p class="count" role="status">
          ${busy ? 'Looking…' : (note ?? (items.length === 0 ? 'No suggestions' : `${items.length} suggestions`))}
        </p>
        <${Listbox}
          id=${`${id}-list`}
          label=${`Suggestions for ${option.label}`}
          items=${items}
          active=${keys.active}
          choose=${choose}
          show=${({ label }) => label}
        />
      </div>`
    }
  </div>`
}

function read(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('error', () => reject(reader.error))
    reader.addEventListener('load', () => {
      const [, data = ''] = reader.result.split(',')
      resolve({ filename: file.name, data, ...(file.type && { content_type: file.type.split(';')[0] }) })
    })
    reader.readAsDataURL(file)
  })
}

function Attachment({ id, option: { name, required, file_types: types }, change }) {
  const take = async ({ target }) => {
    const [file] = target.files
    // Submitting waits until the file is read.
    target.setCustomValidity(file === undefined ? '' : 'The file is still being read.')
    change(file === undefined ? undefined : await read(file))
    target.setCustomValidity('')
  }
  const accept = types?.map((type) => (type.startsWith('.') ? type : `${type}/*`)).join()
  return html`<input
    id=${id}
    name=${name}
    type="file"
    required=${required}
    accept=${accept}
    aria-describedby=${`${id}-hint`}
    onChange=${take}
  />`
}

function itemsFor({ type, choices, channel_types: types }, { people, roles, places }) {
  if (choices) return choices
  const users = people.map(({ id, name }) => ({ label: name, value: id }))
  const named = roles.map(({ id, name }) => ({ label: `@${name}`, value: id }))
  if (type === kinds.yesNo) return [true, false].map((value) => ({ label: value ? 'Yes' : 'No', value }))
  if (type === kinds.user) return users
  if (type === kinds.role) return named
  if (type === kinds.mentionable) return [...users, ...named]
  return places.filter((place) => !types || types.includes(place.type)).map(({ id, name }) => ({ label: `#${name}`, value: id }))
}

/** Option values, nested under their group and subcommand. */
function nest(path, options) {
  return path.toReversed().reduce((inner, name) => [{ name, options: inner }], options)
}
