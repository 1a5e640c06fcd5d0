/** Bodies of the control plane: checked by a schema, and refused with a sentence for developers. */
import { read } from '../../check/schema.js'
import { WrongInput } from '../../foundation/emulator-error.js'
import { problemText } from './checked-calls.js'
import type { Input } from './control-calls.js'

/** @throws EmulatorError `bad_request` with every problem. */
export function readControlBody<Value>({ schema }: Input<Value>, body: unknown): Value {
  return read(schema, body, (problems) => {
    throw new WrongInput(`the body must be JSON: ${problemText(problems)}`)
  })
}

/** Runs what answers a request, and adds the request and an example of its body to an error of a wrong one. */
export async function explainedBody<Answer>(
  request: string,
  { example }: Input<unknown>,
  run: () => Answer,
): Promise<Awaited<Answer>> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof WrongInput ? error.of(request, JSON.stringify(example)) : error
  }
}
