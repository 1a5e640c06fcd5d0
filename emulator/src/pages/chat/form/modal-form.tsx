/** Modal that the application opened: a form with every part that the service has. */
import type { TargetedEvent } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { ChatContext } from '../shared/chat-context.js'
import type { ActionResult, ModalData, Start, View } from '../shared/chat-data.js'
import { Markdown } from '../markdown/markdown.js'
import { wordsFor } from '../shared/notice.js'
import { faultOf, formParts, isField, valueAtFirst, type FormField, type FormValue } from './form-parts.js'
import { ModalField } from './modal-field.js'

interface Props {
  modal: ModalData
  start: Start
  view: View
  close: () => void
  send: (values: Record<string, FormValue>) => Promise<ActionResult>
}

/** Closes when the application has responded; otherwise the values stay, with the reason. */
export function ModalForm({ modal, start, view, close, send }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const parts = formParts(modal.components)
  const fields = parts.filter(isField)
  const [values, setValues] = useState(() =>
    Object.fromEntries(fields.map(({ id, component }) => [id, valueAtFirst(component)])),
  )
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [attempts, setAttempts] = useState(0)
  useEffect(() => {
    dialog.current?.showModal()
    form.current?.querySelector<HTMLElement>('.parts :is(input, textarea, button)')?.focus()
  }, [])
  useEffect(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(), [attempts])
  const change = (id: string) => (value: FormValue) => {
    setValues((old) => ({ ...old, [id]: value }))
    setFaults((old) => Object.fromEntries(Object.entries(old).filter(([name]) => name !== id)))
  }
  const submit = async (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault()
    const found = faultsOf(fields, values)
    setFaults(found)
    setAttempts(attempts + 1)
    setProblem(undefined)
    if (Object.keys(found).length > 0 || busy) return
    setBusy(true)
    const outcome = await send(values)
    setBusy(false)
    if (outcome.problem === undefined && outcome.kind !== 'failed' && outcome.kind !== 'refused')
      return close()
    const { text } = wordsFor(outcome)
    const named = fields.find(({ id }) => text.includes(id))
    if (named === undefined) setProblem(text)
    else setFaults({ [named.id]: text })
  }
  return (
    <dialog ref={dialog} class="modal" aria-labelledby="modal-title" onClose={close}>
      <ChatContext.Provider
        value={{ scope: `modal-${modal.id}`, start, view, markdown: modal.markdown, attachments: [] }}
      >
        <form ref={form} noValidate onSubmit={(event) => void submit(event)}>
          <header>
            <img src="/assets/icon.svg" alt="" width="28" height="28" />
            <h2 id="modal-title">{modal.title}</h2>
            <button type="button" class="close" aria-label="Close the form" onClick={close}>
              ✕
            </button>
          </header>
          <div class="parts">
            <p class="note">
              This form goes to {start.application.name}. Do not enter passwords or other secrets.
            </p>
            {parts.map((item) =>
              isField(item) ? (
                <ModalField
                  key={item.id}
                  field={item}
                  value={values[item.id] ?? ''}
                  fault={faults[item.id]}
                  change={change(item.id)}
                />
              ) : (
                <Markdown text={item.text} />
              ),
            )}
          </div>
          <Footer problem={problem} busy={busy} close={close} />
        </form>
      </ChatContext.Provider>
    </dialog>
  )
}

function Footer({ problem, busy, close }: { problem: string | undefined; busy: boolean; close: () => void }) {
  return (
    <>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem} What you typed stays here.
        </p>
      )}
      <div class="actions">
        <button type="button" onClick={close}>
          Cancel
        </button>
        <button class="primary" aria-busy={busy}>
          Submit
        </button>
      </div>
    </>
  )
}

function faultsOf(fields: FormField[], values: Record<string, FormValue>): Record<string, string> {
  return Object.fromEntries(
    fields.flatMap(({ id, component }) => {
      const fault = faultOf(component, values[id] ?? null)
      return fault === undefined ? [] : [[id, fault]]
    }),
  )
}
