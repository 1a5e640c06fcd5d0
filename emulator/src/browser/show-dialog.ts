/** Dialog of the host page over a game: a text, choices or a file, and buttons. */
import type { Dialog } from '../activity/host-dialogs.js'
import { element, find } from './host-elements.js'

/** Answer of the player. */
export interface DialogAnswer {
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
  form.append(element('h3', { textContent: dialog.title }), element('p', { className: 'quiet', textContent: dialog.text }))
  if (dialog.choices) form.append(choicesOf(dialog.choices, { type: dialog.multiple === true ? 'checkbox' : 'radio' }))
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

async function finish(form: HTMLFormElement, { dialog, action, send }: { dialog: Dialog; action: string; send: Send }): Promise<void> {
  const fields = new FormData(form)
  const file = fields.get('file')
  if (action === 'copy') await navigator.clipboard?.writeText(dialog.copy ?? '').catch(() => undefined)
  if (action === 'open') window.open(dialog.text, '_blank', 'noopener,noreferrer')
  form.remove()
  const choices = fields.getAll('choice').map(String)
  await send({ action, choices, ...(file instanceof File && file.size > 0 && { file: await encode(file) }) })
}

function choicesOf(choices: NonNullable<Dialog['choices']>, { type }: { type: 'checkbox' | 'radio' }): HTMLElement {
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
  return { name: file.name, type: file.type, data: btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')) }
}
