/** Modal that the application opened. */
import { h, useEffect, useRef, useState, type TargetedEvent } from '../../preact.js'
import type { ActionResult, ComponentData, ModalData } from '../chat-data.js'

const paragraph = 2

interface Props {
  modal: ModalData
  close: () => void
  send: (values: object) => Promise<ActionResult>
}

/** Closes when the values were sent; what is typed stays while nothing answers. */
export function ModalForm({ modal, close, send }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [problem, setProblem] = useState<string>()
  useEffect(() => dialog.current?.showModal(), [])
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const outcome = await send(Object.fromEntries(new FormData(event.currentTarget)))
    if (outcome.unreachable === true) setProblem(outcome.problem)
    else close()
  }
  return (
    <dialog ref={dialog} class="modal" aria-labelledby="modal-title" onClose={close}>
      <form onSubmit={(event) => void submit(event)}>
        <h2 id="modal-title">{modal.title}</h2>
        {inputsOf(modal.components).map((input) => (
          <Field key={input.custom_id} input={input} />
        ))}
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem} What you typed stays here.
          </p>
        )}
        <div class="actions">
          <button class="primary">Submit</button>
          <button type="button" onClick={close}>
            Cancel
          </button>
        </div>
      </form>
    </dialog>
  )
}

function Field({ input }: { input: ComponentData }) {
  const { custom_id: name, label, style, placeholder, required = true, value = '', min_length: least, max_length: most } = input
  const rest = { name, placeholder, required, minLength: least, maxLength: most }
  return (
    <label class="field">
      <span>
        {label ?? name}
        {required ? '' : ' (optional)'}
      </span>
      {style === paragraph ? <textarea rows={4} defaultValue={value} {...rest} /> : <input defaultValue={value} {...rest} />}
    </label>
  )
}

/** Text inputs, in action rows or under a label. */
function inputsOf(components: ComponentData[] = []): ComponentData[] {
  return components.flatMap((item) => {
    if (item.type === 4) return [item]
    if (item.component) return inputsOf([{ ...item.component, ...(item.label !== undefined && { label: item.label }) }])
    return inputsOf(item.components)
  })
}
