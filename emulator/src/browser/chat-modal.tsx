/** Modal that the application opened. */
import { html, useEffect, useRef } from './preact.js'

const paragraph = 2

export function ModalForm({ modal, close, send }) {
  const dialog = useRef()
  useEffect(() => dialog.current.showModal(), [])
  const submit = (event) => {
    event.preventDefault()
    const values = Object.fromEntries(new FormData(event.target))
    close()
    send(values)
  }
  return html`<dialog ref=${dialog} class="modal" aria-labelledby="modal-title" onClose=${close}>
    <form onSubmit=${submit}>
      <h2 id="modal-title">${modal.title}</h2>
      ${inputsOf(modal.components).map((input) => html`<${Field} input=${input} />`)}
      <div class="actions">
        <button class="primary">Submit</button>
        <button type="button" onClick=${close}>Cancel</button>
      </div>
    </form>
  </dialog>`
}

function Field({
  input: { custom_id: name, label, style, placeholder, required = true, value = '', min_length: least, max_length: most },
}) {
  const rest = { name, placeholder, required, minlength: least, maxlength: most }
  return html`<label class="field">
    <span>${label ?? name}${required ? '' : ' (optional)'}</span>
    ${style === paragraph ? html`<textarea rows="4" ...${rest}>${value}</textarea>` : html`<input value=${value} ...${rest} />`}
  </label>`
}

/** Text inputs, in action rows or under a label. */
function inputsOf(components = []) {
  return components.flatMap((item) => {
    if (item.type === 4) return [item]
    if (item.component) return inputsOf([{ ...item.component, label: item.label }])
    return inputsOf(item.components)
  })
}
