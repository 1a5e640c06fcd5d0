/** Receives every request: checks where it comes from, sets the headers that all responses share, and routes it. */
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { createActivityRoutes } from '../activity/instance-routes.js'
import type { ActivityService } from '../activity/activity-service.js'
import { createCommands } from '../commands/mount-command-routes.js'
import { createApi } from './current-user-routes.js'
import { logRequest, setLimitUses, type ReceivedRequest } from './log-request.js'
import { createAssets } from './style-icon-and-avatar-routes.js'
import { createAuthenticate, type Authenticate } from '../auth/authenticate.js'
import { setCaller } from '../auth/require-caller-permissions.js'
import { createInviteRoutes } from './guild-invite-page-routes.js'
import { createGuildRoutes } from './guild-and-channel-routes.js'
import { createInspectorControl } from './control-routes-inspector.js'
import { createInspector } from '../inspector/inspector-page-route.js'
import { createInteractionControl } from './control-routes-interactions.js'
import { createCommandControl } from './control-routes-commands-and-lobbies.js'
import { createSnapshotControl } from './control-routes-snapshots.js'
import { createControl, type Controls } from './control-routes.js'
import { createEventControl } from './control-webhook-events.js'
import { allowAnyOrigin, answerPreflight } from '../api/cors.js'
import { createEventStream } from './control-event-stream.js'
import { foreignRule, refuseForeign, type Checks } from '../api/refuse-foreign-requests.js'
import { createIndexPageRoute } from './index-page-route.js'
import { createInstall } from './app-installation-routes.js'
import { createOauthRoutes, oauthApiPaths } from './oauth-routes.js'
import { refuseEmptyJson } from '../api/read-body-and-url.js'
import { plainTarget } from '../api/rewrite-path-spellings.js'
import { answerApiError, ApiError } from '../api/api-error.js'
import { isBrokenOff } from '../foundation/is-broken-off.js'
import { notFoundAnywhere } from '../pages/not-found-page.js'
import type { RequestLog } from './request-log.js'
import { createUnservedRoutes } from './unserved-routes.js'
import { createSignIn } from './consent-page-routes.js'
import type { ChangeNotifier } from '../chat/notify-chat-pages.js'
import { createChat } from '../chat/chat-page-routes.js'
import type { InteractionService } from '../interactions/perform-player-actions.js'
import { createAttachmentRoutes } from '../interactions/serve-attachment-files.js'
import { createInteractionRoutes } from '../interactions/interaction-routes.js'
import type { Faults } from '../faults/fault-queue.js'
import { applyFault } from '../faults/apply-fault.js'
import type { AccountService } from '../accounts/provisional-accounts.js'
import { blockAtEdge, countAtEdge, createRateLimiter, type RateLimiter } from '../limits/rate-limiter.js'
import type { Limits } from '../limits/count-requests.js'
import { createLobbies } from '../lobbies/mount-lobby-routes.js'
import { createLobbyStream, lobbyStreamPath } from '../lobbies/player-lobbies-stream.js'
import { createAccountRoutes } from '../accounts/provisional-account-routes.js'
import type { EventControls } from '../webhooks/event-control-types.js'
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

const api = '/api/v10'
const broken = { message: '500: Internal Server Error', code: 0 }

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
    } else if (path === lobbyStreamPath) {
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
    path === lobbyStreamPath ||
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
  return c.json(broken, 500)
}

function createApp(context: EmulatorContext, services: Services): Hono<Bindings> {
  const { provider, accountService, log, activity, interactions, webhooks, notifier, controls, limits } = services
  const app = new Hono<Bindings>()
  const authenticate = createAuthenticate(context, provider)
  for (const root of ['/api/*', '/.well-known/*', lobbyStreamPath]) app.options(root, (c) => answerPreflight(c, context))
  app.use(`${api}/*`, identifyAndLimit(authenticate, createRateLimiter(limits, context.clock)), refuseEmptyJson)
  app.route('/', createLobbyStream(context, authenticate))
  app.route('/', createOauthRoutes(provider, api))
  app.route('/', createControl(context, log, controls))
  app.route('/', createCommandControl(context))
  app.route('/', createInteractionControl(interactions))
  app.route('/', createEventControl(webhooks))
  app.route('/', createEventStream(context))
  app.route('/', createInspectorControl(context, log, controls))
  app.route('/', createSnapshotControl(controls))
  app.route(api, createApi(context))
  app.route(api, createGuildRoutes(context))
  app.route(api, createAccountRoutes(context, { provider, accountService }))
  app.route(api, createCommands(context))
  app.route(api, createLobbies(context))
  app.route('/', createChat({ context, activity, interactions }, notifier))
  app.route(api, createInteractionRoutes(context, interactions))
  app.route('/', createAttachmentRoutes(interactions.attachments))
  app.route(api, createActivityRoutes(context, activity))
  app.route('/oauth2/sign-in', createSignIn(context, provider))
  app.route('/', createInstall(context))
  app.route('/', createInviteRoutes(context))
  app.route('/', createIndexPageRoute(context, activity))
  app.route('/', createInspector(context.seed.application.name, activity))
  app.route('/', createAssets(context))
  app.route(api, createUnservedRoutes())
  for (const path of oauthApiPaths) app.all(api + path, (c) => c.json({ message: '405: Method Not Allowed', code: 0 }, 405))
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
    const { pathname } = new URL(c.req.url)
    const { open, uses } = applyLimits({ route: `${c.req.method} ${pathname.slice(api.length)}`, caller, response: outgoing })
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
