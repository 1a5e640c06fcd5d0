/** List of saved services: choose, rename, delete with undo, export and import. */
import { onChange } from '../on-change'
import type { DemoContext, Mount } from '../panel-context'
import { exportServices, ImportError, type SavedService } from '../game/saved-services'
import type { ServiceList } from '../game/service-list'
import { h } from '../ui/create-element'
import { icon } from '../ui/icons'
import { panel } from '../ui/panel'

const FILE = 'foyer-demo-services.json'
const EMPTY = 'No service is saved. Enter one in the settings, then save it here under a name.'

export const mountSavedServices: Mount = (element, context) => {
  const { services, service, signIn } = context
  const { body, tools } = panel(element, 'Saved services', [
    'Saved in this browser: name, addresses, client id and scopes. A secret is never saved.',
  ])
  const report = createReport()
  const exportButton = h('button', { type: 'button', class: 'quiet', onclick: () => download(services) }, ['Export'])
  tools.append(exportButton, ...importButton(services, report.say))
  const empty = h('p', { class: 'empty' }, [EMPTY])
  const list = h('ul', { class: 'services', 'aria-label': 'Services' })
  body.append(empty, list, report.element, saveForm(context, report.say))
  const draw = () => {
    const all = services.saved.value
    empty.hidden = all.length > 0
    exportButton.hidden = all.length === 0
    list.hidden = all.length === 0
    // An entry that is being renamed must not lose what is typed.
    const renaming = list.querySelector<HTMLElement>('li:has(form)')
    if (renaming && all.some(({ id }) => id === renaming.dataset['service'])) return
    list.replaceChildren(...all.map((one) => entry(one, context, { say: report.say, draw })))
  }
  services.saved.subscribe(draw)
  onChange(service, draw)
  onChange(signIn.progress, () => {
    for (const button of list.querySelectorAll<HTMLButtonElement>('.service-choice')) button.disabled = signIn.busy
  })
}

type Say = (text: string, undo?: () => void) => void

/** Line that reports the last action, with a button that undoes it. */
function createReport(): { element: HTMLElement; say: Say } {
  const words = h('span', { role: 'status' })
  const undo = h('button', { type: 'button', class: 'secondary', hidden: true }, ['Undo'])
  let revert: (() => void) | undefined
  const say: Say = (text, next) => {
    words.textContent = text
    revert = next
    undo.hidden = next === undefined
    if (next) undo.focus()
  }
  undo.addEventListener('click', () => {
    revert?.()
    say('Restored.')
  })
  return { element: h('p', { class: 'report hint' }, [words, undo]), say }
}

interface Redraw {
  say: Say
  draw: () => void
}

function entry(one: SavedService, { services, signIn }: DemoContext, { say, draw }: Redraw): HTMLElement {
  const { id, name, host = '' } = one
  const choose = h(
    'button',
    {
      type: 'button',
      class: 'secondary service-choice',
      'aria-pressed': String(services.chosen === id),
      disabled: signIn.busy,
      onclick: () => services.choose(id),
    },
    [h('strong', {}, [name]), h('span', { class: 'hint' }, [host === '' ? 'no host yet' : host])],
  )
  const remove = () => {
    const undo = services.remove(id)
    say(`${name} was deleted.`, undo)
  }
  const item = h('li', { class: 'service', 'data-service': id }, [
    choose,
    h('div', { class: 'buttons' }, [
      h('button', { type: 'button', class: 'quiet', 'aria-label': `Rename ${name}`, onclick: () => rename() }, ['Rename']),
      h('button', { type: 'button', class: 'quiet', 'aria-label': `Delete ${name}`, onclick: remove }, [icon('cross'), 'Delete']),
    ]),
  ])
  const rename = () => {
    const form = nameForm(name, (next) => {
      form.remove()
      if (next !== undefined) services.rename(id, next)
      draw()
      document.querySelector<HTMLElement>(`[data-service="${id}"] .service-choice`)?.focus()
    })
    item.replaceChildren(form)
    form.querySelector('input')?.select()
  }
  return item
}

/** Form for a new name. Escape keeps the old one. */
function nameForm(name: string, done: (name: string | undefined) => void): HTMLFormElement {
  const input = h('input', { 'aria-label': `New name of ${name}`, maxlength: 60, autocomplete: 'off' })
  input.value = name
  const submit = (event: Event) => {
    event.preventDefault()
    done(input.value)
  }
  const form = h('form', { class: 'inline', onsubmit: submit }, [input, h('button', { class: 'secondary' }, ['Save'])])
  form.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') done(undefined)
  })
  return form
}

function saveForm({ services, service }: DemoContext, say: Say): HTMLElement {
  const input = h('input', { id: 'service-name', maxlength: 60, autocomplete: 'off', 'aria-describedby': 'service-name-hint' })
  const submit = (event: Event) => {
    event.preventDefault()
    const name = input.value.trim() || hostOf(service.value.host)
    services.saveAs(name)
    input.value = ''
    say(`Saved as ${services.saved.value.at(-1)?.name}.`)
  }
  const another = h('button', { type: 'button', class: 'secondary', onclick: () => services.choose('custom') }, ['Enter another service'])
  const form = h('form', { class: 'field', onsubmit: submit }, [
    h('label', { for: 'service-name' }, ['Save the settings as']),
    h('div', { class: 'inline' }, [input, h('button', { class: 'secondary' }, ['Save'])]),
    h('p', { class: 'hint', id: 'service-name-hint' }, ['Empty: the host. Later changes are saved by themselves.']),
  ])
  service.subscribe(({ kind, saved }) => {
    form.hidden = kind === 'emulator'
    another.hidden = kind === 'custom' && saved === undefined
  })
  return h('div', { class: 'save-service' }, [form, another])
}

function hostOf(host = ''): string {
  return URL.parse(host)?.host || 'Service'
}

function download({ saved }: ServiceList): void {
  const url = URL.createObjectURL(new Blob([exportServices(saved.value)], { type: 'application/json' }))
  h('a', { href: url, download: FILE }).click()
  URL.revokeObjectURL(url)
}

/** Button, and the hidden input of the file that it opens. */
function importButton(services: ServiceList, say: Say): HTMLElement[] {
  const input = h('input', { type: 'file', accept: 'application/json,.json', hidden: true, id: 'import-services' })
  const read = async () => {
    const [file] = input.files ?? []
    if (!file) return
    try {
      say(services.import(await file.text()))
    } catch (error) {
      say(error instanceof ImportError ? error.message : 'The file could not be read.')
    }
    // The same file can be chosen again.
    input.value = ''
  }
  input.addEventListener('change', () => void read())
  return [h('button', { type: 'button', class: 'quiet', onclick: () => input.click() }, ['Import']), input]
}
