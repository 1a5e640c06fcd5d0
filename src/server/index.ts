/** Entry `foyer-sdk/server`, for game backends: commands, permissions, localization, interactions and lobbies. @module foyer-sdk/server */

// Clients
export type { CallOptions } from '../shared/foundation/options'
export {
  ApplicationClient,
  type ApplicationClientOptions,
  type ApplicationCommands,
} from './application-client'
export type { ApplicationUser, ApplicationUsers } from './application-users'
export { avatarUrl, type AvatarOwner } from '../shared/service/avatar-url'
export type { ActivityInstanceDetails, ActivityInstances } from './activity-instances'
export type { BotIssuedAccount, ProvisionalAccounts } from './provisional-accounts'
export type { IdTokenClaims } from '../shared/tokens/token-set'
export type { TokenSet } from '../shared/tokens/token-set'
export type { ApplicationTokens, CodeExchangeArgs } from './sessions/application-tokens'
export type { ExternalAccount } from '../shared/tokens/account-requests'
export {
  botToken,
  clientCredentials,
  clientSecret,
  type ClientCredentialsOptions,
} from './backend-credentials'
export type { BackendOptions, CredentialsSource } from './backend-options'
export { UserClient, type UserClientOptions } from './user-client'
export type { CommandPermissions, UserCommandPermissions } from './commands/permissions/command-permissions'
export type { Commands, Created, EditOptions, ListOptions } from './commands/commands'
export { printStep } from './commands/plan/print-plan'
export type { CommandPlan, CreateStep, DeleteStep, PlanStep, UpdateStep } from './commands/plan/command-plan'
export type { SyncOptions, SyncProgress, SyncResult } from './commands/plan/sync-commands'
export type { Credentials } from '../shared/http/api'
export type { Fetch } from '../shared/http/http-client'
export type { HttpContext } from '../shared/http/http-client'
export type { Transfer, Transport, TransportAnswer, TransportRequest } from '../shared/http/http-client'
export { undiciTransport, type UndiciDispatcher } from './undici-transport'
export type { ServiceOptions, ServiceConfig } from '../shared/service/service-config'

// Sessions of a confidential application
export {
  createSessionHandler,
  type SessionHandler,
  type SessionHandlerOptions,
} from './create-session-handler'
export {
  memorySessionStore,
  type MemorySessionStoreOptions,
  type SessionStore,
} from './sessions/session-store'
export type { StoreKey } from './keys/store-key'

// Rate limits
export type {
  RateLimitUsage,
  RateLimitDelayedEvent,
  RateLimitedEvent,
  RateLimitStoreEvent,
} from '../shared/rate-limit/limiter-events'
export { MemoryRateLimitStores } from '../shared/rate-limit/shared/memory-store'
export type { RateLimitStore } from '../shared/rate-limit/store-port'
export type { LimitListeners } from '../shared/http/limited-api'
export { DEVELOPMENT_LIMITS, LIMITS, type Limit, type LimitName, type Limits } from '../shared/service/limits'

// Lobbies
export type { ApplicationLobbies, LobbyCallOptions } from './lobbies/application-lobbies'
export type { LobbyIssueCode } from '../shared/lobbies/lobby-rules'
export { validateLobby, validateLobbyMember, validateLobbyMembers } from './lobbies/validate-lobby'
export type { ChangeMetadata, MetadataChanges } from './lobbies/update-metadata'
export type * from '../shared/wire/lobby'

// Players
export type { CallerAddress } from './budget/backend-caller'
export { createPlayerVerifier, type PlayerVerifierOptions, type VerifyPlayer } from './create-player-verifier'
export {
  createPlayerTickets,
  type PlayerTickets,
  type PlayerTicketsOptions,
  type TicketUse,
} from './create-player-tickets'
export type { Player } from './players/player'
export type { TicketOwner, TicketStore } from './players/player-tickets'
export { PlayerTokenError, respondToPlayerError } from './players/player-token-error'

// Live lobbies
export { createLobbyHub, type LobbyHub, type LobbyHubOptions } from './create-lobby-hub'
export { memoryLobbyBroker, type MemoryLobbyBrokerOptions } from './hub/memory-lobby-broker'
export type { BrokerListener, LobbyBroker, VersionedText } from './hub/lobby-broker'

// Command validation, offline
export {
  ChannelType,
  CommandType,
  EntryPointHandler,
  InstallContext,
  InteractionContext,
  OptionType,
  PermissionType,
} from '../shared/wire/api-constants'
export type { CommandIssueCode } from './commands/validation/command-issues'
export { measureCommand, type CommandSize } from './commands/validation/command-size'
export {
  validateCommand,
  validateCommands,
  type ValidateCommandOptions,
  type ValidateCommandsOptions,
} from './commands/validation/validate-commands'

// Message and modal validation, offline
export { validateMessage, type ValidateMessageOptions } from './messages/validate-message'
export { validateModal } from './messages/validate-modal'
export type { MessageIssueCode } from './messages/message-check'
export type { FileData, MessageFile } from './messages/file-data'

// Interactions
export {
  createReplayMemory,
  type ReplayMemory,
  type ReplayMemoryOptions,
  type ReplayStore,
} from './interactions/replay-store'
export { createInteractionHandler, type InteractionHandlerOptions } from './create-interaction-handler'
export { toNodeListener, type NodeListener, type NodeRequest, type NodeResponse } from './node-listener'
export { defineCommand, type DefinedCommand } from './interactions/define-command'
export { defineModal, type DefinedModal, type ModalValues } from './interactions/define-modal'
export {
  launchActivity,
  type ActivityInstance,
  type Answerable,
  type AutocompleteInteraction,
  type CommandInteraction,
  type ComponentInteraction,
  type EntryPointInteraction,
  type HandlerResult,
  type Launchable,
  type MessageCommandInteraction,
  type ModalInteraction,
  type Reply,
  type Suggestions,
  type UserCommandInteraction,
} from './interactions/interaction-types'
export {
  InteractionError,
  type InteractionErrorCode,
  type VerificationReason,
} from './interactions/interaction-error'
export type { InteractionHandler } from './interactions/create-handler'
export type { RequestContext } from './interactions/keep-alive'
export type { Handler, HandlersOf } from './interactions/handler'
export type { PublicKey } from './interactions/public-key'
export type { OnError } from './interactions/report'
export type { ErrorMessage } from './interactions/run-handler'
export type { Addressed } from './interactions/interaction-calls'
export type { InteractionReplies } from './interactions/interaction-replies'
export {
  verifyActivityRequest,
  type ActivityProxyPayload,
  type ActivityRequestVerification,
  type VerifyActivityRequestOptions,
} from './interactions/verify-activity-request'
export { verifyInteraction, type Verification, type VerifyOptions } from './interactions/verify-interaction'
export type {
  ChosenRole,
  ChosenUser,
  OptionValues,
  PartialOptionValues,
} from './commands/types-from-definition'

// Events of the service
export {
  createEventHandler,
  type EventHandler,
  type EventHandlerOptions,
} from './events/create-event-handler'
export type * from './events/service-event'

// Purchases
export { createPurchaseDesk } from './purchases/create-purchase-desk'
export type {
  FailedPurchase,
  Purchase,
  PurchaseDesk,
  PurchaseDeskOptions,
  PurchaseGrant,
  Redemption,
} from './purchases/purchase-desk'
export { formatPrice, type Price } from '../shared/service/format-price'
export { EntitlementType, SkuType } from './purchases/purchase-constants'
export type { PurchaseIssueCode } from './purchases/purchase-issues'
export { memoryPurchaseStore, type PurchaseState, type PurchaseStore } from './purchases/purchase-store'
export type { PurchaseCallOptions, PurchaseQuery, Purchases, TestPurchase } from './purchases/purchases'
export type * from '../shared/wire/purchase'

// Localization
export {
  localize,
  localizedFields,
  requesterLocale,
  type Localized,
  type LocalizedChoice,
  type LocalizedCommand,
  type LocalizedOption,
  type LocalizedTexts,
  type LocalizeInput,
  type RequesterLocaleInput,
} from './commands/localize'

// Permissions
export { allChannelsId, everyoneId } from './commands/permissions/everyone-id'
export {
  validatePermissions,
  type ValidatePermissionsOptions,
} from './commands/permissions/validate-permissions'
export {
  resolveCommandPermission,
  type CommandPermission,
  type CommandPermissionInput,
} from './commands/permissions/resolve-command-permission'

// Wire types
export type {
  ApplicationCommand,
  ApplicationCommandOption,
  ApplicationCommandOptionChoice,
  ApplicationCommandOptionType,
  ApplicationCommandPermission,
  ApplicationCommandPermissionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  CommandEditBody,
  CommandOverwriteBody,
  EntryPointHandlerType,
  GlobalCommandBody,
  GuildApplicationCommandPermissions,
  GuildCommandBody,
  InteractionContextType,
  Localizations,
} from '../shared/wire/command'
export type { ErrorResponse } from '../shared/wire/error-response'
export type * from '../shared/wire/interaction-request'
export type * from '../shared/wire/interaction-response'
export type * from '../shared/wire/message-components'
export type * from '../shared/wire/message-parts'
export type * from '../shared/wire/modal-components'

// Foundation
export * from '../shared/foundation/errors'
export type { Clock } from '../shared/foundation/clock'
export type { Log, LogEntry, LogLevel } from '../shared/foundation/log-entry'
export type { ApplicationId, Snowflake, UserId } from '../shared/foundation/ids'
export { Secret } from '../shared/foundation/secret'
