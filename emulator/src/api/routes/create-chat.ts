/** Serves the chat page and its API. */
import { EmulatorError } from '../../foundation/emulator-error.js'
import { acceptPushSocket } from '../../foundation/push-socket.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import { frame, siteHeader, type Page, type SiteLinks } from '../../pages/documents/document.js'
import type { ActivityService } from '../../service/activity/activity-service.js'
import { startOf, suggestionsIn, viewOf, type ChatServices } from '../../service/chat/chat-page-view.js'
import type { LocalPrograms } from '../../service/local-program/local-programs.js'
import { ParsedTexts } from '../../service/chat/parsed-texts.js'
import { playerActions } from '../control/player-actions.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { readAnyJson } from '../request/read-json.js'
import { foreignRule } from '../request/refuse-foreign.js'
import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { streamSSE } from 'hono/streaming'
import { EventEmitter } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Path of the changes: a stream, and a WebSocket. */
const CHANGES_PATH = '/chat/events'

export function createChat(parts: Omit<ChatServices, 'texts'>, notifier: ChangeNotifier): Hono {
  const routes = new Hono()
  const services = { ...parts, texts: new ParsedTexts() }
  const { context, interactions, activity, texts } = services
  routes.get('/chat', (c) =>
    c.html(
      chatDocument(context.seed.application.name, { activity: activity.url, game: activity.game }),
      200,
      headers,
    ),
  )
  routes.get('/chat/api/start', (c) => c.json(startOf(services)))
  routes.get('/chat/api/view', (c) =>
    c.json(viewOf({ as: c.req.query('as') ?? '', channel: c.req.query('channel') }, services)),
  )
  routes.get(CHANGES_PATH, (c) => stream(c, notifier))
  addActivityRoutes(routes, activity, notifier)
  addProgramRoutes(routes, services.programs, notifier)
  for (const [name, { run }] of Object.entries(playerActions))
    routes.post(`/chat/api/${name}`, async (c) => {
      const body = await bodyOf(c)
      const answer = await run(body, interactions)
      notifier.notify()
      const { choices, modal } = fieldsOf(answer)
      if (modal !== undefined)
        return c.json({ ...fieldsOf(answer), modal: { ...fieldsOf(modal), markdown: texts.of([modal]) } })
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
    const { as, channel, customId, referrerId, linkId } = await bodyOf(c)
    const link = { customId: textOf(customId), referrerId: textOf(referrerId), linkId: textOf(linkId) }
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

/** Actions of people in the service's program on their computers. */
function addProgramRoutes(routes: Hono, programs: LocalPrograms, notifier: ChangeNotifier): void {
  routes.post('/chat/api/ask', async (c) => {
    const { as, other } = await bodyOf(c)
    programs.of(textOf(other) ?? '').ask(textOf(as) ?? '')
    return c.json({})
  })
  routes.post('/chat/api/accept-program', async (c) => {
    const { as, other } = await bodyOf(c)
    programs.of(textOf(as) ?? '').accept(textOf(other) ?? '')
    return c.json({})
  })
  routes.post('/chat/api/quit', async (c) => {
    await programs.of(textOf((await bodyOf(c))['as']) ?? '').quit()
    notifier.notify()
    return c.json({})
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

function chatDocument(applicationName: string, links: SiteLinks): Page {
  return frame(
    {
      title: `Chat with ${applicationName}`,
      icon: '/assets/icon.svg',
      styles: ['tokens', 'look', 'chat', 'chat-message', 'chat-form'].map((name) => `/assets/${name}.css`),
    },
    html`${siteHeader('Chat', links)}
      <div id="chat"><noscript>The chat page needs scripts.</noscript></div>
      <script type="module" src="/assets/chat.js"></script>`,
  )
}

export class ChangeNotifier {
  readonly #emitter = new EventEmitter().setMaxListeners(0)

  notify(): void {
    this.#emitter.emit('change')
  }

  /** @returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void {
    this.#emitter.on('change', listener)
    return () => void this.#emitter.off('change', listener)
  }
}

/** Refuses pages of other origins and all other paths. */
export function createChangeSocket({ hosts }: EmulatorContext, notifier: ChangeNotifier) {
  return (request: IncomingMessage, socket: Duplex): void => {
    if (request.url !== CHANGES_PATH || foreignRule(request, { hosts }) !== undefined)
      return void socket.destroy()
    const pushed = acceptPushSocket(request, socket, () => undo())
    const undo = notifier.subscribe(() => pushed?.send('change'))
  }
}
