/** Live lobbies for players: server-sent events of a game's own backend. */
import { type Clock, systemClock } from '../shared/foundation/clock'
import { ConfigurationError } from '../shared/foundation/errors'
import { type Log, onceInConsole, withoutExceptions } from '../shared/foundation/log-entry'
import { requireId } from '../shared/foundation/ids'
import { requireRecord, type NumberRule, requireNumber, createTyped } from '../shared/foundation/options'
import { takeOptions, takePort } from '../shared/foundation/take-options'
import { randomText } from '../shared/foundation/crypto'
import { handleHubRequest } from './hub/handle-hub-request'
import { ConnectLimit } from './hub/connect-limit'
import { brokerOfApplication } from './hub/broker-of-application'
import type { LobbyBroker } from './hub/lobby-broker'
import { LobbyHubProcess, type LobbyHubParts } from './hub/lobby-hub-process'
import { memoryLobbyBroker } from './hub/memory-lobby-broker'
import { createRefusalReport } from './hub/refusal-report'
import { SharedLobbies } from './hub/shared-lobbies'
import { SpareCapacity } from './hub/spare-capacity'
import { namesOf } from './players/player'
import type { TicketScope, TicketStore } from './players/player-tickets'
import type { ApplicationLobbies } from './lobbies/application-lobbies'
import type { RateLimitUsage } from '../shared/rate-limit/limiter-events'
import { storeReport } from './keys/store-report'
import { requireBackend } from './require-backend'
import type { ApplicationUsers } from './application-users'
import { takeVerify, type VerifyPlayer } from './create-player-verifier'

/** Options of `createLobbyHub`. */
export interface LobbyHubOptions {
  /**
   * Client with a bot token: its changes of lobbies are sent to the players; lobbies, and the names of players whose tokens hold none, are
   * read within its rate limits. Without `users`, such players have no names. Without `limits`, reports of players may use up its rate limit.
   */
  client: {
    readonly applicationId?: string | undefined
    readonly lobbies: Pick<ApplicationLobbies, 'get' | 'removeMember' | 'onChanged'>
    readonly users?: ApplicationUsers | undefined
    readonly limits?: (() => readonly Pick<RateLimitUsage, 'bucket' | 'free' | 'limit'>[]) | undefined
  }
  /** Verifies the player of a request, from `createPlayerVerifier`. */
  verify: VerifyPlayer
  /** Connects several processes, for example `redisLobbyBroker(redis)`. Default: memory, for one process. */
  broker?: LobbyBroker | undefined
  /** ms after a player's last stream has ended until other members see the player as away. Default: 10,000. */
  awayAfter?: number | undefined
  /**
   * Further ms until the player is removed from their lobbies; if the process that would do it has ended, another one does, up to 150 s
   * later. The same in all processes. Default: never.
   */
  removeAfter?: number | undefined
  /** Maximum number of streams of this process; further ones are refused with 503. Default: 20,000. */
  maxStreams?: number | undefined
  /**
   * Maximum number of streams that this process opens in a second. Further requests are refused with 503 and a `Retry-After` that spreads
   * the players over the following seconds, as after an outage. `Infinity`: no limit. Default: 500.
   */
  maxConnectsPerSecond?: number | undefined
  /** Receives log entries; entries contain no secrets. Default: warnings and errors in the console, each cause once. */
  logger?: Log | undefined
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Endpoint for `lobbyStream` of the players' clients. */
export interface LobbyHub {
  /** Handles a request: `GET` for a stream, `POST` for a report of a change or a ticket. */
  (request: Request): Promise<Response>
  /**
   * Reads a lobby that something else than `client` has changed, and sends its state to the members. Resolves after the read.
   * @throws ConfigurationError `invalid_argument` for an invalid id.
   */
  changed(lobbyId: string): Promise<void>
  /** Sends a message to the members of its lobby, from a verified event `LOBBY_MESSAGE_CREATE` of the service. */
  deliverMessage(message: { readonly lobby_id: string }): Promise<void>
  /** Number of open streams of this process. */
  readonly streams: number
  /** Ends all streams and timers; later requests are refused with 503. The players' clients reconnect, to another process if there is one. */
  close(): void
}

const OPTIONS: readonly (keyof LobbyHubOptions)[] = [
  'client',
  'verify',
  'broker',
  'awayAfter',
  'removeAfter',
  'maxStreams',
  'maxConnectsPerSecond',
  'logger',
  'clock',
]

const MS = { kind: 'ms', example: '10_000' }
const NUMBERS: readonly (readonly [
  'awayAfter' | 'removeAfter' | 'maxStreams' | 'maxConnectsPerSecond',
  NumberRule,
])[] = [
  ['awayAfter', MS],
  ['removeAfter', MS],
  ['maxStreams', { kind: 'a number of streams', example: '20_000' }],
  ['maxConnectsPerSecond', { kind: 'a number above 0', min: Number.MIN_VALUE, example: '500' }],
]

const BROKER = {
  name: 'broker',
  methods: ['publish', 'subscribe'],
  example: 'redisLobbyBroker(new Redis(url))',
}

/**
 * Creates the endpoint that shows players their lobbies live: joins, leaves, metadata, names, presence and messages. Each stream begins
 * with the player's lobbies as they are. A player receives lobbies that the player is a member of, and no others; a player's report of a
 * change only causes a read at the service.
 *
 * @throws ConfigurationError `invalid_argument`; `unsupported` in a page.
 * @example
 * ```ts
 * const verify = createPlayerVerifier({ applicationId, service })
 * const hub = createLobbyHub({ client, verify })
 * createServer(toNodeListener(hub)).listen(8080)
 * ```
 */
export function createLobbyHub(options: LobbyHubOptions): LobbyHub {
  return createTyped('createLobbyHub', () => {
    requireBackend()
    const given = takeOptions(options, OPTIONS)
    for (const [name, rule] of NUMBERS) requireNumber(given[name], name, rule)
    return createHub(given)
  })
}

function createHub(given: LobbyHubOptions): LobbyHub {
  const { client, clock = systemClock, logger = onceInConsole(), removeAfter } = given
  // A client of a page has lobbies too.
  if (typeof client?.lobbies?.onChanged !== 'function')
    throw new ConfigurationError('invalid_argument', 'client: an ApplicationClient', {
      remedy: 'Pass new ApplicationClient({ …, credentials: botToken(…) }) of foyer-sdk/server',
    })
  const verify = takeVerify(given.verify, clock)
  const { awayAfter = 10_000, maxStreams = 20_000 } = given
  const rule = { ...BROKER, onFailure: storeReport('broker of createLobbyHub', given.logger) }
  const whole = takePort(given.broker, rule, clock)
  const own = whole && client.applicationId ? brokerOfApplication(whole, client.applicationId) : undefined
  const broker = takePort(own, rule, clock) ?? whole ?? memoryLobbyBroker({ clock })
  const connects = new ConnectLimit(clock, given.maxConnectsPerSecond ?? 500)
  const shared = new SharedLobbies({ broker, clock, processId: randomText().slice(0, 16) })
  // First: credentials without access to lobbies are refused here.
  const unsubscribe = client.lobbies.onChanged((lobbyId) => void hub.changed(lobbyId))
  const log = withoutExceptions(logger)
  const hub = new LobbyHubProcess({
    clock,
    log,
    shared,
    awayAfter,
    removeAfter,
    ...watchedCalls(client, { clock, log }),
  })
  let isClosed = false
  const parts = {
    clock,
    hub,
    tickets: streamTickets(broker, client),
    verify,
    maxStreams,
    connects,
    isClosed: () => isClosed,
  }
  return Object.defineProperty(
    Object.assign((request: Request) => handleHubRequest(request, parts), {
      ...createNews(hub),
      streams: 0,
      close() {
        isClosed = true
        unsubscribe()
        hub.close()
      },
    }),
    'streams',
    { get: () => hub.streams },
  )
}

/** The hub's own calls. Nobody waits for their outcome, so a refusal is told. */
function watchedCalls(
  client: LobbyHubOptions['client'],
  { clock, log }: { clock: Clock; log: Log },
): Pick<LobbyHubParts, 'readLobby' | 'readNames' | 'removeMember'> {
  const watch = createRefusalReport(log)
  const readLobby = readLobbiesWith(client, clock)
  const readNames = readNamesWith(client.users)
  return {
    readLobby: (...args) => watch('lobbies.get', readLobby(...args)),
    readNames: readNames && ((playerId) => watch('users.get', readNames(playerId))),
    removeMember: (...args) => watch('lobbies.removeMember', client.lobbies.removeMember(...args)),
  }
}

const streamTickets = (
  store: TicketStore,
  { applicationId = '' }: LobbyHubOptions['client'],
): TicketScope => ({
  store,
  applicationId,
  purpose: 'lobby-stream',
})

/** A read is repeated until it succeeds, which one of an invalid id never would. */
function createNews(hub: LobbyHubProcess): Pick<LobbyHub, 'changed' | 'deliverMessage'> {
  return {
    changed: async (lobbyId) => hub.changed(requireId(lobbyId, 'lobbyId')),
    async deliverMessage(message) {
      requireRecord(message, 'message')
      return hub.deliverMessage(requireId(message.lobby_id, 'message.lobby_id'), message)
    },
  }
}

function readLobbiesWith(client: LobbyHubOptions['client'], clock: Clock): LobbyHubParts['readLobby'] {
  const spare = client.limits && new SpareCapacity({ clock, limits: () => client.limits?.() ?? [] })
  return async (id, priority) => {
    if (priority === 'low') await spare?.wait()
    return client.lobbies.get(id, { priority })
  }
}

function readNamesWith(users: ApplicationUsers | undefined): LobbyHubParts['readNames'] {
  if (!users) return undefined
  return async (playerId) => {
    const { username, global_name: globalName } = await users.get(playerId, { priority: 'low' })
    return namesOf(username, globalName)
  }
}
