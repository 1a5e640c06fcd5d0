/** Starts an emulator: opens its state, loads the authorization server, listens, and returns the controls. */
import { createListener } from '../api/create-listener.js'
import { createGatewaySocket, isGatewayUpgrade } from '../api/gateway/create-gateway-socket.js'
import { createHostListener } from '../api/host/create-host-listener.js'
import { createProvider } from '../api/oauth/create-provider.js'
import { hostsAt } from '../api/request/refuse-foreign.js'
import { RequestLog, type LoggedRequest } from '../api/request/request-log.js'
import { ChangeNotifier, createChangeSocket } from '../api/routes/create-chat.js'
import { loadSeed } from '../check/load-seed.js'
import { recordExchange } from '../exchanges/record-exchange.js'
import { didYouMean } from '../foundation/closest-name.js'
import { createCredentials, type Credentials } from '../foundation/credentials.js'
import { EmulatorError } from '../foundation/emulator-error.js'
import { isHeader } from '../foundation/header-text.js'
import { listenAt, type Listening } from '../foundation/listening.js'
import { dropUndefined, isObject, type Optional } from '../foundation/values.js'
import { AccountService } from '../service/accounts/account-service.js'
import { ActivityService } from '../service/activity/activity-service.js'
import type { ProxyMapping } from '../service/activity/proxy-mapping.js'
import { Registry } from '../service/commands/registry.js'
import { Faults } from '../service/faults/faults.js'
import { Gateway } from '../service/gateway/gateway.js'
import { addJoinedMembers } from '../service/guilds/member-permissions.js'
import { InteractionService } from '../service/interactions/interaction-service.js'
import { Limits } from '../service/limits/limits.js'
import type { LimitsInput } from '../service/limits/settings.js'
import { LocalPrograms } from '../service/local-program/local-programs.js'
import { IdleWatch } from '../service/lobbies/idle-watch.js'
import { loadOidcProvider } from '../service/oauth/load-oidc-provider.js'
import { EventDeliveries } from '../service/webhooks/event-deliveries.js'
import { resolveCommandBehavior, type CommandBehavior } from '../state/command-behavior.js'
import { Events, type EmulatorContext } from '../state/emulator-context.js'
import { resolveIdTokens, type IdTokenBehavior } from '../state/id-token-behavior.js'
import { resolveLobbyBehavior, type LobbyBehavior } from '../state/lobby-behavior.js'
import { openState, type State } from '../state/open-state.js'
import type { SeedInput } from '../state/seed/seed.js'
import { createEmulatorApi } from './create-emulator-api.js'
import type { Emulator } from '../api/control/emulator.js'
import { environment, noticesOf, readEnvFile, writeEnvFile } from './environment.js'
import type { IncomingMessage, RequestListener } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Provider } from 'oidc-provider'

export interface EmulatorOptions {
  /** Port to listen on. Default: 0, any free port. */
  port?: number | undefined
  /**
   * Additional address to listen on, so that phones can open the pages and the API; `0.0.0.0` for all addresses of this machine. Anyone
   * who can connect can sign in as any player. The control plane and `url` stay on 127.0.0.1. Default: none.
   */
  host?: string | undefined
  /** File of `FOYER_*` variables that keeps the secrets over restarts; created if it does not exist. */
  envFile?: string | undefined
  /** Application, players and guilds, or the path of a JSON file with them. Default: an example application with six players. */
  seed?: SeedInput | string | undefined
  /** SQLite file for the state, which survives a kill. Default: in memory. */
  state?: string | undefined
  /** Strictness of commands, and propagation delay of global ones. */
  commands?: Optional<CommandBehavior> | undefined
  /** Rate limits. Default: the documented ones. */
  limits?: LimitsInput | undefined
  /** Size limits of lobbies, and lifetime of their secrets. */
  lobbies?: Optional<LobbyBehavior> | undefined
  /** A refresh revokes the old access token too, not only the old refresh token. Default: false. */
  strictRefresh?: boolean | undefined
  /**
   * Headers that pages may send: the service's list, or `requested` for any that a page asks for. Default: `fixed`
   * (docs/interface/README.md#pages).
   */
  allowedHeaders?: 'fixed' | 'requested' | undefined
  /** ID tokens that hold, or come with, more than those of services of this kind. Default: false for each. */
  idTokens?: Optional<IdTokenBehavior> | undefined
  /**
   * URL of the backend's interactions endpoint; probed before the first interaction. Without one, bots at the gateway get the
   * interactions.
   */
  interactionsUrl?: string | undefined
  /** URL of the backend's endpoint for events; probed before the first one. */
  eventsUrl?: string | undefined
  /** URL of the game that the Activity's host page frames. */
  activityUrl?: string | undefined
  /** Port of the host page on localhost; another one is used while it is busy. Default: 3333. */
  activityPort?: number | undefined
  /**
   * URL mappings of the Activity's proxy. With them, even an empty list, the game is served as in the service: under one origin, with
   * `/.proxy/`, and with a content policy that blocks every host without a mapping. Default: no such rules.
   */
  activityMappings?: readonly ProxyMapping[] | undefined
  /** Called with every completed request, as in `requests`; not with those of the control plane. */
  onRequest?: ((request: LoggedRequest) => void) | undefined
  /** Called with notices for the developer, one sentence each; for example that the host page is on another port. */
  onNotice?: ((notice: string) => void) | undefined
  /** Additional headers of the authorize and consent pages, for example `Cross-Origin-Opener-Policy`. */
  pageHeaders?: Record<string, string> | undefined
}

/** Every option; `true` for an http: or https: URL. */
const OPTIONS: Readonly<Record<keyof EmulatorOptions, boolean>> = {
  port: false,
  host: false,
  envFile: false,
  seed: false,
  state: false,
  commands: false,
  limits: false,
  lobbies: false,
  strictRefresh: false,
  allowedHeaders: false,
  idTokens: false,
  interactionsUrl: true,
  eventsUrl: true,
  activityUrl: true,
  activityPort: false,
  activityMappings: false,
  onRequest: false,
  onNotice: false,
  pageHeaders: false,
}

function resolveBehavior({ commands, lobbies, idTokens }: EmulatorOptions) {
  return {
    commandBehavior: resolveCommandBehavior(commands),
    lobbyBehavior: resolveLobbyBehavior(lobbies),
    idTokens: resolveIdTokens(idTokens),
  }
}

export async function createEmulator(given: EmulatorOptions = {}): Promise<Emulator> {
  const options = readOptions(given)
  const seed = loadSeed(options.seed)
  const behavior = resolveBehavior(options)
  const state = openState(options.state)
  const requests = listenForRequests()
  let listening: Listening | undefined
  try {
    const limits = new Limits(state.clock, options.limits)
    const [credentials, oidc] = await Promise.all([
      ensureCredentials(state, options.envFile),
      loadOidcProvider(),
    ])
    listening = await listenAt({
      port: options.port ?? 0,
      host: options.host ?? '127.0.0.1',
      ...requests.listeners,
    })
    const context = createContext({ listening, seed, credentials, state, ...behavior }, options)
    const accountService = new AccountService(context)
    const parts = {
      log: new RequestLog(options.onRequest),
      faults: new Faults(),
      limits,
      listening,
      idleWatch: new IdleWatch(context),
    }
    const authorization = createProvider(context, oidc, accountService)
    const { notifier, ...shared } = createServices(context, authorization, options)
    const services = { ...parts, ...shared, webhooks: new EventDeliveries(context, options.eventsUrl) }
    const emulator = createEmulatorApi(context, services)
    const { pageHeaders = {} } = options
    const opening = authorization.then((provider) =>
      createListener(context, {
        ...services,
        accountService,
        notifier,
        controls: emulator,
        pageHeaders,
        provider,
      }),
    )
    await requests.open(opening, createSocketListener(context, { notifier, gateway: services.gateway }))
    parts.idleWatch.look()
    if (options.envFile !== undefined) {
      for (const notice of noticesOf(options.envFile)) options.onNotice?.(notice)
      writeEnvFile(options.envFile, environment(emulator), credentials)
    }
    if (options.activityUrl !== undefined) await services.activity.serve(options.activityUrl)
    return emulator
  } catch (error) {
    await listening?.close()
    state.close()
    throw error
  }
}

type UpgradeListener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void

/** Queues requests until the service is ready. */
function listenForRequests() {
  let begin: ((opening: Promise<RequestListener>) => void) | undefined
  let socketListener: UpgradeListener | undefined
  const opened = new Promise<RequestListener>((resolve) => {
    begin = resolve
  })
  const listener: RequestListener = (request, response) => {
    recordExchange(request, response)
    void opened.then((ready) => ready(request, response)).catch(() => response.destroy())
  }
  // Pages and bots connect again.
  const upgrade: UpgradeListener = (request, socket, head) =>
    socketListener === undefined ? socket.destroy() : socketListener(request, socket, head)
  return {
    listeners: { listener, upgrade },
    open: (opening: Promise<RequestListener>, ready: UpgradeListener) => {
      begin?.(opening)
      socketListener = ready
      return opening
    },
  }
}

/** Creates the services for the Activity and interactions. */
function createServices(context: EmulatorContext, provider: Promise<Provider>, options: EmulatorOptions) {
  const { activityPort = 3333, interactionsUrl, onNotice: notice } = options
  const notifier = new ChangeNotifier()
  context.events.subscribe(() => notifier.notify())
  const activity = new ActivityService(context, {
    port: activityPort,
    provider,
    notice,
    mappings: options.activityMappings,
    listener: (own) => createHostListener(own, context),
  })
  const gateway = new Gateway(context)
  const interactions = new InteractionService(context, {
    activity,
    gateway,
    url: interactionsUrl,
    changed: () => notifier.notify(),
  })
  activity.host.postMessage = (message) => interactions.postAs(message)
  const programs = new LocalPrograms(context, activity.host)
  return { activity, programs, interactions, gateway, notifier }
}

/** Sockets for bots, and for the emulator's own pages. */
function createSocketListener(
  context: EmulatorContext,
  { notifier, gateway }: { notifier: ChangeNotifier; gateway: Gateway },
): UpgradeListener {
  const [changes, bots] = [createChangeSocket(context, notifier), createGatewaySocket(context.hosts, gateway)]
  return (request, socket, head) =>
    isGatewayUpgrade(request) ? bots({ request, socket, head }) : changes(request, socket)
}

/** Values in the env file take precedence over those in the state. */
async function ensureCredentials({ settings }: State, envFile: string | undefined): Promise<Credentials> {
  const kept = settings.credentials() ?? (await createCredentials())
  const credentials = envFile === undefined ? kept : readEnvFile(envFile, kept)
  settings.keepCredentials(credentials)
  return credentials
}

function createContext(
  {
    listening,
    ...parts
  }: Pick<
    EmulatorContext,
    'seed' | 'credentials' | 'state' | 'commandBehavior' | 'lobbyBehavior' | 'idTokens'
  > & { listening: Listening },
  options: EmulatorOptions,
): EmulatorContext {
  const { port, network } = listening
  const local = ['127.0.0.1', 'localhost']
  const context: EmulatorContext = {
    ...parts,
    port,
    url: `http://127.0.0.1:${port}`,
    hosts: hostsAt([...local, ...network], port),
    controlHosts: hostsAt(local, port),
    clock: parts.state.clock,
    events: new Events(),
    strictRefresh: options.strictRefresh === true,
    notice: (sentence) => options.onNotice?.(sentence),
    allowedHeaders: options.allowedHeaders ?? 'fixed',
  }
  addJoinedMembers(context)
  new Registry(context).enableActivities()
  return context
}

/** Copies the options. @throws EmulatorError `invalid_setting`. */
function readOptions(given: EmulatorOptions): EmulatorOptions {
  if (!isObject(given))
    throw invalid(
      "the options must be an object, such as createEmulator({ seed: 'seed.json', limits: 'off' })",
    )
  const options: EmulatorOptions = dropUndefined(given)
  requireKnownOptions(options, OPTIONS)
  requireHeaders(options.pageHeaders ?? {})
  requirePort('port', options.port)
  requirePort('activityPort', options.activityPort)
  return options
}

/** `known`: every option; `true` for an http: or https: URL. @throws EmulatorError `invalid_setting`. */
function requireKnownOptions(options: object, known: Readonly<Record<string, boolean>>): void {
  const urls = new Map(Object.entries(known))
  for (const [name, value] of Object.entries(options)) {
    const isUrl = urls.get(name)
    if (isUrl === undefined) {
      const names = [...urls.keys()]
      throw invalid(
        `there is no option "${name}"${didYouMean(name, names)}; the options are ${names.join(', ')}`,
      )
    }
    if (isUrl && value !== undefined && !isHttpUrl(value))
      throw invalid(`${name} must be an http: or https: URL`)
  }
}

/** @throws EmulatorError `invalid_setting`. */
function requirePort(name: string, port: unknown): void {
  const isPort = typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535
  if (port !== undefined && !isPort)
    throw invalid(`${name} must be a number from 0 to 65535, such as { ${name}: 4320 }`)
}

/** Headers of pages are set while a request is served, where a fault would end the process. @throws EmulatorError `invalid_setting`. */
function requireHeaders(headers: unknown): void {
  if (!isObject(headers)) throw invalid('pageHeaders must be an object of names and values')
  for (const [name, value] of Object.entries(headers))
    if (typeof value !== 'string' || !isHeader(name, value))
      throw invalid(`pageHeaders[${JSON.stringify(name)}] is no header that HTTP allows`)
}

const isHttpUrl = (value: unknown): boolean => /^https?:$/.test(URL.parse(String(value))?.protocol ?? '')

const invalid = (message: string): EmulatorError =>
  new EmulatorError('invalid_setting', `createEmulator: ${message}`)
