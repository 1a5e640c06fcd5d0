/** Serves the chat page and its API. */
import { Hono, type Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { readAnyJson } from '../foundation/read-any-json.js'
import { fieldsOf, textOf } from '../foundation/type-guards.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import type { ActivityService } from '../activity/activity-service.js'
import { inputParsers } from '../interactions/input-parsers.js'
import type { ChangeNotifier } from './change-notifier.js'
import { chatDocument } from './chat-document.js'
import { ParsedTexts } from './markdown/parsed-texts.js'
import { startOf, suggestionsIn, viewOf, type ChatServices } from './chat-page-view.js'

/** Path of the changes: a stream, and a WebSocket. */
export const CHANGES_PATH = '/chat/events'

export function createChat(parts: Omit<ChatServices, 'texts'>, notifier: ChangeNotifier): Hono {
  const routes = new Hono()
  const services = { ...parts, texts: new ParsedTexts() }
  const { context, interactions, activity, texts } = services
  routes.get('/chat', (c) =>
    c.html(chatDocument(context.seed.application.name, { activity: activity.url, game: activity.game }), 200, headers),
  )
  routes.get('/chat/api/start', (c) => c.json(startOf(services)))
  routes.get('/chat/api/view', (c) => c.json(viewOf({ as: c.req.query('as') ?? '', channel: c.req.query('channel') }, services)))
  routes.get(CHANGES_PATH, (c) => stream(c, notifier))
  addActivityRoutes(routes, activity, notifier)
  for (const [name, run] of Object.entries(inputParsers))
    routes.post(`/chat/api/${name}`, async (c) => {
      const body = await bodyOf(c)
      const answer = await run(body, interactions)
      notifier.notify()
      const { choices, modal } = fieldsOf(answer)
      if (modal !== undefined) return c.json({ ...fieldsOf(answer), modal: { ...fieldsOf(modal), markdown: texts.of([modal]) } })
      if (!Array.isArray(choices)) return c.json(answer)
      const locale = context.seed.players.find(({ id }) => id === body['as'])?.locale ?? ''
      return c.json({ ...fieldsOf(answer), choices: suggestionsIn(choices, locale) })
    })
  routes.onError((error, c) => {
    if (error instanceof EmulatorError) return c.json({ code: error.code, message: error.message }, 400)
    throw error
  })
  return routes
}

function addActivityRoutes(routes: Hono, activity: ActivityService, notifier: ChangeNotifier): void {
  routes.post('/chat/api/join', async (c) => {
    const { as, channel, customId, referrerId } = await bodyOf(c)
    const link = { customId: textOf(customId), referrerId: textOf(referrerId) }
    return c.json(activity.launch({ as: textOf(as) ?? '', channel: textOf(channel), ...link }))
  })
  routes.post('/chat/api/accept', async (c) => {
    const { as, invitation } = await bodyOf(c)
    return c.json(activity.accept({ as: textOf(as) ?? '', invitation: textOf(invitation) ?? '' }))
  })
  routes.post('/chat/api/game', async (c) => {
    await activity.serve(textOf((await bodyOf(c))['url']) ?? '')
    notifier.notify()
    return c.json({ game: activity.game })
  })
}

/** CSP: the page frames the host page, which may listen on any port. */
const headers = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    'frame-src http://localhost:*',
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; '),
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
}

function stream(c: Context, notifier: ChangeNotifier): Response {
  return streamSSE(c, async (events) => {
    await new Promise<void>((resolve) => {
      const undo = notifier.subscribe(() => void events.writeSSE({ event: 'change', data: '' }))
      events.onAbort(() => {
        undo()
        resolve()
      })
      void events.writeSSE({ event: 'open', data: '' })
    })
  })
}

async function bodyOf(c: Context): Promise<Record<string, unknown>> {
  return fieldsOf(await readAnyJson(c))
}
