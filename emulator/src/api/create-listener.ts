/** Receives every request: checks where it comes from, sets the headers that all responses share, and routes it. */
import { ApiError, answerApiError } from '../check/api-error.js'
import { notFoundAnywhere } from '../pages/documents/not-found-anywhere.js'
import type { AccountService } from '../service/accounts/account-service.js'
import type { ActivityService } from '../service/activity/activity-service.js'
import { applyFault } from '../service/faults/apply-fault.js'
import type { Faults } from '../service/faults/faults.js'
import type { Gateway } from '../service/gateway/gateway.js'
import type { InteractionService } from '../service/interactions/interaction-service.js'
import type { LocalPrograms } from '../service/local-program/local-programs.js'
import type { Limits } from '../service/limits/limits.js'
import type { EmulatorContext } from '../state/emulator-context.js'
import type { Application } from '../state/seed/seed.js'
import { createCommands } from './commands/create-commands.js'
import type { Controls } from './control/control-table.js'
import { createControl } from './control/create-control.js'
import { createGatewayRoutes } from './gateway/create-gateway-routes.js'
import { LOBBY_STREAM_PATH, createLobbyStream } from './lobbies/create-lobby-stream.js'
import { createLobbies } from './lobbies/create-player-routes.js'
import { createInstall } from './oauth/create-install.js'
import { createOauthRoutes, oauthApiPaths } from './oauth/create-oauth-routes.js'
import { createSignIn } from './oauth/create-sign-in.js'
import { createAuthenticate, setCaller, type Authenticate } from './request/caller.js'
import { allowAnyOrigin, answerPreflight } from './request/cors.js'
import {
  logRequest,
  playerSender,
  setLimitUses,
  setSender,
  type ReceivedRequest,
} from './request/log-request.js'
import { blockAtEdge, countAtEdge, createRateLimiter, type RateLimiter } from './request/rate-limiter.js'
import { isBrokenOff, refuseEmptyJson } from './request/read-json.js'
import { foreignRule, refuseForeign, type Checks } from './request/refuse-foreign.js'
import type { RequestLog } from './request/request-log.js'
import { createAccountRoutes } from './routes/create-account-routes.js'
import { createActivityRoutes } from './routes/create-activity-routes.js'
import { createApi } from './routes/create-api.js'
import { createChat, type ChangeNotifier } from './routes/create-chat.js'
import { createGuildRoutes } from './routes/create-guild-routes.js'
import { createAttachmentRoutes, createInteractionRoutes } from './routes/create-interaction-routes.js'
import { createSharingRoutes } from './routes/create-sharing-routes.js'
import { createInviteRoutes } from './routes/create-invite-routes.js'
import { createAssets, createIndexPageRoute, createInspector } from './routes/create-pages.js'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'

interface Services {
  provider: Provider
  accountService: AccountService
  log: RequestLog
  faults: Faults
  limits: Limits
  activity: ActivityService
  programs: LocalPrograms
  interactions: InteractionService
  gateway: Gateway
  notifier: ChangeNotifier
  controls: Controls
  pageHeaders: Record<string, string>
}

type Bindings = { Bindings: HttpBindings }
type Listener = (request: IncomingMessage, response: ServerResponse) => void

const API = '/api/v10'
const BROKEN = { message: '500: Internal Server Error', code: 0 }

export function createListener(context: EmulatorContext, services: Services): Listener {
  const app = createApp(context, services)
  // One with `*` is passed on the way to a route.
  services.faults.learnRoutes(app.routes.flatMap(({ path }) => (path.includes('*') ? [] : [path])))
  const handle = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  return (request, response) => {
    request.url = plainTarget(request.url ?? '/')
    const path = URL.parse(request.url, context.url)?.pathname ?? '/'
    const received: ReceivedRequest = { path, log: services.log, at: context.clock.now() }
    // Not on pages: browsers compute a cookie's lifetime from the `Date` header, and cookies follow the machine's clock.
    if (isApi(path) || isControl(path)) response.setHeader('Date', new Date(received.at).toUTCString())
    if (!isControl(path)) logRequest(request, response, received)
    const checks = checksFor(path, context)
    const foreign = checks && foreignRule(request, checks)
    if (checks && foreign !== undefined)
      return refuseForeign(response, { rule: foreign, hosts: checks.hosts })
    if (isApi(path)) {
      allowAnyOrigin(response)
      if (blockAtEdge(request, response, services.limits)) return
      response.once('close', () => countAtEdge(request, response, services.limits))
    } else if (path === LOBBY_STREAM_PATH) {
      allowAnyOrigin(response)
    } else if (path.startsWith('/oauth2/') || path === '/activate' || path.startsWith('/activate/')) {
      setPageHeaders(response, services.pageHeaders)
    }
    const proceed = () => void handle(request, response)
    received.effect = isControl(path) ? undefined : services.faults.take(request.method ?? '', path)
    if (received.effect === undefined) proceed()
    else void applyFault(received.effect, response, proceed)
  }
}

function isControl(path: string): boolean {
  return path.startsWith('/_emulator/')
}

/** Returns undefined for public paths. */
function checksFor(path: string, { hosts, controlHosts }: EmulatorContext): Checks | undefined {
  if (isControl(path)) return { hosts: controlHosts, proof: 'token', onlyLocal: true }
  return isPublic(path) ? undefined : { hosts }
}

/** True for paths that pages of any origin may load: the API, whose callers authenticate with tokens, and pictures. */
function isPublic(path: string): boolean {
  return (
    isApi(path) ||
    path === LOBBY_STREAM_PATH ||
    path.startsWith('/avatars/') ||
    path.startsWith('/embed/avatars/') ||
    path.startsWith('/assets/')
  )
}

function isApi(path: string): boolean {
  return path.startsWith('/api/') || path.startsWith('/.well-known/')
}

function answerError(error: Error, c: Context<Bindings>): Response {
  if (error instanceof ApiError) return answerApiError(c, error)
  // Nobody reads the answer.
  if (isBrokenOff(error)) return c.body(null, 400)
  console.error(error)
  return c.json(BROKEN, 500)
}

function createApp(context: EmulatorContext, services: Services): Hono<Bindings> {
  const {
    provider,
    accountService,
    log,
    activity,
    programs,
    interactions,
    gateway,
    notifier,
    controls,
    limits,
  } = services
  const app = new Hono<Bindings>()
  const authenticate = createAuthenticate(context, provider)
  for (const root of ['/api/*', '/.well-known/*', LOBBY_STREAM_PATH])
    app.options(root, (c) => answerPreflight(c, context))
  app.use(
    `${API}/*`,
    identifyAndLimit(authenticate, createRateLimiter(limits, context.clock), context.seed.application),
    refuseEmptyJson,
  )
  app.route('/', createLobbyStream(context, authenticate))
  app.route('/', createOauthRoutes(provider, API))
  app.route('/', createControl(context, { log, controls, programs }))
  app.route(API, createApi(context, interactions))
  app.route(API, createGatewayRoutes(gateway))
  app.route(
    API,
    createGuildRoutes(context, (guild, user) => activity.host.stores.profiles.nickname(guild, user)),
  )
  app.route(API, createAccountRoutes(context, { provider, accountService }).hono)
  app.route(API, createCommands(context).hono)
  app.route(API, createLobbies(context).hono)
  app.route('/', createChat({ context, activity, programs, interactions }, notifier))
  app.route(API, createInteractionRoutes(context, interactions).hono)
  app.route('/', createAttachmentRoutes(interactions.attachments))
  app.route(API, createActivityRoutes(context, activity))
  app.route(API, createSharingRoutes(context, { attachments: interactions.attachments, activity }))
  app.route('/oauth2/sign-in', createSignIn(context, provider))
  app.route('/', createInstall(context))
  app.route('/', createInviteRoutes(context))
  app.route('/', createIndexPageRoute(context, activity))
  app.route('/', createInspector(context.seed.application.name, activity))
  app.route('/', createAssets(context))
  app.route(API, createUnservedRoutes())
  for (const path of oauthApiPaths)
    app.all(API + path, (c) => c.json({ message: '405: Method Not Allowed', code: 0 }, 405))
  app.notFound(notFoundAnywhere)
  app.onError(answerError)
  return app
}

/** Authenticates a request of the API once, for its limits and its handlers, and responds if a limit is exhausted. */
function identifyAndLimit(
  authenticate: Authenticate,
  applyLimits: RateLimiter,
  { name }: Pick<Application, 'name'>,
): MiddlewareHandler<Bindings> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env
    const caller = await authenticate(c.req.header('authorization'))
    setCaller(c, caller)
    if (caller.kind === 'player') setSender(incoming, playerSender(caller.player))
    else if (caller.kind !== 'unknown')
      setSender(incoming, { kind: caller.kind, id: caller.applicationId, name })
    const { pathname } = new URL(c.req.url)
    const { open, uses } = applyLimits({
      route: `${c.req.method} ${pathname.slice(API.length)}`,
      caller,
      response: outgoing,
    })
    setLimitUses(incoming, uses)
    if (!open) return RESPONSE_ALREADY_SENT
    await next()
    return undefined
  }
}

/**
 * URLs of these pages contain one-time values: no caching, and no referrer to other origins. `no-referrer` would also remove the Origin
 * header of forms.
 */
function setPageHeaders(response: ServerResponse, extra: Record<string, string>): void {
  const headers = {
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    ...extra,
  }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}

/** Rewrites `%40me` to `@me`, and `/api/` without a version to the current version. Expects and returns a request target. */
function plainTarget(target: string): string {
  const [path = '', ...query] = target.split('?')
  const plain = path.replaceAll('%40', '@').replace(/^\/api\/(?!v\d)/, '/api/v10/')
  return [plain, ...query].join('?')
}

const APPLICATION = '/applications/:application'

/** Paths, and what the service does there. */
const UNSERVED: readonly [methods: string[], path: string, what: string][] = [
  [['PATCH'], '/applications/@me', 'changes the settings of the application'],
  [
    ['GET', 'PUT', 'DELETE'],
    `/users/@me${APPLICATION}/role-connection`,
    "reads or writes the player's data for linked roles",
  ],
  [['GET', 'PUT'], `${APPLICATION}/role-connections/metadata`, 'reads or writes the fields of linked roles'],
  [['GET'], '/users/@me/connections', 'lists the accounts that the player has connected'],
  [
    ['PUT'],
    '/partner-sdk/dms/:first/:second/messages/:message/moderation-metadata',
    'moderates a direct message: the emulator has none, moderate messages of lobbies',
  ],
]

function createUnservedRoutes(): Hono {
  const routes = new Hono()
  // Libraries end some of these addresses with a slash.
  for (const [methods, path, what] of UNSERVED)
    routes.on(methods, [path, `${path}/`], (c) => {
      throw notEmulated(`${c.req.method} ${path.replaceAll(/:(\w+)/g, '<$1>')} ${what}`)
    })
  return routes
}

function notEmulated(what: string): ApiError {
  const message = `The emulator does not emulate this endpoint. The service ${what.replace(/^\S+ \S+ /, '')}.`
  return new ApiError({ status: 501, code: 0, message, rule: `not emulated: ${what}` })
}
