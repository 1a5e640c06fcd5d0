/** Application commands in the format of the REST API (docs/interface/commands.md). Types only. */
import type { Optional } from '../foundation/options'
import type { Snowflake } from '../foundation/ids'

/** 1 CHAT_INPUT, 2 USER, 3 MESSAGE, 4 PRIMARY_ENTRY_POINT (docs/interface/commands.md#command-types). */
export type ApplicationCommandType = 1 | 2 | 3 | 4

/** 1 APP_HANDLER, 2 SERVICE_LAUNCH_ACTIVITY (docs/interface/commands.md#entry-points). */
export type EntryPointHandlerType = 1 | 2

/** 1 SUB_COMMAND to 11 ATTACHMENT (docs/interface/commands.md#option-types). */
export type ApplicationCommandOptionType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11

/** 0 GUILD_INSTALL, 1 USER_INSTALL (docs/interface/commands.md#installation-and-contexts). */
export type ApplicationIntegrationType = 0 | 1

/** 0 GUILD, 1 BOT_DM, 2 PRIVATE_CHANNEL (docs/interface/commands.md#installation-and-contexts). */
export type InteractionContextType = 0 | 1 | 2

/** 1 ROLE, 2 USER, 3 CHANNEL (docs/interface/command-permissions.md#entries). */
export type ApplicationCommandPermissionType = 1 | 2 | 3

/** Strings by locale; a missing locale shows the default (docs/interface/commands.md#localization). */
export type Localizations = Readonly<Record<string, string>>

/** A value that a player may choose (docs/interface/commands.md#choices). */
export interface ApplicationCommandOptionChoice {
  /** 1 to 100 characters. */
  name: string
  /** Names by locale. A locale without an entry shows `name`. */
  name_localizations?: Localizations | null | undefined
  /** Of the option's own type; at most 100 characters for a string. */
  value: string | number
}

/** An option, a subcommand or a group of subcommands (docs/interface/commands.md#options). */
export interface ApplicationCommandOption {
  /** Option type, 1 SUB_COMMAND to 11 ATTACHMENT. */
  type: ApplicationCommandOptionType
  /** 1 to 32 characters, lower case, unique among its neighbours. */
  name: string
  /** Names by locale. A locale without an entry shows `name`. */
  name_localizations?: Localizations | null | undefined
  /** 1 to 100 characters. */
  description: string
  /** Descriptions by locale. A locale without an entry shows `description`. */
  description_localizations?: Localizations | null | undefined
  /** Required options come first. Not for subcommands and groups. */
  required?: boolean | undefined
  /** STRING, INTEGER, NUMBER: the only valid values. At most 25. */
  choices?: readonly ApplicationCommandOptionChoice[] | undefined
  /** Of a subcommand its parameters, of a group its subcommands. At most 25. */
  options?: readonly ApplicationCommandOption[] | undefined
  /** CHANNEL: the channel types to offer. */
  channel_types?: readonly number[] | undefined
  /** INTEGER, NUMBER. */
  min_value?: number | undefined
  /** INTEGER, NUMBER. */
  max_value?: number | undefined
  /** STRING: 0 to 6000. */
  min_length?: number | undefined
  /** STRING: 1 to 6000. */
  max_length?: number | undefined
  /** STRING, INTEGER, NUMBER: the application suggests values while the player types. Not beside choices. */
  autocomplete?: boolean | undefined
  /**
   * ATTACHMENT: accepted kinds of files, as in forms: `image`, `video`, `audio`, or an extension with its dot. At most 10. Used by public
   * services and absent from the interface (docs/interface/commands.md#options).
   */
  file_types?: readonly string[] | undefined
}

/** Fields of a guild command (docs/interface/commands.md#request-bodies). */
export interface GuildCommandBody {
  /** Default 1, CHAT_INPUT. */
  type?: ApplicationCommandType | undefined
  /** 1 to 32 characters; of CHAT_INPUT in lower case. */
  name: string
  /** Names by locale. A locale without an entry shows `name`. */
  name_localizations?: Localizations | null | undefined
  /** 1 to 100 characters for CHAT_INPUT; not for USER and MESSAGE. */
  description?: string | undefined
  /** Descriptions by locale. A locale without an entry shows `description`. */
  description_localizations?: Localizations | null | undefined
  /** CHAT_INPUT. At most 25. */
  options?: readonly ApplicationCommandOption[] | undefined
  /** A bit set as decimal digits. `'0'`: administrators only. */
  default_member_permissions?: string | null | undefined
  /** @deprecated Use `default_member_permissions` (docs/interface/commands.md#deprecated-fields). */
  default_permission?: boolean | null | undefined
  /** Age-restricted (docs/interface/commands.md#age-restriction). */
  nsfw?: boolean | undefined
}

/** Fields of a global command (docs/interface/commands.md#request-bodies); `handler` for an entry point only. */
export interface GlobalCommandBody extends GuildCommandBody {
  /** @deprecated Use `contexts` (docs/interface/commands.md#deprecated-fields). */
  dm_permission?: boolean | null | undefined
  /** Default: the application's configured types. */
  integration_types?: readonly ApplicationIntegrationType[] | undefined
  /** Default: all of them. */
  contexts?: readonly InteractionContextType[] | null | undefined
  /** Entry point commands only: the handler of the launch. */
  handler?: EntryPointHandlerType | undefined
}

/**
 * An element of a list that overwrites all commands (docs/interface/commands.md#request-bodies). The id keeps a command that is renamed.
 */
export interface CommandOverwriteBody extends GlobalCommandBody {
  /** Id of an existing command. Without it the service matches by type and name. */
  id?: string | undefined
}

/** An edit: each given field replaces the old value entirely, absent fields stay (docs/interface/commands.md#global-commands). */
export type CommandEditBody = Optional<Omit<GlobalCommandBody, 'type'>> & {
  /** 4 makes a global command the entry point (assumed). Another type cannot be set. */
  type?: 4 | undefined
}

/** A command as the service returns it (docs/interface/commands.md#command). */
export interface ApplicationCommand {
  /** Command id. */
  id: Snowflake
  /** Command type. */
  type: ApplicationCommandType
  /** Application that the command belongs to. */
  application_id: Snowflake
  /** Of guild commands only. */
  guild_id?: Snowflake | undefined
  /** Name of the command. */
  name: string
  /** Names by locale. A locale without an entry shows `name`. */
  name_localizations?: Localizations | null | undefined
  /** For lists that were requested without localizations, if there is a string for the requester's locale. */
  name_localized?: string | undefined
  /** Empty, never null, for USER and MESSAGE. */
  description: string
  /** Descriptions by locale. A locale without an entry shows `description`. */
  description_localizations?: Localizations | null | undefined
  /** Description in the requester's locale, as for `name_localized`. */
  description_localized?: string | undefined
  /** Options in the order in which the player sees them. */
  options?: readonly ApplicationCommandOption[] | undefined
  /** Permissions that a member needs, as a bit set in decimal digits; `'0'`: administrators only; null: everyone. */
  default_member_permissions?: string | null | undefined
  /** Old form of `contexts`: available in direct messages. */
  dm_permission?: boolean | undefined
  /** Old form of `default_member_permissions`. */
  default_permission?: boolean | null | undefined
  /** Age-restricted. */
  nsfw?: boolean | undefined
  /** Installations in which the command is available. */
  integration_types?: readonly number[] | undefined
  /** Contexts in which the command is available; null: all. */
  contexts?: readonly number[] | null | undefined
  /** Grows with every change that matters. */
  version: Snowflake
  /** Entry point commands only: the handler of the launch. */
  handler?: EntryPointHandlerType | undefined
}

/** Allows or forbids a command for a role, a user or a channel (docs/interface/command-permissions.md#entries). */
export interface ApplicationCommandPermission {
  /** Of a role, a user or a channel; or `everyoneId(guild)`, `allChannelsId(guild)`. */
  id: string
  /** 1 ROLE, 2 USER, 3 CHANNEL. */
  type: ApplicationCommandPermissionType
  /** True allows the command, false forbids it. */
  permission: boolean
}

/** The permissions of one command, or of the whole application, in a guild (docs/interface/command-permissions.md#guild-permissions). */
export interface GuildApplicationCommandPermissions {
  /** The command's id; or the application's, for every command that has no permissions of its own. */
  id: Snowflake
  /** Application that the command belongs to. */
  application_id: Snowflake
  /** Guild in which they apply. */
  guild_id: Snowflake
  /** Entries, at most 100. */
  permissions: readonly ApplicationCommandPermission[]
}
