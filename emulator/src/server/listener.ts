/** The front door: takes every request, sets the headers all answers share, and sends it to the room it is for. */
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { createActivityRoutes } from '../activity/routes.js'
import type { ActivityService } from '../activity/activity-service.js'
import { createCommands } from '../commands/routes.js'
import { createApi } from './users-api.js'
import { logRequest, type ReceivedRequest } from './log-request.js'
import { createAssets } from './assets.js'
import { createAuthenticate, type Authenticate } from '../auth/authenticate.js'
import { createInteractionControl } from './control-interactions.js'
import { createCommandControl } from './control-commands.js'
import { createControl, type Controls } from './control.js'
import { allowAnyOrigin, answerPreflight } from '../api/cors.js'
import { createEventStream } from './event-stream.js'
import { foreignRule, type Checks } from '../api/foreign-request.js'
import { createIndexPageRoute } from './index-page-route.js'
import { createInstall, isInstallRequest } from './install.js'
import { plainTarget } from '../api/plain-path.js'
import { notFoundAnywhere, refuseForeign } from '../api/refuse.js'
import type { RequestLog } from './request-log.js'
import { createSignIn } from './consent-routes.js'
import type { ChangeNotifier } from '../chat/change-notifier.js'
import { createChat } from '../chat/routes.js'
import type { InteractionService } from '../interactions/interaction-service.js'
import { createAttachmentRoutes } from '../interactions/attachment-routes.js'
import { createInteractionRoutes } from '../interactions/routes.js'
import type { Faults } from '../faults/faults.js'
import { applyFault } from '../faults/apply-fault.js'
import type { AccountService } from '../accounts/account-service.js'
import { blockAtEdge, countAtEdge, createRateLimitMiddleware, type RateLimitMiddleware } from '../limits/middleware.js'
import type { Limits } from '../limits/limits.js'
import { createLobbies } from '../lobbies/routes.js'
import { createAccountRoutes } from '../accounts/routes.js'
import type { EmulatorContext } from '../context/context.js'

export interface Services {
  provider: Provider
  accountService: AccountService
  log: RequestLog
  faults: Faults
  limits: Limits
  activity: ActivityService
  interactions: InteractionService
  notifier: ChangeNotifier
  controls: Controls
  pageHeaders: Record<string, string>
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const api = '/api/v10'
const broken = { message: '500: Internal Server Error', code: 0 }
const oauthPaths = /^(?:\/oauth2\/authorize(?:\/[\w-]+)?|\/activate(?:\/[\w-]+)?|\/\.well-known\/[\w-]+)$/
const oauthApi: Record<string, string[]> = {
  [`${api}/oauth2/token`]: ['POST'],
  [`${api}/oauth2/token/revoke`]: ['POST'],
  [`${api}/oauth2/device/authorize`]: ['POST'],
  [`${api}/oauth2/keys`]: ['GET', 'HEAD'],
  [`${api}/oauth2/userinfo`]: ['GET', 'POST', 'HEAD'],
}

export function createListener(context: EmulatorContext, rooms: Services): Listener {
  const authenticate = createAuthenticate(context, rooms.provider)
  const enter = applyLimits(
    createRateLimitMiddleware({ limits: rooms.limits, authenticate, clock: context.clock }),
    createDispatch(context, rooms, authenticate),
  )
  return (request, response) => {
    request.url = plainTarget(request.url ?? '/')
    const url = URL.parse(request.url, context.url)
    const path = url?.pathname ?? '/'
    const arrival: ReceivedRequest = { path, log: rooms.log, at: context.clock.now() }
    // Not on pages: browsers count a cookie's life from the `Date` that came with it, and cookies live by the machine's clock.
    if (isApi(path) || isControl(path)) response.setHeader('Date', new Date(arrival.at).toUTCString())
    if (!isControl(path)) logRequest(request, response, arrival)
    const checks = checksFor(path, context)
    const foreign = checks && foreignRule(request, checks)
    if (checks && foreign !== undefined) return refuseForeign(response, { rule: foreign, hosts: checks.hosts })
    if (isApi(path)) {
      allowAnyOrigin(response)
      if (blockAtEdge(request, response, rooms.limits)) return
      response.once('close', () => countAtEdge(request, response, rooms.limits))
    } else if (path.startsWith('/oauth2/') || path === '/activate' || path.startsWith('/activate/')) {
      setPageHeaders(response, rooms.pageHeaders)
    }
    const proceed = () => enter({ request, response, url }, arrival)
    arrival.effect = isControl(path) ? undefined : rooms.faults.take(request.method ?? '', path)
    if (arrival.effect === undefined) proceed()
    else void applyFault(arrival.effect, response, proceed)
  }
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  url: URL | null
}

/** The API lies behind the limits; everything else does not. */
function applyLimits(gate: RateLimitMiddleware, dispatch: (visit: Exchange) => void) {
  return (visit: Exchange, arrival: ReceivedRequest): void => {
    const { request, response } = visit
    if (!arrival.path.startsWith(`${api}/`) || request.method === 'OPTIONS') return dispatch(visit)
    gate(request, response, arrival.path.slice(api.length)).then(
      ({ open, uses }) => {
        arrival.uses = uses
        return open ? dispatch(visit) : undefined
      },
      (error: unknown) => {
        console.error(error)
        response.writeHead(500, { 'Content-Type': 'application/json' }).end(JSON.stringify(broken))
      },
    )
  }
}

function createDispatch(context: EmulatorContext, rooms: Services, authenticate: Authenticate) {
  const oauth = rooms.provider.callback()
  const pages = getRequestListener(createApp(context, rooms, authenticate).fetch, { overrideGlobalObjects: false })
  return ({ request, response, url }: Exchange): void => {
    const path = url?.pathname ?? '/'
    const install = path === '/oauth2/authorize' && url !== null && isInstallRequest(url.searchParams)
    if (path === authorizeCheck) return void oauth(asAuthorize(request, url?.search ?? ''), response)
    const isOauth = !install && (oauthPaths.test(path) || oauthApi[path]?.includes(request.method ?? '') === true)
    if (isApi(path) && request.method === 'OPTIONS') answerPreflight(request, response)
    else if (isOauth) void oauth(request, response)
    else void pages(request, response)
  }
}

/**
 * The authorize request without its page: a game asks beside its popup whether that shows a refusal. It needs no cookie, and the player
 * answers nothing here.
 */
const authorizeCheck = '/.well-known/authorize-check'

function asAuthorize(request: IncomingMessage, search: string): IncomingMessage {
  request.url = `/oauth2/authorize${search}`
  request.headers.accept = 'application/json'
  return request
}

function isControl(path: string): boolean {
  return path.startsWith('/_emulator/')
}

/** Undefined for what is open to all. */
function checksFor(path: string, { hosts, controlHosts }: EmulatorContext): Checks | undefined {
  if (isControl(path)) return { hosts: controlHosts, proof: 'token', onlyLocal: true }
  return isPublic(path) ? undefined : { hosts }
}

/** What pages of any origin may load: the API, whose callers prove themselves by tokens, and pictures. */
function isPublic(path: string): boolean {
  return isApi(path) || path.startsWith('/avatars/') || path.startsWith('/assets/')
}

function isApi(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/.well-known/')
}

function createApp(
  context: EmulatorContext,
  { provider, accountService, log, activity, interactions, notifier, controls }: Services,
  authenticate: Authenticate,
): Hono {
  const app = new Hono()
  app.route('/', createControl(context, log, controls))
  app.route('/', createCommandControl(context))
  app.route('/', createInteractionControl(interactions))
  app.route('/', createEventStream(context))
  app.route(api, createApi(context, authenticate))
  app.route(api, createAccountRoutes(context, { provider, authenticate, accountService }))
  app.route(api, createCommands(context, authenticate))
  app.route(api, createLobbies(context, authenticate))
  app.route('/', createChat({ context, activity, interactions }, notifier))
  app.route(api, createInteractionRoutes(context, interactions))
  app.route('/', createAttachmentRoutes(interactions.attachments))
  app.route(api, createActivityRoutes(context, { activity, authenticate }))
  app.route('/oauth2/sign-in', createSignIn(context, provider))
  app.route('/', createInstall(context))
  app.route('/', createIndexPageRoute(context, activity))
  app.route('/', createAssets(context))
  for (const path of Object.keys(oauthApi)) app.all(path, (c) => c.json({ message: '405: Method Not Allowed', code: 0 }, 405))
  app.notFound(notFoundAnywhere)
  app.onError((error, c) => {
    console.error(error)
    return c.json(broken, 500)
  })
  return app
}

/** Addresses of these pages hold one-time values: they are neither stored nor passed on. Without a referrer a form has no origin either. */
function setPageHeaders(response: ServerResponse, extra: Record<string, string>): void {
  const headers = { 'Referrer-Policy': 'same-origin', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', ...extra }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
