/** Activity methods: connection to the host window, participants, and the shared lobby. */
import { hostSurface } from '../activity/host-surface'
import {
  type ActivityHost,
  type ActivityPlayer,
  createActivityHost,
  HostEvents,
  type HostParts,
  playerOf,
} from '../activity/activity-host'
import { type ActivityConnection, connect } from '../activity/activity-connection'
import { permissionRemedy } from '../activity/host-scopes'
import { type HostTrust, hostWindow } from '../activity/host-window'
import { isLoopbackOrigin } from '../../shared/foundation/addresses'
import { type ActivityLaunch, parseLaunch } from '../activity/activity-launch'
import { linkIdOf } from '../activity/share-link'
import type { MomentForm } from '../activity/share-moment'
import { type ActivityParticipant, readParticipants } from '../activity/read-participants'
import { type CallOptions, checkOptions } from '../../shared/foundation/options'
import type { Lobby } from '../lobbies/lobby'
import type { JoinOptions } from '../lobbies/lobby-requests'
import { base64url, sha256 } from '../../shared/foundation/crypto'
import type { CheckedBody } from '../../shared/http/checked-body'
import { checkResponse, type FieldRule, TEXT } from '../../shared/http/check-response'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { ConfigurationError, NetworkError, ProtocolError } from '../../shared/foundation/errors'
import { createDeferred } from '../../shared/foundation/async'
import type { Caller } from '../session/caller'
import type { ClientContext } from '../sign-in/sign-in-client'
import { callerOf, InvitationJoins } from './invitation-joins'
import type { PlayerParts } from './player-parts'
import { presenceSource } from './presence-source'

const PARTICIPANTS = 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE'
const JOIN = 'ACTIVITY_JOIN'
const GET_PARTICIPANTS = 'GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS'

/** The Activity of one client, and its connection to the host window. */
export class ActivityCalls {
  readonly #context: ClientContext
  readonly #player: PlayerParts
  #connecting: Promise<Connected> | undefined

  constructor(context: ClientContext, player: PlayerParts) {
    this.#context = context
    this.#player = player
  }

  async connect(options: CallOptions | undefined): Promise<ActivityHost> {
    const { signal } = checkOptions(options, ['signal'])
    return (await this.#connected(signal)).host
  }

  async fetchParticipants(options: CallOptions | undefined): Promise<readonly ActivityParticipant[]> {
    const { signal } = checkOptions(options, ['signal'])
    const { connection } = await this.#connected(signal)
    const players = readParticipants(await connection.command(GET_PARTICIPANTS, {}, { signal }))
    if (!players) throw new ProtocolError('malformed_response', 'activity', { path: 'participants' })
    return players
  }

  async joinLobby(caller: Caller, options: (JoinOptions & CallOptions) | undefined): Promise<Lobby> {
    const secret = lobbySecretOf(this.#context.options.applicationId, requireLaunch(this.#context))
    return this.#player.join(callerOf(this.#context, caller), secret, options)
  }

  /** One handshake shared by all callers. Aborting one call does not abort the others. */
  #connected(signal?: AbortSignal): Promise<Connected> {
    const { clock } = this.#context.options
    const waiting = createDeferred<Connected>(clock, { signals: [signal], makeError })
    const attempt = (this.#connecting ??= open(this.#context, {
      player: this.#player,
      reset: () => (this.#connecting = undefined),
    }))
    attempt.then(waiting.resolve, (error: unknown) => {
      if (this.#connecting === attempt) this.#connecting = undefined
      waiting.reject(error)
    })
    return waiting.promise
  }
}

const makeError = (code: 'timed_out' | 'aborted') => new NetworkError(code, 'activity handshake')

interface Connected {
  host: ActivityHost
  connection: ActivityConnection
}

function requireLaunch({ options }: ClientContext): ActivityLaunch {
  const launch = parseLaunch(options.launchQuery)
  if (!launch)
    throw new ConfigurationError('no_activity_host', 'launch parameters', {
      remedy: 'The page was not opened as an Activity: check client.activity.launch first',
    })
  return launch
}

async function open(
  context: ClientContext,
  { player, reset }: { player: PlayerParts; reset: () => void },
): Promise<Connected> {
  const { closeSignal, emit, options } = context
  const { clock, applicationId: clientId } = options
  const launch = requireLaunch(context)
  if (!clientId) throw new ConfigurationError('missing_application_id')
  const previousSurface = context.surface
  const onClose = ({ apiCode = 1000, code }: { apiCode?: number; code: string }) => {
    context.surface = previousSurface
    forget()
    reset()
    emit('activityClosed', { closeCode: apiCode, code })
  }
  const host = hostWindow(trustOf(context))
  const invitations = new InvitationJoins(context, player)
  const forget = context.on('sessionChanged', () => invitations.goOn())
  const received = createReceiver(context, invitations)
  const events = [PARTICIPANTS, JOIN]
  const connection = await connect({
    host,
    clock,
    closeSignal,
    handshake: { v: 1, encoding: 'json', client_id: clientId, frame_id: launch.frameId },
    events,
    permissionRemedy,
    onEvent: received.onEvent,
    onClose,
  })
  context.surface = hostSurface(connection)
  const hostEvents = received.open(connection)
  const parts: HostParts = {
    ...presenceSource(context, player),
    launch,
    connection,
    window: host,
    followInvitations: () => invitations.follow(),
    upload: (form, signal) => upload(context, player, { form, signal }),
    createLink: (preview, signal) => createLink(context, player, { preview, signal }),
  }
  const activityHost = createActivityHost(parts, hostEvents, () => received.players)
  emit('activityLaunched', { launch })
  received.fetchPlayers(connection)
  return { host: activityHost, connection }
}

const ATTACHMENT: FieldRule<{ attachment: { url: string } }> = {
  fields: { attachment: { fields: { url: TEXT } } },
}

async function upload(
  { authState, options }: ClientContext,
  player: PlayerParts,
  { form, signal }: { form: MomentForm; signal: AbortSignal | undefined },
): Promise<string> {
  const { caller } = authState
  // The form takes the place of a body in JSON, with the same limits, retries and token.
  const api = (await player.calls()).as(caller, ({ transport }) => ({
    transport: (request) => transport({ ...request, body: form.content }),
  }))
  const route = '/applications/{application.id}/attachment'
  const ids = { 'application.id': options.applicationId ?? '' }
  const headers = { 'content-type': form.contentType }
  const { body } = await api.send({ method: 'POST', route, ids, headers, signal })
  return checkResponse(body, `POST ${route}`, ATTACHMENT).attachment.url
}

async function createLink(
  { authState, options }: ClientContext,
  player: PlayerParts,
  { preview, signal }: { preview: CheckedBody; signal: AbortSignal | undefined },
): Promise<string> {
  const { caller } = authState
  const api = (await player.calls()).as(caller)
  const route = '/applications/{application.id}/quick-links'
  const ids = { 'application.id': options.applicationId ?? '' }
  const { body } = await api.send({ method: 'POST', route, ids, body: preview, signal })
  return linkIdOf(body, `POST ${route}`)
}

/** Trusts the service's origin. With a service on the loopback interface, every loopback origin: a development host uses any free port. */
function trustOf({ options, log }: ClientContext): HostTrust {
  const { activityOrigins, host, brand } = options.service
  const loopback = !activityOrigins && isLoopbackOrigin(host)
  const origins = activityOrigins ?? [new URL(host).origin, ...(loopback ? ['http://localhost:3333'] : [])]
  return {
    origins,
    loopback,
    brand,
    onIgnored: (origin) => log('warn', 'activity.ignored_host', { origin, accepted: origins.join(' ') }),
  }
}

/** Receives the events of a connection: those of the client, and those that the game subscribes to. */
function createReceiver(context: ClientContext, invitations: InvitationJoins) {
  let hostEvents: HostEvents | undefined
  let connection: ActivityConnection | undefined
  const setPlayers = (participants: readonly ActivityParticipant[]) =>
    (receiver.players = participants.map((one) => playerOf(one, cdnOf(connection))))
  const none: readonly ActivityPlayer[] = []
  const receiver = {
    players: none,
    onEvent: (event: string, data: unknown): void => {
      const participants = event === PARTICIPANTS ? readParticipants(data) : undefined
      if (participants) setPlayers(participants)
      emitHostEvent(context, invitations, { event, data })
      hostEvents?.dispatch(event, data)
    },
    open(opened: ActivityConnection): HostEvents {
      connection = opened
      return (hostEvents = new HostEvents(opened, [PARTICIPANTS, JOIN]))
    },
    /** The players before the first change. A host that does not respond is reported by the game's own calls. */
    fetchPlayers(opened: ActivityConnection): void {
      opened.command(GET_PARTICIPANTS).then(
        (data) => receiver.players.length > 0 || setPlayers(readParticipants(data) ?? []),
        () => undefined,
      )
    },
  }
  return receiver
}

/** Host of avatar images: from READY, with `https:` unless it has a protocol. */
function cdnOf(connection: ActivityConnection | undefined): string {
  const ready = connection?.ready
  const config = isRecord(ready) ? ready['config'] : undefined
  const cdn = isRecord(config) && typeof config['cdn_host'] === 'string' ? config['cdn_host'] : ''
  return /^https?:/.test(cdn) ? cdn : `https://${cdn}`
}

interface HostEvent {
  event: string
  data: unknown
}

/** Emits an event of the host. Malformed events are logged and ignored. */
function emitHostEvent(
  { emit, log, authState }: ClientContext,
  invitations: InvitationJoins,
  { event, data }: HostEvent,
): void {
  const secret = isRecord(data) ? data['secret'] : undefined
  const participants = event === PARTICIPANTS && readParticipants(data)
  if (participants) emit('activityParticipants', { participants })
  else if (event === JOIN && typeof secret === 'string') {
    emit('activityJoin', { secret })
    invitations.accept(secret, authState.caller)
  } else if (event === PARTICIPANTS || event === JOIN) log('warn', 'activity.malformed_event', { event })
}

/** Same value for all participants of attempt launch; differs by application. */
function lobbySecretOf(applicationId = '', { instanceId }: ActivityLaunch): string {
  return base64url(sha256(`foyer activity ${applicationId} ${instanceId}`))
}
