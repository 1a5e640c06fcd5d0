/** A game inside an Activity: the host window around it, who else is there, and the lobby where they meet. */
import { hostSurface } from '../../activity/authorize'
import { type ActivityConnection, connect } from '../../activity/connection'
import { type HostTrust, hostWindow, isLoopback } from '../../activity/host'
import { type ActivityLaunch, parseLaunch } from '../../activity/launch'
import { type ActivityParticipant, readParticipants } from '../../activity/participants'
import { base64url, isRecord } from '../../foundation/encoding'
import { ConfigurationError, NetworkError, ProtocolError } from '../../foundation/errors'
import { createDeferred } from '../../foundation/deferred'
import { sha256 } from '../../foundation/sha256'
import type { Lobby } from '../../lobbies/lobby'
import type { JoinOptions } from '../../lobbies/validate-player-input'
import type { ClientContext } from '../context'

const PARTICIPANTS = 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE'
const JOIN = 'ACTIVITY_JOIN'

export interface ActivityMethods {
  /**
   * Shakes hands with the host window that the game is shown in (supplement C.2). From then on `authorize` and `signIn` ask there, and
   * `activityParticipants` and `activityJoin` tell what happens. Once; a later call gives the same.
   * @throws ConfigurationError `no_activity_host` outside an Activity, `missing_application_id`. @throws NetworkError `timed_out` when no
   * window of `service.activityOrigins` answers within 10 s; the log's `activity.ignored_host` names the origin of another one. @throws ApiError with the host's close code as `apiCode`.
   */
  connectActivity(options?: { signal?: AbortSignal }): Promise<ActivityLaunch>
  /** Who is in the Activity now. Connects first where that has not been done. Rejects as `connectActivity` does. */
  getActivityParticipants(options?: { signal?: AbortSignal }): Promise<readonly ActivityParticipant[]>
  /**
   * Joins the lobby where all who launched together meet. Its secret is made of the application's and the instance's ids, so whoever knows
   * the instance can be there: nothing secret belongs into it. Needs a session.
   * @throws ConfigurationError `no_activity_host`. And whatever `createOrJoinLobby` rejects with.
   */
  joinActivityLobby(options?: JoinOptions & { signal?: AbortSignal }): Promise<Lobby>
}

export function createActivityMethods(context: ClientContext) {
  let connecting: Promise<Connected> | undefined
  /** One handshake for all. Whoever stops waiting for it stops alone. */
  const connected = (signal?: AbortSignal): Promise<Connected> => {
    const one = (connecting ??= open(context, () => (connecting = undefined)))
    const waiting = createDeferred<Connected>(context.clock, { signals: [signal], makeError })
    one.then(waiting.resolve, (error: unknown) => {
      if (connecting === one) connecting = undefined
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
      remedy: 'The page was not opened as an Activity: look at getActivityLaunch() first',
    })
  return launch
}

async function open(context: ClientContext, forget: () => void): Promise<Connected> {
  const { clock, closeSignal, emit, applicationId: clientId } = context
  const launch = requireLaunch(context)
  if (!clientId) throw new ConfigurationError('missing_application_id')
  const outside = context.surface
  const onClose = ({ apiCode = 1000, code }: { apiCode?: number; code: string }) => {
    context.surface = outside
    forget()
    emit('activityClosed', { closeCode: apiCode, code })
  }
  const host = hostWindow(trustOf(context))
  const onEvent = (event: string, data: unknown) => tell(context, event, data)
  const events = [PARTICIPANTS, JOIN]
  const connection = await connect({ host, clock, closeSignal, launch, clientId, events, onEvent, onClose })
  context.surface = hostSurface(connection)
  emit('activityLaunched', { launch })
  return { launch, connection }
}

/** The service itself; and while a game is developed against a service on this machine, every origin on it: the host page takes the port that is free. */
function trustOf({ service: { activityOrigins, host }, log }: ClientContext): HostTrust {
  const loopback = !activityOrigins && isLoopback(host)
  const origins = activityOrigins ?? [new URL(host).origin, ...(loopback ? ['http://localhost:3333'] : [])]
  return { origins, loopback, onIgnored: (origin) => log('warn', 'activity.ignored_host', { origin, accepted: origins.join(' ') }) }
}

/** A host's event that cannot be read is logged and passed over: what the game is doing goes on. */
function tell({ emit, log }: ClientContext, event: string, data: unknown): void {
  const secret = isRecord(data) ? data['secret'] : undefined
  const participants = event === PARTICIPANTS && readParticipants(data)
  if (participants) emit('activityParticipants', { participants })
  else if (event === JOIN && typeof secret === 'string') emit('activityJoin', { secret })
  else if (event === PARTICIPANTS || event === JOIN) log('warn', 'activity.malformed_event', { event })
}

/** The same for everybody of one launch, and for nobody else's application. */
function lobbySecretOf(applicationId = '', { instanceId }: ActivityLaunch): string {
  return base64url(sha256(`foyer activity ${applicationId} ${instanceId}`))
}
