/** What a client can do beyond signing in. Each part loads when one of its methods is first called. */
import type { AccountCalls } from './account-calls'
import type { ActivityCalls } from './activity-calls'
import type { AuthorizationCalls } from './authorization-calls'
import type { ClientContext } from './context'
import type { LobbyCalls } from './lobby-calls'
import type { SessionCalls } from './session-port'
import type { TokenCalls } from './token-calls'
import type { UserCalls } from './user-calls'

/** The methods of every part. The client has them all from the start. */
export interface PartCalls extends AccountCalls, ActivityCalls, AuthorizationCalls, LobbyCalls, SessionCalls, TokenCalls, UserCalls {}

/** The methods of one part, by their names. */
export type Calls = Partial<Readonly<Record<keyof PartCalls, (...args: never[]) => unknown>>>

export interface Part {
  readonly methods: readonly (keyof PartCalls)[]
  readonly load: (context: ClientContext) => Promise<Calls>
}

export const PARTS: readonly Part[] = [
  { methods: ['handleCallback', 'getToken'], load: async (context) => (await import('./authorization-calls')).createCalls(context) },
  { methods: ['resume', 'refreshToken'], load: (context) => context.sessions() },
  { methods: ['revokeToken', 'updateToken'], load: async (context) => (await import('./token-calls')).createCalls(context) },
  {
    methods: ['connectActivity', 'getActivityParticipants', 'joinActivityLobby'],
    load: async (context) => (await import('./activity-calls')).createCalls(context),
  },
  { methods: ['fetchCurrentUser'], load: async (context) => (await import('./user-calls')).createCalls(context) },
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
    load: async (context) => (await import('./account-calls')).createCalls(context),
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
    load: async (context) => (await import('./lobby-calls')).createCalls(context),
  },
]
