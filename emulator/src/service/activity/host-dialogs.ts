/** Dialogs that the host page shows over a game, and their results. */
import { randomBytes } from 'node:crypto'
import { fieldsOf, textOf } from '../../foundation/values.js'

export interface Dialog {
  title: string
  text: string
  /** Options to choose from; one, or any number if `multiple` is set. */
  choices?: { value: string; label: string }[] | undefined
  multiple?: boolean
  /** Media types of a file to choose. */
  file?: string
  /** Text that the action `copy` puts on the clipboard. */
  copy?: string
  /** Buttons, the first of which is the usual one. */
  actions: { value: string; label: string }[]
}

export interface DialogResult {
  /** Value of the pressed button; `cancel` if the game has left. */
  action: string
  choices: string[]
  file?: { name: string; type: string; bytes: Buffer } | undefined
}

interface OpenDialog {
  owner: object
  resolve: (result: DialogResult) => void
}

export class HostDialogs {
  readonly #open = new Map<string, OpenDialog>()

  /** Resolves when the player presses a button. `show` sends the dialog to the page. */
  ask(owner: object, dialog: Dialog, show: (dialog: Dialog & { id: string }) => void): Promise<DialogResult> {
    const id = randomBytes(12).toString('hex')
    return new Promise((resolve) => {
      this.#open.set(id, { owner, resolve })
      show({ ...dialog, id })
    })
  }

  /** Returns false if there is no such dialog. */
  answer(id: string, value: unknown): boolean {
    const dialog = this.#open.get(id)
    this.#open.delete(id)
    dialog?.resolve(readResult(value))
    return dialog !== undefined
  }

  /** Cancels the dialogs of a game that has left. */
  cancel(owner: object): void {
    for (const [id, dialog] of this.#open) if (dialog.owner === owner) this.answer(id, { action: 'cancel' })
  }

  clear(): void {
    for (const id of this.#open.keys()) this.answer(id, { action: 'cancel' })
  }
}

function readResult(value: unknown): DialogResult {
  const { action, choices, file } = fieldsOf(value)
  const given: unknown[] = Array.isArray(choices) ? choices : []
  const { name, type, data } = fieldsOf(file)
  const bytes = Buffer.from(textOf(data) ?? '', 'base64')
  return {
    action: textOf(action) ?? 'cancel',
    choices: given.filter((choice) => typeof choice === 'string'),
    file: bytes.length === 0 ? undefined : { name: textOf(name) ?? 'image', type: textOf(type) ?? '', bytes },
  }
}
