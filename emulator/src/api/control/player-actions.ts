/** Actions of players by name, with the JSON that each reads: for the chat page and the control plane. */
import { anything, flag, list, object, optional, record, text, type Schema } from '../../check/schema.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import type { FormValue, InteractionControls } from '../../service/interactions/interaction-controls.js'
import { readInputs, type UploadedFile } from '../../service/interactions/read-inputs.js'
import { readControlBody } from './control-body.js'

type Run = (body: unknown, controls: InteractionControls) => unknown

function action<Body>(body: Schema<Body>, run: (body: Body, controls: InteractionControls) => unknown): Run {
  return (given, controls) => run(readControlBody(body, given), controls)
}

/** A player, by name or id, and the channel where the player is. */
const place = { as: text(), channel: optional(text()) }
const command = {
  ...place,
  command: text(),
  version: optional(text()),
  target: optional(text()),
  options: anything,
}
const press = object({
  ...place,
  message: text(),
  component: text(),
  values: optional(list(anything)),
})
const submit = object({ ...place, modal: text(), values: optional(record) })

/** Keyed by the last segment of the path. */
export const playerActions: Record<string, Run> = {
  use: action(object(command), ({ options, ...body }, controls) =>
    controls.use({ ...body, options: readInputs(options) }),
  ),
  type: action(
    object({ ...command, focused: text(), unchecked: optional(flag) }),
    ({ options, unchecked = false, ...body }, controls) =>
      controls.type({ ...body, options: readInputs(options), unchecked }),
  ),
  press: action(press, ({ values, ...body }, controls) =>
    controls.press({ ...body, values: values?.map(String) }),
  ),
  submit: action(submit, ({ values = {}, ...body }, controls) => {
    const read = Object.entries(values).map(([name, value]) => [name, readFormValue(value)] as const)
    return controls.submit({ ...body, values: Object.fromEntries(read) })
  }),
  say: action(object({ ...place, content: text() }), (body, controls) => controls.say(body)),
  connect: action(object({ url: text() }), async ({ url }, controls) => {
    await controls.connect(url)
    return { url: controls.url }
  }),
}

function readFormValue(value: unknown): FormValue {
  if (typeof value === 'boolean' || value === null) return value
  if (!Array.isArray(value)) return textOf(value) ?? ''
  return value.every((item) => typeof item === 'string') ? value : value.filter(isFile)
}

function isFile(value: unknown): value is UploadedFile {
  return textOf(fieldsOf(value)['filename']) !== undefined
}
