/** Application commands as they stand on the wire (S:18-176, S:218-256). Types only. */
import type { Snowflake } from '../foundation/ids'

/** 1 CHAT_INPUT, 2 USER, 3 MESSAGE, 4 PRIMARY_ENTRY_POINT (S:50-57). */
export type ApplicationCommandType = 1 | 2 | 3 | 4

/** 1 APP_HANDLER, 2 SERVICE_LAUNCH_ACTIVITY (S:59-64). */
export type EntryPointHandlerType = 1 | 2

/** 1 SUB_COMMAND to 11 ATTACHMENT (S:89-103). */
export type ApplicationCommandOptionType = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11

/** 0 GUILD_INSTALL, 1 USER_INSTALL (S:121-126). */
export type ApplicationIntegrationType = 0 | 1

/** 0 GUILD, 1 BOT_DM, 2 PRIVATE_CHANNEL (S:130-134). */
export type InteractionContextType = 0 | 1 | 2

/** 1 ROLE, 2 USER, 3 CHANNEL (S:154). */
export type ApplicationCommandPermissionType = 1 | 2 | 3

/** Texts by locale; a missing locale shows the default (S:167-176). */
export type Localizations = Readonly<Record<string, string>>

/** A value that a player may choose (S:105-111). */
export interface ApplicationCommandOptionChoice {
  /** 1 to 100 characters. */
  name: string
  name_localizations?: Localizations | null
  /** Of the option's own type; at most 100 characters when it is text. */
  value: string | number
}

/** An option, a subcommand or a group of subcommands (S:68-87). */
export interface ApplicationCommandOption {
  type: ApplicationCommandOptionType
  /** 1 to 32 characters, lower case, unique among its neighbours. */
  name: string
  name_localizations?: Localizations | null
  /** 1 to 100 characters. */
  description: string
  description_localizations?: Localizations | null
  /** Required options come first. Not for subcommands and groups. */
  required?: boolean
  /** STRING, INTEGER, NUMBER: the only valid values. At most 25. */
  choices?: readonly ApplicationCommandOptionChoice[]
  /** Of a subcommand its parameters, of a group its subcommands. At most 25. */
  options?: readonly ApplicationCommandOption[]
  /** CHANNEL: which kinds are offered. */
  channel_types?: readonly number[]
  /** INTEGER, NUMBER. */
  min_value?: number
  /** INTEGER, NUMBER. */
  max_value?: number
  /** STRING: 0 to 6000. */
  min_length?: number
  /** STRING: 1 to 6000. */
  max_length?: number
  /** STRING, INTEGER, NUMBER: the application suggests values while the player types. Not beside choices. */
  autocomplete?: boolean
  /** ATTACHMENT: what kinds of file are taken. Of public services, not of the interface (supplement A.3.3): sent as it is, unchecked. */
  file_types?: readonly string[]
}

/** What a command may be given in a guild (S:242). */
export interface GuildCommandBody {
  /** Default 1, CHAT_INPUT. */
  type?: ApplicationCommandType
  /** 1 to 32 characters; of CHAT_INPUT in lower case. */
  name: string
  name_localizations?: Localizations | null
  /** 1 to 100 characters for CHAT_INPUT; not for USER and MESSAGE. */
  description?: string
  description_localizations?: Localizations | null
  /** CHAT_INPUT. At most 25. */
  options?: readonly ApplicationCommandOption[]
  /** A bit set as decimal digits. `'0'`: administrators only. */
  default_member_permissions?: string | null
  /** @deprecated Use `default_member_permissions` (S:378). */
  default_permission?: boolean | null
  /** Age-restricted (S:276). */
  nsfw?: boolean
}

/** What a global command may be given (S:227); `handler` of an entry point only. */
export interface GlobalCommandBody extends GuildCommandBody {
  /** @deprecated Use `contexts` (S:378). */
  dm_permission?: boolean | null
  /** Default: what the application is configured for. */
  integration_types?: readonly ApplicationIntegrationType[]
  /** Default: all of them. */
  contexts?: readonly InteractionContextType[] | null
  handler?: EntryPointHandlerType
}

/** An element of a list that overwrites all commands (S:246). The id keeps a command that is renamed. */
export interface CommandOverwriteBody extends GlobalCommandBody {
  id?: string
}

/** A change: what is given overwrites the old value as a whole, what is absent stays (S:223). */
export type CommandEditBody = Partial<Omit<GlobalCommandBody, 'type'>>

/** A command as the service returns it (S:20-42). */
export interface ApplicationCommand {
  id: Snowflake
  type: ApplicationCommandType
  application_id: Snowflake
  /** Of guild commands only. */
  guild_id?: Snowflake
  name: string
  name_localizations?: Localizations | null
  /** Of lists that were asked for without localizations, when the requester's locale has a text. */
  name_localized?: string
  /** Empty, never null, for USER and MESSAGE. */
  description: string
  description_localizations?: Localizations | null
  description_localized?: string
  options?: readonly ApplicationCommandOption[]
  default_member_permissions?: string | null
  dm_permission?: boolean
  default_permission?: boolean | null
  nsfw?: boolean
  integration_types?: readonly number[]
  contexts?: readonly number[] | null
  /** Grows with every change that matters. */
  version: Snowflake
  handler?: EntryPointHandlerType
}

/** Allows or forbids a command for a role, a user or a channel (S:149-157). */
export interface ApplicationCommandPermission {
  /** Of a role, a user or a channel; or `everyoneId(guild)`, `allChannelsId(guild)`. */
  id: string
  type: ApplicationCommandPermissionType
  permission: boolean
}

/** The permissions of one command, or of the whole application, in a guild (S:140-147). */
export interface GuildApplicationCommandPermissions {
  /** The command's id; or the application's, for every command that has no permissions of its own. */
  id: Snowflake
  application_id: Snowflake
  guild_id: Snowflake
  permissions: readonly ApplicationCommandPermission[]
}
