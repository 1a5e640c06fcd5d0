/** The control plane's side of interactions: what a player does, and what went to the backend. */
import { Hono } from 'hono'
import { fieldsOf } from '../decode.js'
import { EmulatorError } from '../error.js'
import type { Desk } from '../interactions/desk.js'
import { orders } from '../interactions/orders.js'

export function createInteractionControl(desk: Desk): Hono {
  const routes = new Hono()
  routes.get('/_emulator/interactions', (c) => c.json(desk.list()))
  routes.get('/_emulator/messages', (c) => c.json(desk.messages({ as: c.req.query('as') ?? '', channel: c.req.query('channel') })))
  for (const [name, run] of Object.entries(orders))
    routes.post(`/_emulator/interactions/${name}`, async (c) =>
      c.json(await run(fieldsOf(await c.req.json().catch(() => undefined)), desk)),
    )
  routes.onError((error, c) => {
    if (error instanceof EmulatorError) return c.json({ code: error.code, message: error.message }, 400)
    throw error
  })
  return routes
}
