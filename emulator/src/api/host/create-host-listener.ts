/** Serves the host page, and receives the messages of its frames. */
import { notFound } from '../../check/api-error.js'
import { EmulatorError } from '../../foundation/emulator-error.js'
import { acceptPushSocket } from '../../foundation/push-socket.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import { wantsPage } from '../../pages/documents/not-found-anywhere.js'
import type { Frame } from '../../service/activity/activity-host.js'
import type { ActivityService } from '../../service/activity/activity-service.js'
import { HOST_PATH, type HostListener } from '../../service/activity/host-ports.js'
import { locationId, type Instance } from '../../service/activity/instances.js'
import { REPORT_PATH, readReport, resolveTarget } from '../../service/activity/proxy-mapping.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Player } from '../../state/seed/seed.js'
import { readControlBody } from '../control/control-body.js'
import { inputs } from '../control/control-calls.js'
import { isBrokenOff, readAnyJson, readForm } from '../request/read-json.js'
import { foreignRule, hostRule, refuseForeign } from '../request/refuse-foreign.js'
import { pageFile } from '../routes/create-pages.js'
import { hostDocument, lobbyDocument, nothingDocument, overDocument } from './host-document.js'
import { forward, forwardUpgrade, signProxied } from './proxy-target.js'
import { getRequestListener } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

const WINDOW_EVENTS = new RegExp(`^${HOST_PATH}windows/([^/?]+)/events$`)

export function createHostListener(activity: ActivityService, context: EmulatorContext): HostListener {
  const pages = getRequestListener(createHostApp(activity, context).fetch, { overrideGlobalObjects: false })
  return {
    request: (request, response) => {
      const { proxied } = activity
      const hosts = hostsOf(activity)
      const isGame = proxied !== undefined && !isOwn(request.url)
      const foreign = isGame ? hostRule(request, hosts) : foreignRule(request, { hosts })
      if (foreign !== undefined) refuseForeign(response, { rule: foreign, hosts })
      else if (isGame) forwardGame(request, response, { activity, context })
      else void pages(request, response)
    },
    upgrade: (request, socket) => {
      const { proxied } = activity
      if (isOwn(request.url)) listenBySocket(request, socket, activity)
      else if (proxied === undefined || hostRule(request, hostsOf(activity)) !== undefined) socket.destroy()
      else {
        if (activity.mappings !== undefined) signProxied(request, activity.host, context)
        forwardUpgrade(request, socket, resolveTarget(request.url ?? '/', proxied, activity.mappings ?? []))
      }
    },
  }
}

/** Requests of a proxied game, and reports of what its content policy blocked. */
function forwardGame(
  request: IncomingMessage,
  response: ServerResponse,
  { activity, context }: { activity: ActivityService; context: EmulatorContext },
): void {
  const { proxied, mappings, policy } = activity
  if (proxied === undefined) return void response.writeHead(404).end()
  if (mappings !== undefined && request.url === REPORT_PATH)
    return void reportBlocked(request, response, activity)
  if (mappings !== undefined) signProxied(request, activity.host, context)
  forward(request, response, { ...resolveTarget(request.url ?? '/', proxied, mappings ?? []), policy })
}

async function reportBlocked(
  request: IncomingMessage,
  response: ServerResponse,
  activity: ActivityService,
): Promise<void> {
  const blocked = await readReport(request, response).catch(() => undefined)
  if (blocked !== undefined) activity.blocked(blocked)
}

function hostsOf({ origin = '' }: ActivityService): ReadonlySet<string> {
  return new Set(URL.canParse(origin) ? [new URL(origin).host] : [])
}

function isOwn(path: string | undefined): boolean {
  return path !== undefined && (path.startsWith(HOST_PATH) || path === HOST_PATH.slice(0, -1))
}

function createHostApp(activity: ActivityService, context: EmulatorContext): Hono {
  const app = new Hono()
  app.get('/', (c) => c.redirect(HOST_PATH))
  app.get('/_activity', (c) => c.redirect(HOST_PATH))
  app.get(HOST_PATH, (c) => show(c, activity, context))
  app.post(HOST_PATH, (c) => launch(c, activity, context))
  app.get(`${HOST_PATH}assets/:file`, (c) => pageFile(c, c.req.param('file')))
  app.post(`${HOST_PATH}windows`, async (c) => openWindow(c, activity, context))
  app.get(`${HOST_PATH}ready`, async (c) => c.body(null, (await gameAnswers(activity)) ? 204 : 503))
  app.get(`${HOST_PATH}events`, (c) => holdOpen(c))
  app.get(`${HOST_PATH}windows/:window/obstacle`, (c) => showObstacle(c, activity, context))
  app.get(`${HOST_PATH}windows/:window/events`, (c) => listen(c, activity))
  addFrameRoutes(app, activity)
  addPlayerRoutes(app, activity)
  app.onError((error, c) => {
    if (error instanceof EmulatorError) return c.json({ code: error.code, message: error.message }, 400)
    // Nobody reads the answer.
    if (isBrokenOff(error)) return c.body(null, 400)
    throw error
  })
  app.notFound((c) =>
    wantsPage(c)
      ? c.html(nothingDocument({ url: context.url, game: activity.game }), 404, headersOf(activity, context))
      : notFound(c),
  )
  return app
}

/** Messages of games, their end, and the results of dialogs over them. */
function addFrameRoutes(app: Hono, activity: ActivityService): void {
  app.post(`${HOST_PATH}windows/:window/frames/:frame`, async (c) => {
    const frame = activity.host.find(c.req.param('window'))?.frames.get(c.req.param('frame'))
    if (frame === undefined) return notFound(c)
    // Responses are sent on the stream, which keeps their order; some wait for user consent.
    void frame.session.receive(fieldsOf(await readAnyJson(c))['message'])
    return c.body(null, 202)
  })
  app.delete(`${HOST_PATH}windows/:window/frames/:frame`, (c) => {
    const window = activity.host.find(c.req.param('window'))
    if (window === undefined) return notFound(c)
    activity.host.closeFrame(window, c.req.param('frame'))
    return c.body(null, 204)
  })
  app.post(`${HOST_PATH}consents/:consent`, async (c) => {
    const { approve } = fieldsOf(await readAnyJson(c))
    return activity.host.answerConsent(c.req.param('consent'), { isApproved: approve === true })
      ? c.body(null, 204)
      : notFound(c)
  })
  app.post(`${HOST_PATH}dialogs/:dialog`, async (c) =>
    activity.host.dialogs.answer(c.req.param('dialog'), await readAnyJson(c))
      ? c.body(null, 204)
      : notFound(c),
  )
  app.get(`${HOST_PATH}images/:image`, (c) => showImage(c, activity))
}

/** Changes that a person makes on the page. */
function addPlayerRoutes(app: Hono, activity: ActivityService): void {
  app.post(`${HOST_PATH}players`, async (c) => {
    activity.setPlayer(readControlBody(inputs.setPlayer, await readAnyJson(c)))
    return c.body(null, 204)
  })
  app.post(`${HOST_PATH}joins`, async (c) => {
    const { as, secret } = fieldsOf(await readAnyJson(c))
    activity.join({ as: textOf(as) ?? '', secret: textOf(secret) ?? '' })
    return c.body(null, 204)
  })
  addPurchaseRoutes(app, activity)
}

/** Purchases of a player, and what a person does with them: buy, give, refund and cancel. */
function addPurchaseRoutes(app: Hono, activity: ActivityService): void {
  app.get(`${HOST_PATH}purchases`, (c) => c.json(activity.shownPurchases(c.req.query('as') ?? '')))
  app.post(`${HOST_PATH}purchases`, async (c) => {
    const { as, sku, giver } = fieldsOf(await readAnyJson(c))
    activity.purchase({ as: textOf(as) ?? '', sku: textOf(sku) ?? '', giver: textOf(giver) || undefined })
    return c.body(null, 204)
  })
  for (const [path, act] of [
    ['refunds', activity.refund.bind(activity)],
    ['cancellations', activity.cancelSubscription.bind(activity)],
  ] as const)
    app.post(`${HOST_PATH}${path}`, async (c) => {
      act({ entitlement: textOf(fieldsOf(await readAnyJson(c))['entitlement']) ?? '' })
      return c.body(null, 204)
    })
}

function playersOf(list: string, { seed }: EmulatorContext): Player[] {
  return list
    .split(',')
    .flatMap((name) => seed.players.find(({ id, username }) => id === name || username === name) ?? [])
}

function show(c: Context, activity: ActivityService, context: EmulatorContext): Response | Promise<Response> {
  const instanceId = c.req.query('instance_id')
  const { custom_id: customId, referrer_id: referrerId, link_id: linkId } = c.req.query()
  const link = { customId, referrerId, linkId }
  if (instanceId === undefined)
    return c.html(lobbyDocument(activity, context, { link }), 200, headersOf(activity, context))
  const instance = activity.host.instances.find(instanceId)
  const players = playersOf(c.req.query('as') ?? '', context)
  if (instance === undefined || players.length === 0)
    return c.html(overDocument({ url: context.url, game: activity.game }), 404, headersOf(activity, context))
  return c.html(hostDocument({ instance, players, activity, context }), 200, headersOf(activity, context))
}

async function launch(c: Context, activity: ActivityService, context: EmulatorContext): Promise<Response> {
  const form = await readForm(c)
  const as = [form['as'] ?? []].flat().flatMap((name) => (typeof name === 'string' ? name : []))
  try {
    return c.redirect(activity.launch({ as, ...readLaunch(form) }).url, 303)
  } catch (error) {
    if (!(error instanceof EmulatorError)) throw error
    return c.html(
      lobbyDocument(activity, context, { problem: error.message }),
      400,
      headersOf(activity, context),
    )
  }
}

async function openWindow(
  c: Context,
  activity: ActivityService,
  context: EmulatorContext,
): Promise<Response> {
  const { instance_id: instanceId, as } = fieldsOf(await readAnyJson(c))
  const window = activity.host.open(textOf(instanceId) ?? '', playersOf(textOf(as) ?? '', context))
  const base = activity.frameUrl
  if (window === undefined || base === undefined) return notFound(c)
  const frames = [...window.frames.values()].map((frame) => ({
    id: frame.id,
    player: frame.player.id,
    src: launchUrl(base, frame, window.instance),
  }))
  return c.json({ window: window.id, origin: new URL(base).origin, frames })
}

/** Checked before a page launches again by itself: a game that starts more slowly than the emulator would stay silent. */
async function gameAnswers({ game }: ActivityService): Promise<boolean> {
  const answer = game === undefined ? undefined : await fetch(game, { method: 'HEAD' }).catch(() => undefined)
  return answer !== undefined && answer.status < 500
}

/** Fields of the launch form; an empty one is absent. */
function readLaunch(form: Record<string, unknown>) {
  const field = (name: string) => textOf(form[name]) || undefined
  const platform = form['platform'] === 'mobile' ? ('mobile' as const) : ('desktop' as const)
  return {
    channel: field('channel'),
    customId: field('custom_id'),
    linkId: field('link_id'),
    referrerId: field('referrer_id'),
    platform,
  }
}

/** Images are the players' own files: any page may show them, and none runs them. */
function showImage(c: Context, { host }: ActivityService): Response {
  const image = host.images.find(c.req.param('image') ?? '')
  if (image === undefined) return notFound(c)
  const headers = {
    'Content-Type': image.type,
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'X-Content-Type-Options': 'nosniff',
  }
  return c.body(new Uint8Array(image.bytes), 200, headers)
}

/** Explains to the page why a frame may be silent. Only the chat may frame the page. */
async function showObstacle(
  c: Context,
  activity: ActivityService,
  { url }: EmulatorContext,
): Promise<Response> {
  const { host, origin: hostOrigin, game, frameUrl } = activity
  if (host.find(c.req.param('window') ?? '') === undefined || hostOrigin === undefined || !game || !frameUrl)
    return notFound(c)
  const chat = c.req.query('framed') === undefined ? undefined : url
  const obstacle = await findFrameProblem({
    game: new URL(game),
    host: hostOrigin,
    frame: new URL(frameUrl).origin,
    chat,
  })
  return c.json({ obstacle: obstacle ?? null })
}

/** Stream without events: the launch page sees by its end that the emulator has stopped. */
function holdOpen(c: Context): Response {
  return streamSSE(c, async (stream) => {
    await new Promise<void>((resolve) => {
      stream.onAbort(resolve)
      void stream.writeSSE({ event: 'open', data: '' })
    })
  })
}

/** One stream for all frames of a page: browsers limit connections per host. */
function listen(c: Context, activity: ActivityService): Response | Promise<Response> {
  const window = activity.host.find(c.req.param('window') ?? '')
  if (window === undefined || window.listening) return notFound(c)
  return streamSSE(c, async (stream) => {
    await new Promise<void>((resolve) => {
      stream.onAbort(() => {
        activity.host.closeWindow(window)
        resolve()
      })
      void stream.writeSSE({ event: 'open', data: '' })
      window.listen((data) => void stream.writeSSE({ data: JSON.stringify(data) }), resolve)
    })
  })
}

/** The same by WebSocket: a stream takes one of the six connections that a browser opens to this host. */
function listenBySocket(request: IncomingMessage, socket: Duplex, activity: ActivityService): void {
  const [, id = ''] = WINDOW_EVENTS.exec(request.url ?? '') ?? []
  const window = activity.host.find(id)
  const isForeign = foreignRule(request, { hosts: hostsOf(activity) }) !== undefined
  if (isForeign || window === undefined || window.listening) return void socket.destroy()
  const pushed = acceptPushSocket(request, socket, () => activity.host.closeWindow(window))
  if (pushed !== undefined) window.listen((data) => pushed.send(JSON.stringify(data)), pushed.end)
}

/** Policy: the page runs only its own script, frames only the game, and is framed only by the emulator. */
function headersOf(
  { origin, frameUrl, proxied }: ActivityService,
  { url, port }: EmulatorContext,
): Record<string, string> {
  const own = `${origin}${HOST_PATH}`
  const frames = proxied === undefined && frameUrl !== undefined ? new URL(frameUrl).origin : "'self'"
  const policy = [
    "default-src 'none'",
    `script-src ${own}assets/`,
    `style-src ${own}assets/`,
    `img-src ${url}`,
    `connect-src ${own} ${own.replace('http', 'ws')}`,
    `frame-src ${frames}`,
    `frame-ancestors ${url} http://localhost:${port}`,
    "form-action 'self'",
    "base-uri 'none'",
  ]
  return {
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  }
}

function launchUrl(base: string, { id, extras }: Pick<Frame, 'id' | 'extras'>, instance: Instance): string {
  const { guildId, channelId } = instance.location
  const parameters = {
    instance_id: instance.id,
    frame_id: id,
    platform: extras.platform ?? 'desktop',
    channel_id: channelId,
    guild_id: guildId,
    location_id: locationId(instance.location),
    custom_id: extras.customId,
    referrer_id: extras.referrerId,
  }
  const url = new URL(base)
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

interface Framing {
  /** URL of the game. */
  game: URL
  /** Origin of the host page, which frames the game. */
  host: string
  /** Origin from which the frame loads the game. */
  frame: string
  /** Origin of the chat page, if that frames the host page: browsers ask the game to admit each page around it. */
  chat?: string | undefined
}

/** Milliseconds. A local server responds sooner, or not at all. */
const PATIENCE = 3000

/** One sentence on what prevents framing, and what to do; undefined if the server's response shows no problem. */
async function findFrameProblem(framing: Framing): Promise<string | undefined> {
  const { game } = framing
  const answer = await fetch(game, {
    signal: AbortSignal.timeout(PATIENCE),
    headers: { accept: 'text/html' },
  }).catch(() => undefined)
  await answer?.body?.cancel()
  if (answer === undefined)
    return `Nothing answers at ${game.origin}. Start the game’s own server, or set the address of the game anew.`
  if (!answer.ok)
    return `The game’s server answers ${answer.status} for ${game.href}. Check the address of the game.`
  return framingProblem(answer.headers, framing)
}

function framingProblem(headers: Headers, { game, host, frame, chat }: Framing): string | undefined {
  const ancestors = /(?:^|;)\s*frame-ancestors\s+([^;]*)/i.exec(
    headers.get('content-security-policy') ?? '',
  )?.[1]
  const around = chat === undefined ? [host] : [host, chat]
  const allow = `Let ${around.join(' and ')} frame it.`
  if (ancestors !== undefined)
    return around.every((page) => admits(ancestors, { host: page, frame }))
      ? undefined
      : `The game’s Content-Security-Policy forbids this page to frame it. ${allow}`
  const option = headers.get('x-frame-options')?.trim().toLowerCase()
  if (option === 'deny' || (option === 'sameorigin' && around.some((page) => page !== frame)))
    return `The game’s X-Frame-Options header forbids this page to frame ${game.origin}. ${allow}`
  return undefined
}

/** Matches a CSP source list leniently: a wrong warning would mislead more than none. */
function admits(sources: string, { host, frame }: Pick<Framing, 'host' | 'frame'>): boolean {
  const words = sources.trim().toLowerCase().split(/\s+/)
  const fits = (word: string) =>
    word === '*' ||
    word === 'http:' ||
    (word.includes('localhost:*') && host.includes('//localhost')) ||
    host === word.replace(/\/$/, '')
  return words.some(fits) || (words.includes("'self'") && host === frame)
}
