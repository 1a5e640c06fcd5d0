/** Dialog of the host page over a game: a text, choices or a file, and buttons. */

/** Shows the dialog; `send` receives `{ action, choices, file? }` once. */
export function showDialog(tile, dialog, send) {
  const form = element('form', { className: 'consent dialog' })
  form.setAttribute('role', 'alertdialog')
  form.setAttribute('aria-label', dialog.title)
  form.append(element('h3', { textContent: dialog.title }), element('p', { className: 'quiet', textContent: dialog.text }))
  if (dialog.choices) form.append(choicesOf(dialog))
  if (dialog.file) form.append(fileField(dialog))
  const actions = element('div', { className: 'actions' })
  for (const [index, { value, label }] of dialog.actions.entries())
    actions.append(element('button', { type: 'submit', value, textContent: label, className: index === 0 ? 'primary' : '' }))
  form.append(actions)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void finish(form, { dialog, action: event.submitter?.value ?? 'cancel', send })
  })
  tile.querySelector('.screen').append(form)
  actions.firstElementChild.focus()
}

async function finish(form, { dialog, action, send }) {
  const fields = new FormData(form)
  const file = fields.get('file')
  if (action === 'copy') await navigator.clipboard?.writeText(dialog.copy).catch(() => undefined)
  if (action === 'open') window.open(dialog.text, '_blank', 'noopener,noreferrer')
  form.remove()
  await send({ action, choices: fields.getAll('choice'), ...(file?.size > 0 && { file: await encode(file) }) })
}

function choicesOf({ choices, multiple }) {
  const list = element('fieldset', { className: 'choices' })
  list.append(element('legend', { className: 'quiet', textContent: 'To' }))
  for (const { value, label } of choices) {
    const row = element('label', { className: 'inline' })
    row.append(element('input', { type: multiple ? 'checkbox' : 'radio', name: 'choice', value }), ` ${label}`)
    list.append(row)
  }
  return list
}

function fileField({ file }) {
  const label = element('label', { className: 'inline', textContent: 'Image ' })
  label.append(element('input', { type: 'file', name: 'file', accept: file }))
  return label
}

async function encode(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return { name: file.name, type: file.type, data: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) }
}

function element(name, properties) {
  return Object.assign(document.createElement(name), properties)
}
