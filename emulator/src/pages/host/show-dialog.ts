/** Dialog of the host page over a game: a text, choices or a file, and buttons. */
import type { Dialog } from '../../service/activity/host-dialogs.js'
import { element, find } from './host-elements.js'

/** Answer of the player. */
interface DialogAnswer {
  action: string
  choices: string[]
  /** Chosen image, in Base64. */
  file?: { name: string; type: string; data: string }
}

type Send = (answer: DialogAnswer) => Promise<unknown>

/** Shows the dialog; `send` receives the answer once. */
export function showDialog(tile: HTMLElement, dialog: Dialog, send: Send): void {
  const form = element('form', { className: 'consent dialog' })
  form.setAttribute('role', 'alertdialog')
  form.setAttribute('aria-label', dialog.title)
  form.append(
    element('h3', { textContent: dialog.title }),
    element('p', { className: 'quiet', textContent: dialog.text }),
  )
  if (dialog.choices)
    form.append(choicesOf(dialog.choices, { type: dialog.multiple === true ? 'checkbox' : 'radio' }))
  if (dialog.file !== undefined) form.append(fileField(dialog.file))
  const actions = element('div', { className: 'actions' })
  const buttons = dialog.actions.map(({ value, label }, index) =>
    element('button', { type: 'submit', value, textContent: label, className: index === 0 ? 'primary' : '' }),
  )
  actions.append(...buttons)
  form.append(actions)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const action = event.submitter instanceof HTMLButtonElement ? event.submitter.value : 'cancel'
    void finish(form, { dialog, action, send })
  })
  find(tile, '.screen').append(form)
  buttons[0]?.focus()
}

async function finish(
  form: HTMLFormElement,
  { dialog, action, send }: { dialog: Dialog; action: string; send: Send },
): Promise<void> {
  const fields = new FormData(form)
  const file = fields.get('file')
  if (action === 'copy') await navigator.clipboard?.writeText(dialog.copy ?? '').catch(() => undefined)
  if (action === 'open') window.open(dialog.text, '_blank', 'noopener,noreferrer')
  form.remove()
  const choices = fields.getAll('choice').map(String)
  await send({ action, choices, ...(file instanceof File && file.size > 0 && { file: await encode(file) }) })
}

function choicesOf(
  choices: NonNullable<Dialog['choices']>,
  { type }: { type: 'checkbox' | 'radio' },
): HTMLElement {
  const list = element('fieldset', { className: 'choices' })
  list.append(element('legend', { className: 'quiet', textContent: 'To' }))
  for (const { value, label } of choices) {
    const row = element('label', { className: 'inline' })
    row.append(element('input', { type, name: 'choice', value }), ` ${label}`)
    list.append(row)
  }
  return list
}

function fileField(accept: string): HTMLElement {
  const label = element('label', { className: 'inline', textContent: 'Image ' })
  label.append(element('input', { type: 'file', name: 'file', accept }))
  return label
}

async function encode(file: File): Promise<NonNullable<DialogAnswer['file']>> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return {
    name: file.name,
    type: file.type,
    data: btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')),
  }
}

/** Request for consent, as the emulator sends it. */
export interface ConsentRequest {
  id: string
  /** Name of the application. */
  application: string
  scopes: { description: string }[]
}

export function askConsent(
  tile: HTMLElement,
  { scopes, application }: ConsentRequest,
  send: (answer: { approve: boolean }) => void,
): void {
  tile.querySelector('.consent')?.remove()
  const player = tile.dataset['name'] ?? ''
  const dialog = element('section', { className: 'consent' })
  dialog.setAttribute('role', 'alertdialog')
  dialog.setAttribute('aria-label', `${application} asks ${player} for access`)
  const list = element('ul')
  for (const { description } of scopes) list.append(element('li', { textContent: description }))
  const button = (textContent: string, answer: { approve: boolean }) => {
    const created = element('button', {
      textContent,
      type: 'button',
      className: answer.approve ? 'primary' : '',
    })
    created.addEventListener('click', () => {
      dialog.remove()
      send(answer)
    })
    return created
  }
  const approve = button('Approve', { approve: true })
  const actions = element('div', { className: 'actions' })
  actions.append(approve, button('Deny', { approve: false }))
  dialog.append(
    element('h3', { textContent: `${application} asks for access` }),
    element('p', { className: 'quiet', textContent: `It will be able to, as ${player}:` }),
    list,
    actions,
  )
  find(tile, '.screen').append(dialog)
  approve.focus()
}
