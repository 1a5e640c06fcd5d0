/** Entry `foyer-sdk`: sign-in, sessions, lobbies and Activities for games in a page, a worker or Electron. @module foyer-sdk */

// Client
export { Client } from './browser/client'
export type { DeviceArgs, DeviceOptions } from './client/methods/account-methods'
export type { AuthorizeOptions, SignInOptions } from './client/sign-in-options'
export type { ClientEvents, ClientStatus } from './client/context/client-events'
export type { ClientOptions } from './client/context/client-options'
export type { BackendMethods, BackendRequestInit } from './client/methods/backend-methods'
export { fetchTicket } from './client/methods/fetch-ticket'
export type { CurrentUser } from './client/methods/user-methods'
export type { ServiceOptions, ServiceConfig } from './service/service-config'

// Activities
export type { ActivityLaunch } from './activity/activity-launch'
export type { ActivityParticipant } from './activity/read-participants'
export type { ActivityHost, ActivityLayout, ActivityPlayer } from './activity/activity-host'
export type { ActivityHostCommands, HostCallOptions } from './activity/create-host-commands'
export type { SafeArea } from './activity/host-window'
export type * from './activity/host-types'
export type { UrlMapping } from './activity/map-url'
export type { ActivityPresence } from './activity/presence-sender'

// Authorization
export { AuthorizationArgs, IntegrationType } from './authorization/authorization-args'
export type { AuthorizationArgsFields, AuthorizationCodeChallenge } from './authorization/authorization-args'
export type { AuthorizationCodeVerifier } from './authorization/pkce'
export { AuthorizationResult } from './authorization/authorization-result'
export type { AuthorizationSurface, OpenOptions } from './authorization/authorization-surface'
export { popupSurface } from './browser/popup-surface'
export type { PopupOptions } from './browser/popup-surface'
export { redirectSurface } from './browser/redirect-surface'
export type { RedirectOptions } from './browser/redirect-surface'
export { relayCallback } from './browser/relay-callback'
export type { RelayStatus } from './browser/relay-callback'

// Electron windows
export { connectMainClient, hasMainClient } from './electron/renderer/window-client'
export type { WindowClient } from './electron/renderer/window-client'

// Tokens and sessions
export { indexedDbStore } from './browser/indexed-db-store'
export { localStorageStore } from './browser/local-storage-store'
export { sessionStorageStore } from './browser/session-storage-store'
export type { SignOutOptions, SignOutResult } from './client/context/sessions'
export type { DeviceUserCode } from './tokens/device/device-authorization'
export type { ExternalAccount } from './tokens/accounts/external-account'
export type { MergeArgs } from './tokens/accounts/merge-account'
export type { Session } from './tokens/session/session'
export { avatarUrl, type AvatarOwner } from './service/avatar-url'
export type { SessionUser } from './tokens/session-user'
export { memoryStore } from './tokens/session/token-store'
export type { TokenStore } from './tokens/session/token-store'
export type { GetToken, GivenTokens, NamedTokens, RawTokens, TokenQuestion } from './client/context/given-tokens'
export type { IdTokenClaims, TokenSet } from './tokens/token-set'

// Lobbies and rate limits
export { lobbyStream } from './browser/lobby-stream'
export type { LobbyStreamOptions } from './browser/open-lobby-stream'
export { parseLobbyUpdate } from './lobbies/lobby-updates'
export type { LobbyUpdate, LobbyUpdates, OwnChange, PlayerRequests, StreamTools } from './lobbies/lobby-updates'
export type { LinkedChannel, Lobby, LobbyId, LobbyMember, LobbyMessage, Metadata } from './lobbies/lobby'
export type { JoinOptions } from './lobbies/validate-player-input'
export type { Guild, GuildChannel } from './lobbies/list-guilds'
export type { CallOptions, LinkedGuildInvite } from './lobbies/player-lobbies'
export type { RateLimitUsage, RateLimitDelayedEvent, RateLimitedEvent } from './rate-limit/limiter-events'
export type { RateLimitStore } from './rate-limit/store-port'

// Foundation
export type { Check } from './foundation/log-entry'
export type { Clock } from './foundation/clock'
export * from './foundation/errors'
export type { ApplicationId, Snowflake, UserId } from './foundation/ids'
export type { Log, LogEntry, LogLevel } from './foundation/log-entry'
export { Secret } from './foundation/secret'
export type { Fetch } from './http/http-client'
