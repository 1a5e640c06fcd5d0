/** Users, members, roles, channels, messages and files, as interactions carry them. Types only. */
import type { Snowflake } from '../foundation/ids'

/** A user of the service. */
export interface User {
  /** User id. */
  id: Snowflake
  /** Unique user name. */
  username: string
  /** Hash of the avatar image; null without one. */
  avatar?: string | null
  /** Four digits of old accounts; `'0'` otherwise. */
  discriminator?: string
  /** Bit set of public badges. */
  public_flags?: number
  /** Display name that the user chose; null without one. */
  global_name?: string | null
  /** True for the account of an application. */
  bot?: boolean
}

/** A guild member in an interaction (docs/interface/interactions.md#invocation). */
export interface InteractionMember {
  /** The user. */
  user: User
  /** Ids of the roles, without the role of everyone. */
  roles: readonly Snowflake[]
  /** A bit set as decimal digits. */
  permissions: string
  /** Nickname in this guild; null without one. */
  nick?: string | null
  /** ISO 8601. */
  joined_at: string | null
  /** Start of the guild subscription, ISO 8601. */
  premium_since?: string | null
  /** True until the member has passed the membership screening. */
  pending?: boolean
  /** Older name of `pending`. */
  is_pending?: boolean
  /** True when muted in voice channels. */
  mute?: boolean
  /** True when deafened in voice channels. */
  deaf?: boolean
  /** Hash of the avatar of this guild; null without one. */
  avatar?: string | null
}

/** A member in `resolved`; its user is in `resolved.users` under the same id. */
export type ResolvedMember = Omit<InteractionMember, 'user' | 'mute' | 'deaf'>

/** A role of a guild. */
export interface Role {
  /** Role id. */
  id: Snowflake
  /** Name of the role. */
  name: string
  /** Permissions as a bit set in decimal digits. */
  permissions?: string
}

/** A channel that an interaction refers to. */
export interface ResolvedChannel {
  /** Channel id. */
  id: Snowflake
  /** Channel type, see `ChannelType`. */
  type: number
  /** Name; null in direct messages. */
  name?: string | null
  /** Of the player, in this channel. */
  permissions?: string
  /** Of the application, in this channel. */
  app_permissions?: string
}

/** An uploaded file. */
export interface Attachment {
  /** Attachment id. */
  id: Snowflake
  /** Name of the file. */
  filename: string
  /** Size in bytes. */
  size: number
  /** Address of the file. */
  url: string
  /** Media type. */
  content_type?: string
}

/** A message, in the parts that interactions carry. */
export interface Message {
  /** Message id. */
  id: Snowflake
  /** Channel of the message. */
  channel_id: Snowflake
  /** Text of the message. */
  content: string
  /** Sender. */
  author?: User
  /** Embeds, as the service returns them. */
  embeds?: readonly unknown[]
  /** Files of the message. */
  attachments?: readonly Attachment[]
  /** Components, as the service returns them. */
  components?: readonly unknown[]
  /** Bit set. */
  flags?: number
  /** Time of sending, ISO 8601. */
  timestamp?: string
}

/** The objects for the ids in options and in `target_id`. */
export interface ResolvedData {
  /** Users by id. */
  users?: Readonly<Record<string, User>>
  /** Members by user id. */
  members?: Readonly<Record<string, ResolvedMember>>
  /** Roles by id. */
  roles?: Readonly<Record<string, Role>>
  /** Channels by id. */
  channels?: Readonly<Record<string, ResolvedChannel>>
  /** Messages by id. */
  messages?: Readonly<Record<string, Message>>
  /** Attachments by id. */
  attachments?: Readonly<Record<string, Attachment>>
}
