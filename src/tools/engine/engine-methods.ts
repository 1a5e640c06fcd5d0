/** Members that a game engine reads, and events that reach it. Its calls are those of `CALL_PATHS`. */
import type { ClientEvents } from '../../client/context/client-events'

/** Members that an engine reads by name. */
export const PROPERTIES: readonly string[] = [
  'session',
  'status',
  'applicationId',
  'rateLimits',
  'lobbies',
  'activity.launch',
]

/** Events that reach the engine: all but `log`, which would fill a queue that nobody empties. */
export const EVENTS = [
  'statusChanged',
  'sessionChanged',
  'tokenExpiring',
  'tokenRefreshed',
  'maybeClosed',
  'browserUnavailable',
  'rateLimited',
  'rateLimitDelayed',
  'lobbyCreated',
  'lobbyUpdated',
  'lobbyDeleted',
  'lobbyMessage',
  'activityLaunched',
  'activityParticipants',
  'activityJoin',
  'activityLobby',
  'activityClosed',
] as const satisfies readonly (keyof ClientEvents)[]
