/** Methods and events that a game engine may use. */
import type { EventEmitter } from 'eventemitter3'
import type { ClientEvents } from '../client/context/client-events'
import type { CoreClient } from '../client/core-client'

/**
 * Members of a client by name: the index of the options argument, which receives the signal of `cancel`; null without one; false if JSON
 * cannot express the arguments or the result. A new method does not compile without a decision here.
 */
export const METHODS = {
  session: null,
  status: null,
  isAuthenticated: null,
  getApplicationId: null,
  setApplicationId: null,
  getActivityLaunch: null,
  getLobby: null,
  getLobbyIds: null,
  limits: null,
  hold: null,
  abortAuthorize: null,
  signIn: 0,
  signOut: 0,
  resume: null,
  refreshToken: 1,
  revokeToken: 1,
  updateToken: 2,
  fetchCurrentUser: 0,
  fetchBackend: 1,
  createOrJoinLobby: 1,
  createOrJoinLobbyWithMetadata: 3,
  leaveLobby: 1,
  sendLobbyMessage: 3,
  getLobbyMessagesWithLimit: 2,
  linkChannelToLobby: 2,
  unlinkChannelFromLobby: 1,
  joinLinkedLobbyGuild: 1,
  getUserGuilds: 0,
  getGuildChannels: 1,
  watchLobby: 1,
  autoLeave: null,
  clearRateLimitBlocks: null,
  connectActivity: 0,
  getActivityParticipants: 0,
  joinActivityLobby: 0,
  // The facade itself closes the client.
  close: false,
  subscribe: false,
  // An authorization result, a verifier and a token set cannot leave the script.
  authorize: false,
  createAuthorizationCodeVerifier: false,
  handleCallback: false,
  getToken: false,
  getTokenFromDevice: false,
  abortGetTokenFromDevice: false,
  getTokenFromDeviceProvisionalMerge: false,
  getTokenFromProvisionalMerge: false,
  getProvisionalToken: false,
  unmergeIntoProvisionalAccount: false,
  exchangeChildToken: false,
} as const satisfies Record<Exclude<keyof CoreClient, keyof Omit<EventEmitter, 'subscribe'>>, number | null | false>

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
