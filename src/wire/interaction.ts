/** Interactions as they stand on the wire: what an application receives, and what it answers (S:295-325, supplement A.5). Types only. */
import type { Snowflake } from '../foundation/ids'
import type { InteractionContextType } from './command'

/** 1 PING, 2 APPLICATION_COMMAND, 3 MESSAGE_COMPONENT, 4 APPLICATION_COMMAND_AUTOCOMPLETE, 5 MODAL_SUBMIT. */
export type InteractionType = 1 | 2 | 3 | 4 | 5

export interface User {
  id: Snowflake
  username: string
  avatar?: string | null
  discriminator?: string
  public_flags?: number
  global_name?: string | null
  bot?: boolean
}

/** A member of a guild as an interaction tells of it (S:313). */
export interface InteractionMember {
  user: User
  roles: readonly Snowflake[]
  /** A bit set as decimal digits. */
  permissions: string
  nick?: string | null
  /** ISO 8601. */
  joined_at: string | null
  premium_since?: string | null
  pending?: boolean
  is_pending?: boolean
  mute?: boolean
  deaf?: boolean
  avatar?: string | null
}

/** A member in `resolved`: its user stands beside it, under the same id. */
export type ResolvedMember = Omit<InteractionMember, 'user' | 'mute' | 'deaf'>

export interface Role {
  id: Snowflake
  name: string
  permissions?: string
}

export interface ResolvedChannel {
  id: Snowflake
  type: number
  name?: string | null
  /** Of the player, in this channel. */
  permissions?: string
  /** Of the application, in this channel. */
  app_permissions?: string
}

export interface Attachment {
  id: Snowflake
  filename: string
  size: number
  url: string
  content_type?: string
}

export interface Message {
  id: Snowflake
  channel_id: Snowflake
  content: string
  author?: User
  embeds?: readonly unknown[]
  attachments?: readonly Attachment[]
  components?: readonly unknown[]
  flags?: number
  timestamp?: string
}

/** What the ids in options and in `target_id` stand for. */
export interface ResolvedData {
  users?: Readonly<Record<string, User>>
  members?: Readonly<Record<string, ResolvedMember>>
  roles?: Readonly<Record<string, Role>>
  channels?: Readonly<Record<string, ResolvedChannel>>
  messages?: Readonly<Record<string, Message>>
  attachments?: Readonly<Record<string, Attachment>>
}

/** A parameter with its value. */
export interface ParameterEntry {
  type: 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
  name: string
  value: string | number | boolean
  /** Of autocomplete: the player is typing this one (S:323). */
  focused?: boolean
}

/** The subcommand or group that was used. */
export interface RouteEntry {
  type: 1 | 2
  name: string
  options?: readonly OptionEntry[]
}

export type OptionEntry = ParameterEntry | RouteEntry

interface CommandDataBase {
  id: Snowflake
  /** The default name, whatever the player's locale. */
  name: string
  /** Where the command is registered, for a guild command. */
  guild_id?: Snowflake
  version?: Snowflake
}

export interface ChatInputData extends CommandDataBase {
  type: 1
  options?: readonly OptionEntry[]
  resolved?: ResolvedData
}

export interface UserCommandData extends CommandDataBase {
  type: 2
  target_id: Snowflake
  resolved: ResolvedData
}

export interface MessageCommandData extends CommandDataBase {
  type: 3
  target_id: Snowflake
  resolved: ResolvedData
}

export interface EntryPointData extends CommandDataBase {
  type: 4
}

export type CommandData = ChatInputData | UserCommandData | MessageCommandData | EntryPointData

export interface ComponentData {
  custom_id: string
  component_type: number
  values?: readonly string[]
  resolved?: ResolvedData
}

export interface ModalData {
  custom_id: string
  components: readonly unknown[]
}

interface InteractionEnvelope {
  id: Snowflake
  application_id: Snowflake
  /** Answers this one interaction, for 15 minutes. */
  token: string
  version: number
}

interface FromPlayer extends InteractionEnvelope {
  guild_id?: Snowflake
  channel_id?: Snowflake
  channel?: ResolvedChannel
  guild?: Readonly<Record<string, unknown>>
  /** In a guild. */
  member?: InteractionMember
  /** In a direct message. */
  user?: User
  /** The player's. */
  locale?: string
  guild_locale?: string
  app_permissions?: string
  context?: InteractionContextType
  /** `"0"`: the guild that installed the application, `"1"`: the user who did. */
  authorizing_integration_owners?: Readonly<Record<string, string>>
  entitlements?: readonly unknown[]
  attachment_size_limit?: number
  message?: Message
}

/** Is the endpoint there, and does it verify? */
export interface PingInteraction extends InteractionEnvelope {
  type: 1
}

export interface ApplicationCommandInteraction extends FromPlayer {
  type: 2
  data: CommandData
}

export interface MessageComponentInteraction extends FromPlayer {
  type: 3
  data: ComponentData
}

export interface ApplicationCommandAutocompleteInteraction extends FromPlayer {
  type: 4
  data: ChatInputData
}

export interface ModalSubmitInteraction extends FromPlayer {
  type: 5
  data: ModalData
}

export type PlayerInteraction =
  ApplicationCommandInteraction | MessageComponentInteraction | ApplicationCommandAutocompleteInteraction | ModalSubmitInteraction

export type Interaction = PingInteraction | PlayerInteraction
