/** Entry `foyer-sdk`: sign-in, sessions, lobbies and Activities for games in a page, a worker or Electron. @module foyer-sdk */

// Client
export type { CallOptions } from './shared/foundation/options'
export { Client } from './client/page/client'
export type { AuthorizeOptions, SignInOptions } from './client/sign-in/sign-in-client'
export type { LobbyOptions } from './client/core-client'
export type { ClientEvents, ClientStatus } from './client/context/client-events'
export type { ClientOptions } from './client/context/client-options'
export type { Accounts } from './client/groups/accounts'
export type { DeviceArgs, DeviceOptions, DeviceUserCode } from './client/accounts/device-authorization'
export type { Activity } from './client/groups/activity'
export type { Backend } from './client/groups/backend'
export type { BackendRequestInit } from './client/groups/backend-calls'
export type { Lobbies } from './client/groups/lobbies'
export type { InviteLinkOptions } from './client/lobbies/invite-link'
export type { Invitation } from './client/lobbies/invitation'
export type { ListenerOptions } from './shared/foundation/emitter'
export type { GuildMember, PlayerPurchase } from './client/groups/player-reads'
export type { CurrentUser, CurrentUserOptions } from './client/groups/player-calls'
export type { ServiceOptions, ServiceConfig } from './shared/service/service-config'

// Activities
export type { ActivityLaunch } from './client/activity/activity-launch'
export type { ActivityParticipant } from './client/activity/read-participants'
export type { ActivityHost, ActivityLayout, ActivityPlayer } from './client/activity/activity-host'
export type { ActivityHostCommands, HostCallOptions } from './client/activity/create-host-commands'
export type { SafeArea } from './client/activity/host-window'
export type * from './client/activity/host-types'
export type { SharedLink } from './client/activity/share-link'
export type { UrlMapping } from './client/activity/map-url'
export type { ActivityPresence } from './client/activity/presence-sender'
export type { Desktop, DesktopEvents, DesktopStatus, DesktopUser } from './client/desktop/desktop'

// Authorization
export {
  AuthorizationArgs,
  IntegrationType,
  type AuthorizationArgsFields,
  type AuthorizationCodeChallenge,
} from './shared/authorization/authorization-args'
export type { AuthorizationCodeVerifier } from './shared/authorization/attempt'
export { AuthorizationResult } from './shared/authorization/authorization-result'
export type { AuthorizationSurface, OpenOptions } from './shared/authorization/authorization-flow'
export { popupSurface, type PopupOptions } from './client/page/popup-surface'
export { redirectSurface, type RedirectOptions } from './client/page/redirect-surface'
export { relayCallback, type RelayStatus } from './client/page/relay-callback'

// Electron windows
export { connectMainClient, hasMainClient, type WindowClient } from './desktop/window/window-client'

// Tokens and sessions
export { indexedDbStore } from './client/page/indexed-db-store'
export { localStorageStore } from './client/page/local-storage-store'
export { sessionStorageStore } from './client/page/session-storage-store'
export type { SignOutOptions, SignOutResult } from './client/sign-in/sessions'
export type { ExternalAccount } from './shared/tokens/account-requests'
export type { MergeArgs } from './client/accounts/merge-account'
export type { Session } from './client/session/session'
export { avatarUrl, type AvatarOwner } from './shared/service/avatar-url'
export { formatPrice, type Price } from './shared/service/format-price'
export type { SessionUser } from './shared/tokens/session-user'
export { memoryStore, type TokenStore } from './client/session/token-store'
export type {
  GetToken,
  GivenTokens,
  NamedTokens,
  RawTokens,
  TokenQuestion,
} from './client/session/token-store'
export type { IdTokenClaims, TokenSet } from './shared/tokens/token-set'

// Lobbies and rate limits
export { lobbyStream } from './client/page/lobby-stream'
export type { LobbyStreamOptions } from './client/page/open-lobby-stream'
export {
  parseLobbyUpdate,
  type LobbyUpdate,
  type LobbyUpdates,
  type OwnChange,
  type PlayerRequests,
  type StreamTools,
} from './client/lobbies/lobby-updates'
export type { FetchMessagesOptions, Lobby, SendOptions, WatchOptions } from './client/lobbies/lobby'
export type { KeyedMember, LobbyEvents } from './client/lobbies/live-lobby'
export type { Keyed, MetadataKeys } from './client/lobbies/lobby-state'
export type {
  LinkedChannel,
  LobbyEndReason,
  LobbyId,
  LobbyMember,
  LobbyMessage,
  LobbyState,
  Metadata,
} from './client/lobbies/lobby-state'
export type { JoinOptions } from './client/lobbies/lobby-requests'
export type { Guild, GuildChannel } from './client/groups/player-calls'
export type { LinkedGuildInvite } from './client/lobbies/lobby'
export type {
  RateLimitUsage,
  RateLimitDelayedEvent,
  RateLimitedEvent,
} from './shared/rate-limit/limiter-events'
export type { RateLimitStore } from './shared/rate-limit/store-port'

// Foundation
export type { Check, Log, LogEntry, LogLevel } from './shared/foundation/log-entry'
export type { Clock } from './shared/foundation/clock'
export * from './shared/foundation/errors'
export type { ApplicationId, Snowflake, UserId } from './shared/foundation/ids'
export { Secret } from './shared/foundation/secret'
export type { Fetch } from './shared/http/http-client'
