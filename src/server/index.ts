/** Foyer for game backends: application commands, their permissions, their texts, and what players do with them. A table of contents and nothing else. */

// Clients
export { ApplicationClient } from './application-client'
export type { ApplicationClientOptions, ApplicationCommands } from './application-client'
export { botToken, clientCredentials } from './credentials'
export type { ClientCredentialsOptions } from './credentials'
export type { BackendOptions, CredentialsSource } from './options'
export { UserClient } from './user-client'
export type { UserClientOptions } from './user-client'
export type { CommandPermissions, UserCommandPermissions } from '../commands/command-permissions'
export type { CallOptions, Commands, Created, EditOptions, ListOptions } from '../commands/commands'
export { printStep } from '../commands/print-plan'
export type { CommandPlan, CreateStep, DeleteStep, PlanStep, UpdateStep } from '../commands/plan-steps'
export type { SyncOptions, SyncProgress, SyncResult } from '../commands/sync'
export type { Credentials } from '../http/credentials'
export type { Fetch, HttpContext } from '../http/request'
export type { Transfer, Transport, TransportAnswer, TransportRequest } from '../http/transport'
export { undiciTransport } from './undici-transport'
export type { UndiciDispatcher } from './undici-transport'
export type { ServiceOptions, ServiceProfile } from '../service/profile'

// Limits
export type { BucketUse, Delayed, Limited, SharedState } from '../rate-limit/events'
export { MemoryBudget } from '../rate-limit/memory-store'
export type { RateLimitStore } from '../rate-limit/store'
export type { LimitListeners } from '../http/limited-api'
export { DEVELOPMENT_LIMITS, LIMITS } from '../service/limits'
export type { Limit, LimitName, Limits } from '../service/limits'

// Lobbies
export type { ApplicationLobbies, LobbyCallOptions } from '../lobbies/application-lobbies'
export type { LobbyIssueCode } from '../lobbies/lobby-issue'
export { validateLobby, validateLobbyMember, validateLobbyMembers } from '../lobbies/lobby-validation'
export type { ChangeMetadata, MetadataChanges } from '../lobbies/metadata-update'
export type * from '../wire/lobby'

// Commands, checked without a network
export {
  ChannelType,
  CommandType,
  EntryPointHandler,
  InstallContext,
  InteractionContext,
  OptionType,
  PermissionType,
} from '../commands/definition'
export type { CommandIssueCode } from '../commands/issue'
export { measureCommand } from '../commands/size'
export type { CommandSize } from '../commands/size'
export { validateCommand, validateCommands } from '../commands/validation'
export type { ValidateCommandOptions, ValidateCommandsOptions } from '../commands/validation'

// Interactions
export { createReplayMemory } from '../interactions/replay'
export type { ReplayMemory, ReplayMemoryOptions, ReplayStore } from '../interactions/replay'
export { createInteractionHandler } from './interaction-handler'
export type { InteractionHandlerOptions } from './interaction-handler'
export { toNodeListener } from './node-listener'
export type { NodeListener, NodeRequest, NodeResponse } from './node-listener'
export { defineCommand } from '../interactions/command'
export type { DefinedCommand } from '../interactions/command'
export { launchActivity } from '../interactions/context'
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
} from '../interactions/context'
export { InteractionError } from '../interactions/error'
export type { InteractionErrorCode, VerificationReason } from '../interactions/error'
export type { InteractionHandler, RequestContext } from '../interactions/handler'
export type { Handler, HandlersOf } from '../interactions/handlers'
export type { PublicKey } from '../interactions/key'
export type { OnError } from '../interactions/report'
export type { Apology } from '../interactions/serve'
export type { Addressed } from '../interactions/calls'
export type { InteractionReplies } from '../interactions/replies'
export { verifyInteraction } from '../interactions/verify'
export type { Verification, VerifyOptions } from '../interactions/verify'
export type { ChosenRole, ChosenUser, OptionValues, PartialOptionValues } from '../commands/define'

// Texts
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
export { allChannelsId, everyoneId } from '../commands/permission-constants'
export { validatePermissions } from '../commands/permission-validation'
export type { ValidatePermissionsOptions } from '../commands/permission-validation'
export { resolveCommandPermission } from '../commands/permissions'
export type { CommandPermission, CommandPermissionInput } from '../commands/permissions'

// On the wire
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
