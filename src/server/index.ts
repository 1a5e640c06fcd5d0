/** Entry `foyer-sdk/server`, for game backends: commands, permissions, localization, interactions and lobbies. @module foyer-sdk/server */

// Clients
export { ApplicationClient } from './application-client'
export type { ApplicationClientOptions, ApplicationCommands } from './application-client'
export { botToken, clientCredentials } from './credentials'
export type { ClientCredentialsOptions } from './credentials'
export type { BackendOptions, CredentialsSource } from './options'
export { UserClient } from './user-client'
export type { UserClientOptions } from './user-client'
export type { CommandPermissions, UserCommandPermissions } from '../commands/permissions/api'
export type { CallOptions, Commands, Created, EditOptions, ListOptions } from '../commands/commands'
export { printStep } from '../commands/plan/print-plan'
export type { CommandPlan, CreateStep, DeleteStep, PlanStep, UpdateStep } from '../commands/plan/plan-steps'
export type { SyncOptions, SyncProgress, SyncResult } from '../commands/plan/sync'
export type { Credentials } from '../http/credentials'
export type { Fetch, HttpContext } from '../http/request'
export type { Transfer, Transport, TransportAnswer, TransportRequest } from '../http/transport'
export { undiciTransport } from './undici-transport'
export type { UndiciDispatcher } from './undici-transport'
export type { ServiceOptions, ServiceConfig } from '../service/config'

// Rate limits
export type { RateLimitUsage, RateLimitDelayedEvent, RateLimitedEvent, RateLimitStoreEvent } from '../rate-limit/events'
export { MemoryRateLimitStores } from '../rate-limit/shared/memory-store'
export type { RateLimitStore } from '../rate-limit/shared/store'
export type { LimitListeners } from '../http/limited-api'
export { DEVELOPMENT_LIMITS, LIMITS } from '../service/limits'
export type { Limit, LimitName, Limits } from '../service/limits'

// Lobbies
export type { ApplicationLobbies, LobbyCallOptions } from '../lobbies/application-lobbies'
export type { LobbyIssueCode } from '../lobbies/lobby-issue'
export { validateLobby, validateLobbyMember, validateLobbyMembers } from '../lobbies/lobby-validation'
export type { ChangeMetadata, MetadataChanges } from '../lobbies/metadata-update'
export type * from '../wire/lobby'

// Command validation, offline
export {
  ChannelType,
  CommandType,
  EntryPointHandler,
  InstallContext,
  InteractionContext,
  OptionType,
  PermissionType,
} from '../commands/constants'
export type { CommandIssueCode } from '../commands/issue'
export { measureCommand } from '../commands/validation/size'
export type { CommandSize } from '../commands/validation/size'
export { validateCommand, validateCommands } from '../commands/validation/validate'
export type { ValidateCommandOptions, ValidateCommandsOptions } from '../commands/validation/validate'

// Interactions
export { createReplayMemory } from '../interactions/replay'
export type { ReplayMemory, ReplayMemoryOptions, ReplayStore } from '../interactions/replay'
export { createInteractionHandler } from './interaction-handler'
export type { InteractionHandlerOptions } from './interaction-handler'
export { toNodeListener } from './node-listener'
export type { NodeListener, NodeRequest, NodeResponse } from './node-listener'
export { defineCommand } from '../interactions/command'
export type { DefinedCommand } from '../interactions/command'
export { launchActivity } from '../interactions/interaction-types'
export type {
  ActivityInstance,
  Answerable,
  AutocompleteInteraction,
  CommandInteraction,
  ComponentInteraction,
  EntryPointInteraction,
  HandlerResult,
  Launchable,
  MessageCommandInteraction,
  ModalInteraction,
  Reply,
  Suggestions,
  UserCommandInteraction,
} from '../interactions/interaction-types'
export { InteractionError } from '../interactions/error'
export type { InteractionErrorCode, VerificationReason } from '../interactions/error'
export type { InteractionHandler, RequestContext } from '../interactions/create-handler'
export type { Handler, HandlersOf } from '../interactions/handler-types'
export type { PublicKey } from '../interactions/key'
export type { OnError } from '../interactions/report'
export type { ErrorMessage } from '../interactions/run-handler'
export type { Addressed } from '../interactions/calls'
export type { InteractionReplies } from '../interactions/replies'
export { verifyInteraction } from '../interactions/verify'
export type { Verification, VerifyOptions } from '../interactions/verify'
export type { ChosenRole, ChosenUser, OptionValues, PartialOptionValues } from '../commands/definition-types'

// Localization
export { localize, localizedFields, requesterLocale } from '../commands/localization'
export type {
  Localized,
  LocalizedChoice,
  LocalizedCommand,
  LocalizedOption,
  LocalizedTexts,
  LocalizeInput,
  RequesterLocaleInput,
} from '../commands/localization'

// Permissions
export { allChannelsId, everyoneId } from '../commands/permissions/constants'
export { validatePermissions } from '../commands/permissions/validate'
export type { ValidatePermissionsOptions } from '../commands/permissions/validate'
export { resolveCommandPermission } from '../commands/permissions/resolve'
export type { CommandPermission, CommandPermissionInput } from '../commands/permissions/resolve'

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
} from '../wire/command'
export type { ErrorResponse } from '../wire/error'
export type * from '../wire/interaction'
export type * from '../wire/interaction-response'

// Foundation
export * from '../foundation/errors'
export type { Clock } from '../foundation/clock'
export type { Log, LogEntry, LogLevel } from '../foundation/log'
export type { ApplicationId, Snowflake } from '../foundation/ids'
export { Secret } from '../foundation/secret'
