/** What a client can do beyond signing in. Each part loads when one of its methods is first called. */
import type { AccountCalls } from './account-calls'
import type { ActivityCalls } from './activity-calls'
import type { AuthorizationCalls } from './authorization-calls'
import type { ClientContext } from './context'
import type { LobbyCalls } from './lobby-calls'
import type { SessionCalls } from './session-calls'
import type { UserCalls } from './user-calls'

/** The methods of every part. The client has them all from the start. */
export interface PartCalls extends AccountCalls, ActivityCalls, AuthorizationCalls, LobbyCalls, SessionCalls, UserCalls {}

/** The methods of one part, by their names. */
export type Calls = Readonly<Record<string, (...args: never[]) => unknown>>

export interface Part {
  readonly methods: readonly (keyof PartCalls)[]
  readonly load: () => Promise<{ createCalls(context: ClientContext): Calls | Promise<Calls> }>
}

export const PARTS: readonly Part[] = [
  { methods: ['handleCallback', 'getToken'], load: () => import('./authorization-calls') },
  { methods: ['resume', 'refreshToken', 'revokeToken', 'updateToken'], load: () => import('./session-calls') },
  { methods: ['connectActivity', 'getActivityParticipants', 'joinActivityLobby'], load: () => import('./activity-calls') },
  { methods: ['fetchCurrentUser'], load: () => import('./user-calls') },
  {
    methods: [
      'getTokenFromDevice',
      'abortGetTokenFromDevice',
      'getTokenFromDeviceProvisionalMerge',
      'getTokenFromProvisionalMerge',
      'getProvisionalToken',
      'unmergeIntoProvisionalAccount',
      'exchangeChildToken',
    ],
    load: () => import('./account-calls'),
  },
  {
    methods: [
      'createOrJoinLobby',
      'createOrJoinLobbyWithMetadata',
      'leaveLobby',
      'sendLobbyMessage',
      'getLobbyMessagesWithLimit',
      'linkChannelToLobby',
      'unlinkChannelFromLobby',
      'watchLobby',
      'autoLeave',
    ],
    load: () => import('./lobby-calls'),
  },
]
