/** Activity methods: connection to the host window, participants, and the shared lobby. */
import { hostSurface } from '../../activity/authorize-in-host'
import { type ActivityConnection, connect } from '../../activity/host-connection'
import { type HostTrust, hostWindow, isLoopback } from '../../activity/host-window'
import { type ActivityLaunch, parseLaunch } from '../../activity/launch-parameters'
import { type ActivityParticipant, readParticipants } from '../../activity/participants'
import { base64url, isRecord } from '../../foundation/encoding'
import { ConfigurationError, NetworkError, ProtocolError } from '../../foundation/errors'
import { createDeferred } from '../../foundation/deferred'
import { sha256 } from '../../foundation/sha256'
import type { Lobby } from '../../lobbies/lobby-types'
import type { JoinOptions } from '../../lobbies/validate-player-input'
import type { ClientContext } from '../shared-client-state'

const PARTICIPANTS = 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE'
const JOIN = 'ACTIVITY_JOIN'

export interface ActivityMethods {
  /**
   * Connects to the host window of the Activity (docs/interface/activities.md#messages). Afterwards `authorize` and `signIn` go through the
   * host, and
   * `activityParticipants` and `activityJoin` are emitted. Connects once; later calls resolve with the same launch.
   *
   * @throws ConfigurationError `no_activity_host` outside an Activity, `missing_application_id`.
   * @throws NetworkError `timed_out` if no window of `service.activityOrigins` responds within 10 s. The log entry `activity.ignored_host`
   * contains the origin of any other window that did.
   * @throws ApiError with the host's close code as `apiCode`.
   */
  connectActivity(options?: { signal?: AbortSignal }): Promise<ActivityLaunch>
  /** Gets the current participants of the Activity. Connects first if necessary. Rejects like `connectActivity`. */
  getActivityParticipants(options?: { signal?: AbortSignal }): Promise<readonly ActivityParticipant[]>
  /**
   * Joins the lobby shared by all who launched this Activity instance. Requires a session. The secret is derived from the application id
   * and the instance id, and both are public: keep no secrets in this lobby.
   *
   * @throws ConfigurationError `no_activity_host`, and the errors of `createOrJoinLobby`.
   */
  joinActivityLobby(options?: JoinOptions & { signal?: AbortSignal }): Promise<Lobby>
}

export function createActivityMethods(context: ClientContext) {
  let connecting: Promise<Connected> | undefined
  /** One handshake shared by all callers. Aborting one call does not abort the others. */
  const connected = (signal?: AbortSignal): Promise<Connected> => {
    const attempt = (connecting ??= open(context, () => (connecting = undefined)))
    const waiting = createDeferred<Connected>(context.clock, { signals: [signal], makeError })
    attempt.then(waiting.resolve, (error: unknown) => {
      if (connecting === attempt) connecting = undefined
      waiting.reject(error)
    })
    return waiting.promise
  }
  return {
    async connectActivity(options?: { signal?: AbortSignal }): Promise<ActivityLaunch> {
      const { signal } = { ...options }
      return (await connected(signal)).launch
    },
    async getActivityParticipants(options?: { signal?: AbortSignal }): Promise<readonly ActivityParticipant[]> {
      const { signal } = { ...options }
      const { connection } = await connected(signal)
      const players = readParticipants(await connection.command('GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS', {}, { signal }))
      if (!players) throw new ProtocolError('malformed_response', 'activity', { path: 'participants' })
      return players
    },
    async joinActivityLobby(options?: JoinOptions & { signal?: AbortSignal }): Promise<Lobby> {
      return context.joinLobby(lobbySecretOf(context.applicationId, requireLaunch(context)), options)
    },
  }
}

const makeError = (code: 'timed_out' | 'aborted') => new NetworkError(code, 'activity handshake')

interface Connected {
  launch: ActivityLaunch
  connection: ActivityConnection
}

function requireLaunch({ launchQuery }: ClientContext): ActivityLaunch {
  const launch = parseLaunch(launchQuery)
  if (!launch)
    throw new ConfigurationError('no_activity_host', 'launch parameters', {
      remedy: 'The page was not opened as an Activity: check getActivityLaunch() first',
    })
  return launch
}

async function open(context: ClientContext, reset: () => void): Promise<Connected> {
  const { clock, closeSignal, emit, applicationId: clientId } = context
  const launch = requireLaunch(context)
  if (!clientId) throw new ConfigurationError('missing_application_id')
  const previousSurface = context.surface
  const onClose = ({ apiCode = 1000, code }: { apiCode?: number; code: string }) => {
    context.surface = previousSurface
    reset()
    emit('activityClosed', { closeCode: apiCode, code })
  }
  const host = hostWindow(trustOf(context))
  const onEvent = (event: string, data: unknown) => emitHostEvent(context, event, data)
  const events = [PARTICIPANTS, JOIN]
  const connection = await connect({ host, clock, closeSignal, launch, clientId, events, onEvent, onClose })
  context.surface = hostSurface(connection)
  emit('activityLaunched', { launch })
  return { launch, connection }
}

/** Trusts the service's origin. With a service on the loopback interface, every loopback origin: a development host uses any free port. */
function trustOf({ service: { activityOrigins, host }, log }: ClientContext): HostTrust {
  const loopback = !activityOrigins && isLoopback(host)
  const origins = activityOrigins ?? [new URL(host).origin, ...(loopback ? ['http://localhost:3333'] : [])]
  return { origins, loopback, onIgnored: (origin) => log('warn', 'activity.ignored_host', { origin, accepted: origins.join(' ') }) }
}

/** Emits an event of the host. Malformed events are logged and ignored. */
function emitHostEvent({ emit, log }: ClientContext, event: string, data: unknown): void {
  const secret = isRecord(data) ? data['secret'] : undefined
  const participants = event === PARTICIPANTS && readParticipants(data)
  if (participants) emit('activityParticipants', { participants })
  else if (event === JOIN && typeof secret === 'string') emit('activityJoin', { secret })
  else if (event === PARTICIPANTS || event === JOIN) log('warn', 'activity.malformed_event', { event })
}

/** Same value for all participants of attempt launch; differs by application. */
function lobbySecretOf(applicationId = '', { instanceId }: ActivityLaunch): string {
  return base64url(sha256(`foyer activity ${applicationId} ${instanceId}`))
}
