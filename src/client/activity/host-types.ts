/** Data of the host window's commands and events, in the SDK's field names. Unverified: verify important values on a backend. */
import type { UserId } from '../../shared/foundation/ids'

/** User of the service, as the host window reports it. */
export interface HostUser {
  /** User id. */
  readonly id: UserId
  /** Unique user name. */
  readonly username: string
  /** Display name, or null if the user has set none. */
  readonly globalName?: string | null
  /** Hash or address of the avatar image. */
  readonly avatar?: string | null
}

/** Rich presence: what friends see of the game. */
export interface HostPresence {
  /** 0 playing, 2 listening, 3 watching, 5 competing. Default: 0. */
  readonly type?: number | undefined
  /** First line, 2 to 128 characters. */
  readonly details?: string | undefined
  /** Second line, 2 to 128 characters. */
  readonly state?: string | undefined
  /** Start and end in epoch milliseconds. */
  readonly timestamps?: { readonly start?: number | undefined; readonly end?: number | undefined } | undefined
  /** Images and their captions. */
  readonly assets?:
    | {
        readonly largeImage?: string | undefined
        readonly largeText?: string | undefined
        readonly smallImage?: string | undefined
        readonly smallText?: string | undefined
      }
    | undefined
  /** Id of the group, 2 to 128 characters, and its size: current members and maximum. */
  readonly party?:
    { readonly id: string; readonly size?: readonly [current: number, max: number] | undefined } | undefined
  /** Secrets; `join` lets invited players join, 2 to 128 characters. */
  readonly secrets?: { readonly join?: string | undefined; readonly match?: string | undefined } | undefined
  /** True if a match has a definite end. */
  readonly instance?: boolean | undefined
}

/** Relationship of the player to another user. */
export interface HostRelationship {
  /** 1 friend, 2 blocked, 3 received request, 4 sent request; 0 when it ended. */
  readonly type: number
  /** The other user. */
  readonly user: HostUser
  /** Status and rich presence of the other user, without secrets. */
  readonly presence?: { readonly status: string; readonly activity?: HostPresence | null }
}

/** Voice of a user in a channel. */
export interface HostVoiceState {
  /** True if this player muted the user for themself. */
  readonly mute: boolean
  /** Name in the channel. */
  readonly nick: string
  /** The user. */
  readonly user: HostUser
  /** Muted or deafened by a moderator, by the user (`self`), or suppressed in a stage. */
  readonly voiceState: {
    readonly mute: boolean
    readonly deaf: boolean
    readonly selfMute: boolean
    readonly selfDeaf: boolean
    readonly suppress: boolean
  }
  /** Volume in percent. */
  readonly volume: number
}

/** Channel of the service. */
export interface HostChannel {
  /** Channel id. */
  readonly id: string
  /** Number of the channel type. */
  readonly type: number
  /** Guild of the channel. */
  readonly guildId?: string | null
  /** Name; absent in direct messages. */
  readonly name?: string | null
  /** Users in the voice of the channel. */
  readonly voiceStates: readonly HostVoiceState[]
}

/** Product of the application. */
export interface HostSku {
  /** SKU id. */
  readonly id: string
  /** Name for players. */
  readonly name: string
  /** 2 durable, 3 consumable, 4 bundle, 5 subscription. */
  readonly type: number
  /** Amount in the smallest unit of the currency. */
  readonly price: { readonly amount: number; readonly currency: string }
}

/** Purchase of a player. Verify it on a backend before granting anything. */
export interface HostEntitlement {
  /** Entitlement id. */
  readonly id: string
  /** SKU that was bought. */
  readonly skuId: string
  /** Owner. */
  readonly userId: string
  /** 1 purchase, 2 premium subscription, 3 gift of the developer, 4 purchase in test mode, 5 free, 6 gift of a user, 7 free with premium, 8 subscription of the application. */
  readonly type: number
}

/** Membership of the player in a guild. */
export interface HostGuildMember {
  /** User id. */
  readonly userId: string
  /** Guild id. */
  readonly guildId: string
  /** Nickname. */
  readonly nick?: string | null
}

/** Orientation lock: 1 unlocked, 2 portrait, 3 landscape. */
export type OrientationLock = 1 | 2 | 3

/** Events of the host window, with their data. */
export interface ActivityHostEvents {
  /** The participants changed. */
  ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE: { readonly participants: readonly HostUser[] }
  /** The player accepted an invitation. */
  ACTIVITY_JOIN: { readonly applicationId: string; readonly secret: string }
  /** 0 focused, 1 picture in picture, 2 grid. */
  ACTIVITY_LAYOUT_MODE_UPDATE: { readonly layoutMode: number }
  /** 0 portrait, 1 landscape. */
  ORIENTATION_UPDATE: { readonly screenOrientation: number }
  /** The player's account changed. Scope `identify`. */
  CURRENT_USER_UPDATE: HostUser
  /** The player's membership changed. Scopes `identify` and `guilds.members.read`; argument `guildId`. */
  CURRENT_GUILD_MEMBER_UPDATE: HostGuildMember
  /** A relationship or the presence of a friend changed. Scope `relationships.read`. */
  RELATIONSHIP_UPDATE: HostRelationship
  /** The voice of a user changed. Scope `rpc.voice.read`; argument `channelId`. */
  VOICE_STATE_UPDATE: HostVoiceState
  /** A user began to speak. Scope `rpc.voice.read`; argument `channelId`. */
  SPEAKING_START: { readonly channelId?: string; readonly userId: string }
  /** A user ended to speak. Scope `rpc.voice.read`; argument `channelId`. */
  SPEAKING_STOP: { readonly channelId?: string; readonly userId: string }
  /** The player bought something. */
  ENTITLEMENT_CREATE: { readonly entitlement: HostEntitlement }
  /** 0 nominal, 1 fair, 2 serious, 3 critical. Mobile only. */
  THERMAL_STATE_UPDATE: { readonly thermalState: number }
  /** The player enrolled in a quest. */
  QUEST_ENROLLMENT_STATUS_UPDATE: {
    readonly questId: string
    readonly isEnrolled: boolean
    readonly enrolledAt: string
  }
}
