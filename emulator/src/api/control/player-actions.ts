/** Actions of players by name, with the JSON that each reads: for the chat page and the control plane. */
import { fieldsOf, textOf } from '../../foundation/values.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import type {
  FormValue,
  InteractionControls,
  UserContext,
  UseCommandInput,
} from '../../service/interactions/interaction-controls.js'
import { readInputs, type UploadedFile } from '../../service/interactions/read-inputs.js'

type Body = Record<string, unknown>
type Run = (body: Body, controls: InteractionControls) => unknown

/** Keyed by the last segment of the path. */
export const playerActions: Record<string, Run> = {
  use: (body, controls) => controls.use(readUse(body)),
  type: (body, controls) =>
    controls.type({
      ...readUse(body),
      focused: text(body, 'focused'),
      unchecked: body['unchecked'] === true,
    }),
  press: (body, controls) => {
    const { values } = body
    const chosen = Array.isArray(values) ? values.map(String) : undefined
    return controls.press({
      ...readUserContext(body),
      message: text(body, 'message'),
      component: text(body, 'component'),
      values: chosen,
    })
  },
  submit: (body, controls) => {
    const values = Object.entries(fieldsOf(body['values'])).map(
      ([name, value]) => [name, readFormValue(value)] as const,
    )
    return controls.submit({
      ...readUserContext(body),
      modal: text(body, 'modal'),
      values: Object.fromEntries(values),
    })
  },
  say: (body, controls) => controls.say({ ...readUserContext(body), content: text(body, 'content') }),
  connect: async (body, controls) => {
    await controls.connect(text(body, 'url'))
    return { url: controls.url }
  },
}

function readFormValue(value: unknown): FormValue {
  if (typeof value === 'boolean' || value === null) return value
  if (!Array.isArray(value)) return textOf(value) ?? ''
  return value.every((item) => typeof item === 'string') ? value : value.filter(isFile)
}

function isFile(value: unknown): value is UploadedFile {
  return textOf(fieldsOf(value)['filename']) !== undefined
}

function readUse(body: Body): UseCommandInput {
  const { version, target, options } = body
  return {
    ...readUserContext(body),
    command: text(body, 'command'),
    version: textOf(version),
    target: textOf(target),
    options: readInputs(options),
  }
}

function readUserContext(body: Body): UserContext {
  return { as: text(body, 'as'), channel: textOf(body['channel']) }
}

function text(body: Body, name: string): string {
  const value = body[name]
  if (typeof value !== 'string')
    throw new EmulatorError('bad_request', `The body must be JSON with ${name} as text.`)
  return value
}
