/** Data of the host window's commands and events, in the SDK's field names. Unverified: verify important values on a backend. */
import type { UserId } from '../../shared/foundation/ids'

/** Decoration around an avatar image. */
export interface HostAvatarDecoration {
  /** Hash of the decoration. */
  readonly asset?: string | null
  /** SKU of the decoration. */
  readonly skuId?: string | null
  /** End of the decoration, in epoch seconds. */
  readonly expiresAt?: number
}

/** User of the service, as the host window reports it. */
export interface HostUser {
  /** User id. */
  readonly id: UserId
  /** Unique user name. */
  readonly username: string
  /** Four digits that old user names end with; `0` for all others. */
  readonly discriminator: string
  /** Display name, or null if the user has set none. */
  readonly globalName?: string | null
  /** Hash or address of the avatar image. */
  readonly avatar?: string | null
  /** Decoration around the avatar. */
  readonly avatarDecorationData?: HostAvatarDecoration | null
  /** True for the user of an application. */
  readonly bot: boolean
  /** Bits of the account's flags. */
  readonly flags?: number | null
  /** 0 none, 1 classic, 2 full, 3 basic premium. */
  readonly premiumType?: number | null
}

/** Player whose game is connected. */
export interface HostParticipant extends HostUser {
  /** Name in the guild of the launch. */
  readonly nickname?: string
}

/** Player to whom an access token belongs. */
export interface HostTokenUser extends Pick<
  HostUser,
  'id' | 'username' | 'discriminator' | 'globalName' | 'avatar'
> {
  /** Bits of the account's public flags. */
  readonly publicFlags: number
}

/** Application, as the host window reports it. */
export interface HostApplication {
  /** Application id. */
  readonly id: string
  /** Name for players. */
  readonly name: string
  /** Description for players. */
  readonly description: string
  /** Hash of the icon. */
  readonly icon?: string | null
  /** Origins that may use the host's commands. */
  readonly rpcOrigins?: readonly string[]
}

/** Rich presence that the game sets: what friends see of it. */
export interface HostPresence {
  /** 0 playing, 2 listening, 3 watching, 5 competing. Default: 0. */
  readonly type?: number | undefined
  /** First line, 2 to 128 characters. */
  readonly details?: string | undefined
  /** Address that the first line links to. */
  readonly detailsUrl?: string | undefined
  /** Second line, 2 to 128 characters. */
  readonly state?: string | undefined
  /** Address that the second line links to. */
  readonly stateUrl?: string | undefined
  /** Start and end in epoch milliseconds. */
  readonly timestamps?: { readonly start?: number | undefined; readonly end?: number | undefined } | undefined
  /** Images, their captions, and the addresses that they link to. */
  readonly assets?:
    | {
        readonly largeImage?: string | undefined
        readonly largeText?: string | undefined
        readonly largeUrl?: string | undefined
        readonly smallImage?: string | undefined
        readonly smallText?: string | undefined
        readonly smallUrl?: string | undefined
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

/** Emoji of an activity. */
export interface HostEmoji {
  /** Emoji id; null or absent for one of Unicode. */
  readonly id?: string | null
  /** Name, or the emoji itself. */
  readonly name?: string | null
  /** Roles that may use it. */
  readonly roles?: readonly string[] | null
  /** User who has created it. */
  readonly user?: HostUser | null
  /** True if it is written between colons. */
  readonly requireColons?: boolean | null
  /** True if an integration manages it. */
  readonly managed?: boolean | null
  /** True if it moves. */
  readonly animated?: boolean | null
  /** False if it cannot be used at the moment. */
  readonly available?: boolean | null
}

/** Activity of a user, as the host window reports it: a rich presence, and what the service adds. */
export interface HostActivity {
  /** Name of the application. */
  readonly name: string
  /** 0 playing, 2 listening, 3 watching, 4 custom, 5 competing. */
  readonly type?: number
  /** Address of a stream. */
  readonly url?: string | null
  /** Time at which the activity began, in epoch milliseconds. */
  readonly createdAt?: number | null
  /** Start and end in epoch milliseconds. */
  readonly timestamps?: { readonly start?: number; readonly end?: number } | null
  /** Application that has set it. */
  readonly applicationId?: string | null
  /** Line that is shown in lists: 0 the name, 1 the state, 2 the details. */
  readonly statusDisplayType?: number
  /** First line. */
  readonly details?: string | null
  /** Address that the first line links to. */
  readonly detailsUrl?: string | null
  /** Second line. */
  readonly state?: string | null
  /** Address that the second line links to. */
  readonly stateUrl?: string | null
  /** Emoji of a custom activity. */
  readonly emoji?: HostEmoji | null
  /** Images, their captions, and the addresses that they link to. */
  readonly assets?: {
    readonly largeImage?: string | null
    readonly largeText?: string | null
    readonly largeUrl?: string | null
    readonly smallImage?: string | null
    readonly smallText?: string | null
    readonly smallUrl?: string | null
  } | null
  /** Id of the group, its size (current members and maximum), and 0 for a private one or 1 for a public one. */
  readonly party?: {
    readonly id?: string | null
    readonly size?: readonly number[] | null
    readonly privacy?: number
  } | null
  /** Secrets. Those of other users are never shown. */
  readonly secrets?: { readonly join?: string; readonly match?: string } | null
  /** True if a match has a definite end. */
  readonly instance?: boolean | null
  /** Bits of what the activity offers. */
  readonly flags?: number | null
  /** Session of the user that shows it. */
  readonly sessionId?: string
  /** Track that is played. */
  readonly syncId?: string
  /** Data of the application that has set it. */
  readonly metadata?: object
  /** Platform that it runs on. */
  readonly platform?: string
  /** Platforms on which it can be joined. */
  readonly supportedPlatforms?: readonly string[]
  /** Labels of its buttons. */
  readonly buttons?: readonly string[]
  /** Status of the user in a voice channel. */
  readonly hangStatus?: string
}

/** Relationship of the player to another user. */
export interface HostRelationship {
  /** 1 friend, 2 blocked, 3 received request, 4 sent request; 0 when it ended. */
  readonly type: number
  /** The other user. */
  readonly user: HostUser
  /** Status and rich presence of the other user, without secrets. */
  readonly presence?: { readonly status: string; readonly activity?: HostActivity | null }
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
  /** Topic. */
  readonly topic?: string | null
  /** Place in the list of the guild's channels, from 0. */
  readonly position?: number | null
  /** Bits a second of its voice. */
  readonly bitrate?: number | null
  /** Most users in its voice; 0 for no limit. */
  readonly userLimit?: number | null
  /** Users in the voice of the channel. */
  readonly voiceStates: readonly HostVoiceState[]
  /** Messages of the channel, as the service writes them. */
  readonly messages: readonly Readonly<Record<string, unknown>>[]
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
  /** Application that sells it. */
  readonly applicationId: string
  /** Bits: 4 available, 128 subscription for a guild, 256 subscription for a user. */
  readonly flags: number
  /** Time of its release (ISO 8601), or null. */
  readonly releaseDate: string | null
}

/** Purchase of a player. Verify it on a backend before granting anything. */
export interface HostEntitlement {
  /** Entitlement id. */
  readonly id: string
  /** SKU that was bought. */
  readonly skuId: string
  /** Application that has sold it. */
  readonly applicationId: string
  /** Owner. */
  readonly userId: string
  /** 1 purchase, 2 premium subscription, 3 gift of the developer, 4 purchase in test mode, 5 free, 6 gift of a user, 7 free with premium, 8 subscription of the application. */
  readonly type: number
  /** Bits about the code of a gift. */
  readonly giftCodeFlags: number
  /** Batch of the code of a gift. */
  readonly giftCodeBatchId?: string | null
  /** User who has given it. */
  readonly gifterUserId?: string | null
  /** Branches of the application that it opens. */
  readonly branches?: readonly string[] | null
  /** Beginning (ISO 8601). */
  readonly startsAt?: string | null
  /** End (ISO 8601), of a subscription. */
  readonly endsAt?: string | null
  /** Entitlement that it belongs to, of a bundle. */
  readonly parentId?: string | null
  /** True once a backend has consumed it. */
  readonly consumed?: boolean | null
  /** True once it was refunded or withdrawn. */
  readonly deleted?: boolean | null
}

/** Membership of the player in a guild. */
export interface HostGuildMember {
  /** User id. */
  readonly userId: string
  /** Guild id. */
  readonly guildId: string
  /** Nickname. */
  readonly nick?: string | null
  /** Hash of the avatar in this guild. */
  readonly avatar?: string | null
  /** Decoration around the avatar in this guild. */
  readonly avatarDecorationData?: HostAvatarDecoration | null
  /** Color of the name, as `#rrggbb`. */
  readonly colorString?: string | null
}

/** Orientation lock: 1 unlocked, 2 portrait, 3 landscape. */
export type OrientationLock = 1 | 2 | 3

/** Events of the host window, with their data. */
export interface ActivityHostEvents {
  /** The participants changed. */
  ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE: { readonly participants: readonly HostParticipant[] }
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
  SPEAKING_START: { readonly channelId?: string; readonly lobbyId?: string; readonly userId: string }
  /** A user ended to speak. Scope `rpc.voice.read`; argument `channelId`. */
  SPEAKING_STOP: { readonly channelId?: string; readonly lobbyId?: string; readonly userId: string }
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
