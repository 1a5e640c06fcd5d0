/** Control plane for interactions: players' actions, and the log of the backend. */
import { Hono } from 'hono'
import { readAnyJson } from '../foundation/read-any-json.js'
import { fieldsOf } from '../foundation/type-guards.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import type { InteractionService } from '../interactions/interaction-service.js'
import { inputParsers } from '../interactions/input-parsers.js'

export function createInteractionControl(interactions: InteractionService): Hono {
  const routes = new Hono()
  routes.get('/_emulator/interactions', (c) => c.json(interactions.list()))
  routes.get('/_emulator/messages', (c) => c.json(interactions.messages({ as: c.req.query('as') ?? '', channel: c.req.query('channel') })))
  for (const [name, run] of Object.entries(inputParsers))
    routes.post(`/_emulator/interactions/${name}`, async (c) => c.json(await run(fieldsOf(await readAnyJson(c)), interactions)))
  routes.onError((error, c) => {
    if (error instanceof EmulatorError) return c.json({ code: error.code, message: error.message }, 400)
    throw error
  })
  return routes
}
