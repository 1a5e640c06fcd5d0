/** Receives every request: checks where it comes from, sets the headers that all responses share, and routes it. */
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { createActivityRoutes } from '../activity/create-activity-routes.js'
import type { ActivityService } from '../activity/activity-service.js'
import { createCommands } from '../commands/create-commands.js'
import { createApi } from './create-api.js'
import { logRequest, setLimitUses, setPlayer, type ReceivedRequest } from './log-request.js'
import { createAssets } from './create-assets.js'
import { createAuthenticate, type Authenticate } from '../auth/authenticate.js'
import { setCaller } from '../auth/caller.js'
import { createInviteRoutes } from './create-invite-routes.js'
import { createGuildRoutes } from './create-guild-routes.js'
import { createInspectorControl } from './create-inspector-control.js'
import { createInspector } from '../inspector/create-inspector.js'
import { createInteractionControl } from './create-interaction-control.js'
import { createCommandControl } from './create-command-control.js'
import { createSnapshotControl } from './create-snapshot-control.js'
import { createControl, type Controls } from './create-control.js'
import { createEventControl } from './create-event-control.js'
import { allowAnyOrigin, answerPreflight } from '../api/cors.js'
import { createEventStream } from './create-event-stream.js'
import { foreignRule, refuseForeign, type Checks } from '../api/refuse-foreign.js'
import { createIndexPageRoute } from './index-page-route.js'
import { createInstall } from './create-install.js'
import { createOauthRoutes, oauthApiPaths } from './create-oauth-routes.js'
import { refuseEmptyJson } from '../api/read-json.js'
import { plainTarget } from '../api/plain-target.js'
import { answerApiError, ApiError } from '../api/api-error.js'
import { isBrokenOff } from '../foundation/is-broken-off.js'
import { notFoundAnywhere } from '../pages/not-found-anywhere.js'
import type { RequestLog } from './request-log.js'
import { createUnservedRoutes } from './create-unserved-routes.js'
import { createSignIn } from './create-sign-in.js'
import type { ChangeNotifier } from '../chat/change-notifier.js'
import { createChat } from '../chat/create-chat.js'
import type { InteractionService } from '../interactions/interaction-service.js'
import { createAttachmentRoutes } from '../interactions/create-attachment-routes.js'
import { createInteractionRoutes } from '../interactions/create-interaction-routes.js'
import type { Faults } from '../faults/faults.js'
import { applyFault } from '../faults/apply-fault.js'
import type { AccountService } from '../accounts/account-service.js'
import { blockAtEdge, countAtEdge, createRateLimiter, type RateLimiter } from '../limits/rate-limiter.js'
import type { Limits } from '../limits/limits.js'
import { createLobbies } from '../lobbies/create-lobbies.js'
import { createLobbyStream, LOBBY_STREAM_PATH } from '../lobbies/create-lobby-stream.js'
import { createAccountRoutes } from '../accounts/create-account-routes.js'
import type { EventControls } from '../webhooks/event-controls.js'
import type { EmulatorContext } from '../context/emulator-context.js'

export interface Services {
  provider: Provider
  accountService: AccountService
  log: RequestLog
  faults: Faults
  limits: Limits
  activity: ActivityService
  interactions: InteractionService
  webhooks: EventControls
  notifier: ChangeNotifier
  controls: Controls
  pageHeaders: Record<string, string>
}

type Bindings = { Bindings: HttpBindings }
type Listener = (request: IncomingMessage, response: ServerResponse) => void

const API = '/api/v10'
const BROKEN = { message: '500: Internal Server Error', code: 0 }

export function createListener(context: EmulatorContext, services: Services): Listener {
  const handle = getRequestListener(createApp(context, services).fetch, { overrideGlobalObjects: false })
  return (request, response) => {
    request.url = plainTarget(request.url ?? '/')
    const path = URL.parse(request.url, context.url)?.pathname ?? '/'
    const received: ReceivedRequest = { path, log: services.log, at: context.clock.now() }
    // Not on pages: browsers compute a cookie's lifetime from the `Date` header, and cookies follow the machine's clock.
    if (isApi(path) || isControl(path)) response.setHeader('Date', new Date(received.at).toUTCString())
    if (!isControl(path)) logRequest(request, response, received)
    const checks = checksFor(path, context)
    const foreign = checks && foreignRule(request, checks)
    if (checks && foreign !== undefined) return refuseForeign(response, { rule: foreign, hosts: checks.hosts })
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
  const { provider, accountService, log, activity, interactions, webhooks, notifier, controls, limits } = services
  const app = new Hono<Bindings>()
  const authenticate = createAuthenticate(context, provider)
  for (const root of ['/api/*', '/.well-known/*', LOBBY_STREAM_PATH]) app.options(root, (c) => answerPreflight(c, context))
  app.use(`${API}/*`, identifyAndLimit(authenticate, createRateLimiter(limits, context.clock)), refuseEmptyJson)
  app.route('/', createLobbyStream(context, authenticate))
  app.route('/', createOauthRoutes(provider, API))
  app.route('/', createControl(context, log, controls))
  app.route('/', createCommandControl(context))
  app.route('/', createInteractionControl(interactions))
  app.route('/', createEventControl(webhooks))
  app.route('/', createEventStream(context))
  app.route('/', createInspectorControl(context, log, controls))
  app.route('/', createSnapshotControl(controls))
  app.route(API, createApi(context))
  app.route(API, createGuildRoutes(context))
  app.route(API, createAccountRoutes(context, { provider, accountService }))
  app.route(API, createCommands(context))
  app.route(API, createLobbies(context))
  app.route('/', createChat({ context, activity, interactions }, notifier))
  app.route(API, createInteractionRoutes(context, interactions))
  app.route('/', createAttachmentRoutes(interactions.attachments))
  app.route(API, createActivityRoutes(context, activity))
  app.route('/oauth2/sign-in', createSignIn(context, provider))
  app.route('/', createInstall(context))
  app.route('/', createInviteRoutes(context))
  app.route('/', createIndexPageRoute(context, activity))
  app.route('/', createInspector(context.seed.application.name, activity))
  app.route('/', createAssets(context))
  app.route(API, createUnservedRoutes())
  for (const path of oauthApiPaths) app.all(API + path, (c) => c.json({ message: '405: Method Not Allowed', code: 0 }, 405))
  app.notFound(notFoundAnywhere)
  app.onError(answerError)
  return app
}

/** Authenticates a request of the API once, for its limits and its handlers, and responds if a limit is exhausted. */
function identifyAndLimit(authenticate: Authenticate, applyLimits: RateLimiter): MiddlewareHandler<Bindings> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env
    const caller = await authenticate(c.req.header('authorization'))
    setCaller(c, caller)
    if (caller.kind === 'player') setPlayer(incoming, caller.player.username)
    const { pathname } = new URL(c.req.url)
    const { open, uses } = applyLimits({ route: `${c.req.method} ${pathname.slice(API.length)}`, caller, response: outgoing })
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
  const headers = { 'Referrer-Policy': 'same-origin', 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store', ...extra }
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
}
