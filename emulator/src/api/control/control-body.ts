/** Bodies of the control plane: checked by a schema, and refused with a sentence for developers. */
import { pathText, type PlacedProblem } from '../../check/problems.js'
import { read, type Schema } from '../../check/schema.js'
import { EmulatorError } from '../../foundation/emulator-error.js'

/** @throws EmulatorError `bad_request` with every problem. */
export function readControlBody<Value>(schema: Schema<Value>, body: unknown): Value {
  return read(schema, body, refuse)
}

function refuse(problems: readonly PlacedProblem[]): never {
  const all = problems.map(({ path, rule }) => `${pathText(path) || 'it'} ${rule}`)
  throw new EmulatorError('bad_request', `The body must be JSON: ${all.join('; ')}.`)
}
