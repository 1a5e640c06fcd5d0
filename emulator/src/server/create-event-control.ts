/** Control plane for event webhooks: their log, and sending them again, forged or made up. */
import { Hono } from 'hono'
import { readAnyJson } from '../foundation/read-any-json.js'
import { fieldsOf, textOf } from '../foundation/type-guards.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import type { EventControls } from '../webhooks/event-controls.js'

export function createEventControl(webhooks: EventControls): Hono {
  const routes = new Hono()
  const acts: Record<string, (body: Record<string, unknown>) => Promise<unknown>> = {
    connect: async ({ url }) => (await webhooks.connect(textOf(url) ?? ''), { url: webhooks.url }),
    send: ({ type, data, forged }) => webhooks.send({ type: textOf(type) ?? '', data, forged: forged === true }),
    resend: ({ id }) => webhooks.resend(textOf(id) ?? ''),
  }
  routes.get('/_emulator/webhooks', (c) => c.json({ url: webhooks.url ?? null, deliveries: webhooks.list() }))
  for (const [name, act] of Object.entries(acts))
    routes.post(`/_emulator/webhooks/${name}`, async (c) => c.json(await act(fieldsOf(await readAnyJson(c)))))
  routes.onError((error, c) => {
    if (error instanceof EmulatorError) return c.json({ code: error.code, message: error.message }, 400)
    throw error
  })
  return routes
}
