/** The front door: takes every request, sets the headers all answers share, and sends it to the room it is for. */
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { createActivityRoutes } from '../activity/routes.js'
import type { Stage } from '../activity/stage.js'
import { createCommands } from '../commands/routes.js'
import { createApi } from './api.js'
import { createAssets } from './assets.js'
import { createAuthenticate } from './authenticate.js'
import { createCommandControl } from './control-commands.js'
import { createControl, type Controls } from './control.js'
import { allowAnyOrigin, answerPreflight } from './cors.js'
import { createEventStream } from './event-stream.js'
import { createInstall, isInstallRequest } from './install.js'
import { notFound } from './refuse.js'
import type { RequestLog } from './request-log.js'
import { createSignIn } from './sign-in.js'
import type { FaultEffect } from '../faults/fault-rule.js'
import type { Faults } from '../faults/faults.js'
import { markOf, suffer } from '../faults/suffer.js'
import type { Partner } from '../partner/partner.js'
import { createPartnerRoutes } from '../partner/routes.js'
import type { Service } from '../service.js'

export interface Rooms {
  provider: Provider
  partner: Partner
  log: RequestLog
  faults: Faults
  stage: Stage
  controls: Controls
  pageHeaders: Record<string, string>
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const api = '/api/v10'
const oauthPaths = /^(?:\/oauth2\/authorize(?:\/[\w-]+)?|\/activate(?:\/[\w-]+)?|\/\.well-known\/[\w-]+)$/
const oauthApi: Record<string, string[]> = {
  [`${api}/oauth2/token`]: ['POST'],
  [`${api}/oauth2/token/revoke`]: ['POST'],
  [`${api}/oauth2/device/authorize`]: ['POST'],
  [`${api}/oauth2/keys`]: ['GET', 'HEAD'],
  [`${api}/oauth2/userinfo`]: ['GET', 'POST', 'HEAD'],
}

export function createListener(service: Service, rooms: Rooms): Listener {
  const dispatch = createDispatch(service, rooms)
  return (request, response) => {
    const url = URL.parse(request.url ?? '/', service.url)
    const path = url?.pathname ?? '/'
    const effect = path.startsWith('/_emulator/') ? undefined : rooms.faults.take(request.method ?? '', path)
    response.setHeader('Date', new Date(service.clock.now()).toUTCString())
    if (!path.startsWith('/_emulator/')) record(request, response, { path, log: rooms.log, at: service.clock.now(), effect })
    if (isApi(path)) allowAnyOrigin(response)
    else if (path.startsWith('/oauth2/') || path === '/activate' || path.startsWith('/activate/'))
      setPageHeaders(response, rooms.pageHeaders)
    const proceed = () => dispatch(request, response, url)
    if (effect === undefined) proceed()
    else void suffer(effect, response, proceed)
  }
}

function createDispatch(service: Service, rooms: Rooms) {
  const oauth = rooms.provider.callback()
  const pages = getRequestListener(createApp(service, rooms).fetch, { overrideGlobalObjects: false })
  return (request: IncomingMessage, response: ServerResponse, url: URL | null): void => {
    const path = url?.pathname ?? '/'
    const install = path === '/oauth2/authorize' && url !== null && isInstallRequest(url.searchParams)
    const isOauth = !install && (oauthPaths.test(path) || oauthApi[path]?.includes(request.method ?? '') === true)
    if (isApi(path) && request.method === 'OPTIONS') answerPreflight(request, response)
    else if (isOauth) void oauth(request, response)
    else void pages(request, response)
  }
}

function isApi(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/.well-known/')
}

function createApp(service: Service, { provider, partner, log, stage, controls }: Rooms): Hono {
  const app = new Hono()
  app.route('/', createControl(service, log, controls))
  app.route('/', createCommandControl(service))
  app.route('/', createEventStream(service))
  const authenticate = createAuthenticate(service, provider)
  app.route(api, createApi(service, authenticate))
  app.route(api, createPartnerRoutes(service, { provider, authenticate, partner }))
  app.route(api, createActivityRoutes(service, { stage, authenticate }))
  app.route(api, createCommands(service, provider))
  app.route('/oauth2/sign-in', createSignIn(service, provider))
  app.route('/', createInstall(service))
  app.route('/', createAssets(service))
  for (const path of Object.keys(oauthApi)) app.all(path, (c) => c.json({ message: '405: Method Not Allowed', code: 0 }, 405))
  app.notFound(notFound)
  app.onError((error, c) => {
    console.error(error)
    return c.json({ message: '500: Internal Server Error', code: 0 }, 500)
  })
  return app
}

/** Addresses of these pages hold one-time values: they are neither stored nor passed on. */
function setPageHeaders(response: ServerResponse, extra: Record<string, string>): void {
  const headers = { 'Referrer-Policy': 'no-referrer', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', ...extra }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

interface Arrival {
  path: string
  log: RequestLog
  at: number
  effect: FaultEffect | undefined
}

function record(request: IncomingMessage, response: ServerResponse, { path, log, at, effect }: Arrival): void {
  const started = performance.now()
  const fault = effect && markOf(effect)
  response.once('close', () => {
    const rule = response.getHeader('x-emulator-rule')
    log.add({
      method: request.method ?? '',
      path,
      status: response.headersSent || fault === 'answer_lost' ? response.statusCode : 0,
      ms: Math.round((performance.now() - started) * 10) / 10,
      at,
      ...(rule === undefined ? {} : { rule: String(rule) }),
      ...(fault === undefined ? {} : { fault }),
    })
  })
}
