/** Actions of players by name, with the JSON that each reads: for the chat page and the control plane. */
import { fieldsOf, textOf } from '../../foundation/values.js'
import type { FormValue, InteractionControls } from '../../service/interactions/interaction-controls.js'
import { readInputs, type UploadedFile } from '../../service/interactions/read-inputs.js'
import { readControlBody } from './control-body.js'
import { inputs, type Input } from './control-calls.js'

/** Actions of a player, each with its input. */
interface PlayerAction {
  readonly takes: Input<unknown>
  readonly run: (body: unknown, controls: InteractionControls) => unknown
}

function action<Body>(
  takes: Input<Body>,
  run: (body: Body, controls: InteractionControls) => unknown,
): PlayerAction {
  return { takes, run: (given, controls) => run(readControlBody(takes, given), controls) }
}

/** Keyed by the last segment of the path. */
export const playerActions: Readonly<Record<string, PlayerAction>> = {
  use: action(inputs.use, ({ options, ...body }, controls) =>
    controls.use({ ...body, options: readInputs(options) }),
  ),
  type: action(inputs.type, ({ options, unchecked = false, ...body }, controls) =>
    controls.type({ ...body, options: readInputs(options), unchecked }),
  ),
  press: action(inputs.press, ({ values, ...body }, controls) =>
    controls.press({ ...body, values: values?.map(String) }),
  ),
  submit: action(inputs.submit, ({ values = {}, ...body }, controls) => {
    const read = Object.entries(values).map(([name, value]) => [name, readFormValue(value)] as const)
    return controls.submit({ ...body, values: Object.fromEntries(read) })
  }),
  say: action(inputs.say, (body, controls) => controls.say(body)),
  connect: action(inputs.address, async ({ url }, controls) => {
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
