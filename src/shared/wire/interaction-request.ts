/** Interactions in the service's format, as an application receives them (docs/interface/interactions.md). Types only. */
import type { Snowflake } from '../foundation/ids'
import type { InteractionContextType } from './command'
import type { User, InteractionMember, ResolvedChannel, Message, ResolvedData } from './interaction-entities'

export type {
  User,
  InteractionMember,
  ResolvedMember,
  Role,
  ResolvedChannel,
  Attachment,
  Message,
  ResolvedData,
} from './interaction-entities'

/** 1 PING, 2 APPLICATION_COMMAND, 3 MESSAGE_COMPONENT, 4 APPLICATION_COMMAND_AUTOCOMPLETE, 5 MODAL_SUBMIT. */
export type InteractionType = 1 | 2 | 3 | 4 | 5

/** A parameter with its value. */
export interface ParameterEntry {
  /** Option type, 3 STRING to 11 ATTACHMENT. */
  type: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
  /** Name of the option. */
  name: string
  /** Value that the user gave. */
  value: string | number | boolean
  /** Autocomplete: true for the option that the player is typing (docs/interface/interactions.md#autocomplete). */
  focused?: boolean
}

/** The subcommand or group that was used. */
export interface RouteEntry {
  /** 1 subcommand, 2 group. */
  type: 1 | 2
  /** Name of the subcommand or group. */
  name: string
  /** Options below it. */
  options?: readonly OptionEntry[]
}

/** An entry of `options`: a parameter, or a subcommand with its own entries. */
export type OptionEntry = ParameterEntry | RouteEntry

/** Fields that all commands share. */
interface CommandDataBase {
  /** Command id. */
  id: Snowflake
  /** The default name, whatever the player's locale. */
  name: string
  /** The guild of a guild command. */
  guild_id?: Snowflake
  /** Version of the command that the user saw. */
  version?: Snowflake
}

/** Data of a slash command. */
export interface ChatInputData extends CommandDataBase {
  /** CHAT_INPUT. */
  type: 1
  /** Options that the user filled in. */
  options?: readonly OptionEntry[]
  /** Objects that the ids in this interaction refer to. */
  resolved?: ResolvedData
}

/** Data of a command used on a user. */
export interface UserCommandData extends CommandDataBase {
  /** USER. */
  type: 2
  /** Id of the user that the command was used on. */
  target_id: Snowflake
  /** Objects that the ids in this interaction refer to. */
  resolved: ResolvedData
}

/** Data of a command used on a message. */
export interface MessageCommandData extends CommandDataBase {
  /** MESSAGE. */
  type: 3
  /** Id of the message that the command was used on. */
  target_id: Snowflake
  /** Objects that the ids in this interaction refer to. */
  resolved: ResolvedData
}

/** Data of the entry point command. */
export interface EntryPointData extends CommandDataBase {
  /** PRIMARY_ENTRY_POINT. */
  type: 4
}

/** Data of a command, by its `type`. */
export type CommandData = ChatInputData | UserCommandData | MessageCommandData | EntryPointData

/** Data of a used component. */
export interface ComponentData {
  /** Identifier that the application gave it. */
  custom_id: string
  /** Kind of component, as a number of the interface. */
  component_type: number
  /** Values that the user selected. */
  values?: readonly string[]
  /** Objects that the ids in this interaction refer to. */
  resolved?: ResolvedData
}

/** Data of a submitted modal. */
export interface ModalData {
  /** Identifier that the application gave it. */
  custom_id: string
  /** Components with the values that the user entered. */
  components: readonly unknown[]
  /** Objects that the ids in this interaction refer to. */
  resolved?: ResolvedData
}

/** Fields that all interactions share. */
interface InteractionEnvelope {
  /** Interaction id. */
  id: Snowflake
  /** Application that receives it. */
  application_id: Snowflake
  /** Authorizes responses to this interaction, for 15 minutes. */
  token: string
  /** Always 1. */
  version: number
}

/** Fields of the interactions that users cause. */
interface FromPlayer extends InteractionEnvelope {
  /** Guild that it was sent from. */
  guild_id?: Snowflake
  /** Channel that it was sent from. */
  channel_id?: Snowflake
  /** That channel. */
  channel?: ResolvedChannel
  /** That guild, in part. */
  guild?: Readonly<Record<string, unknown>>
  /** Set in a guild. */
  member?: InteractionMember
  /** Set in a direct message. */
  user?: User
  /** The player's locale. */
  locale?: string
  /** Preferred locale of the guild. */
  guild_locale?: string
  /** Permissions of the application in the channel, as a bit set in decimal digits. */
  app_permissions?: string
  /** Context in which the interaction was sent. */
  context?: InteractionContextType
  /** Key `"0"`: the guild that installed the application; key `"1"`: the user who did. */
  authorizing_integration_owners?: Readonly<Record<string, string>>
  /** Purchases of the user, as the service returns them. */
  entitlements?: readonly unknown[]
  /** Largest attachment in bytes. */
  attachment_size_limit?: number
  /** Message that the component belongs to. */
  message?: Message
}

/** Health check: the endpoint must exist and verify signatures. */
export interface PingInteraction extends InteractionEnvelope {
  /** PING. */
  type: 1
}

/** A user ran a command. */
export interface ApplicationCommandInteraction extends FromPlayer {
  /** APPLICATION_COMMAND. */
  type: 2
  /** Command and its options. */
  data: CommandData
}

/** A user used a component of a message. */
export interface MessageComponentInteraction extends FromPlayer {
  /** MESSAGE_COMPONENT. */
  type: 3
  /** Component and selected values. */
  data: ComponentData
}

/** A user is typing an option that has autocomplete. */
export interface ApplicationCommandAutocompleteInteraction extends FromPlayer {
  /** APPLICATION_COMMAND_AUTOCOMPLETE. */
  type: 4
  /** Command and the options entered so far. */
  data: ChatInputData
}

/** A user submitted a modal. */
export interface ModalSubmitInteraction extends FromPlayer {
  /** MODAL_SUBMIT. */
  type: 5
  /** Modal and entered values. */
  data: ModalData
}

/** An interaction that a user caused. */
export type PlayerInteraction =
  | ApplicationCommandInteraction
  | MessageComponentInteraction
  | ApplicationCommandAutocompleteInteraction
  | ModalSubmitInteraction

/** Every interaction that an application can receive. */
export type Interaction = PingInteraction | PlayerInteraction
