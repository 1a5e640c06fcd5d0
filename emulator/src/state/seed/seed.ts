/** Initial data of an emulator: an application, its players and guilds. */
import type { Optional } from '../../foundation/values.js'
import type { PrivilegedIntent } from '../../model/intent.js'

export interface Application {
  /** Snowflake: a 64-bit integer as a decimal string. */
  id: string
  name: string
  redirectUris: string[]
  /** Id of the player as whom a client-credentials token acts. */
  ownerId: string
  /** True if it belongs to a team: client-credentials tokens are then limited to scopes for commands. */
  team: boolean
  /** True if it has an Activity, and therefore an entry-point command. */
  activities: boolean
  /** Supported installations: 0 in guilds, 1 by users. */
  integrationTypes: number[]
  /** True if it is listed in the directory, and therefore has no age-restricted commands. */
  discoverable: boolean
  /** The portal's switch Public Client: false if every token request needs the client secret. Default: true. */
  publicClient: boolean
  /** Privileged intents that its portal grants to its bot. Default: all three. */
  privilegedIntents: PrivilegedIntent[]
  /** Applications of the same publisher that use this one's sign-in. */
  children: { id: string; name: string }[]
  /** Address of the game's page, below which an accepted invitation opens `_service/join`. Default: none, and the Activity is opened. */
  joinUrl?: string | undefined
}

export interface Player {
  id: string
  username: string
  globalName: string | null
  /** Hash of the picture; null for a default picture. */
  avatar: string | null
  email: string
  /** Locale in the player's settings. */
  locale: string
  /** True if the player may use age-restricted commands. */
  adult: boolean
}

/** Ordered from the lowest; `permissions` is a bit set as a decimal string. */
export interface Role {
  id: string
  name: string
  permissions: string
}

export interface Channel {
  id: string
  name: string
  type: number
  /** Id of a channel's category, or of a thread's channel. */
  parentId: string | null
  /** True if age-restricted commands can be used here. */
  nsfw: boolean
  overwrites: ChannelOverwrite[]
}

/** Permission overwrite of a channel, for a role or a player. */
export interface ChannelOverwrite {
  id: string
  allow: string
  deny: string
}

export interface Member {
  userId: string
  roles: string[]
}

export interface Guild {
  id: string
  name: string
  ownerId: string
  /** True if the application is installed from the start. */
  installed: boolean
  /** Permissions of every member, those of the role `@everyone`. */
  everyone: string
  /** Roles except `@everyone`; the highest is last. */
  roles: Role[]
  channels: Channel[]
  members: Member[]
}

export interface Seed {
  application: Application
  players: Player[]
  guilds: Guild[]
}

/** Contents of a seed file, and of the `seed` option. */
export interface SeedInput {
  /** `false` omits the default players, guilds and redirect URIs; otherwise the lists below are added to them. Default: true. */
  defaults?: boolean | undefined
  application?: Optional<Application> | undefined
  users?:
    | {
        id: string
        username: string
        globalName?: string | null | undefined
        avatar?: string | null | undefined
        email?: string | undefined
        locale?: string | undefined
        adult?: boolean | undefined
      }[]
    | undefined
  /** Without `members`, a guild has all players; without `channels`, it has `general`. */
  guilds?: GuildInput[] | undefined
}

export interface GuildInput {
  id: string
  name: string
  /** Default: the first player. */
  ownerId?: string | undefined
  installed?: boolean | undefined
  everyone?: string | undefined
  roles?: { id: string; name: string; permissions?: string | undefined }[] | undefined
  channels?:
    | {
        id: string
        name: string
        type?: number | undefined
        parentId?: string | undefined
        nsfw?: boolean | undefined
        overwrites?: { id: string; allow?: string | undefined; deny?: string | undefined }[] | undefined
      }[]
    | undefined
  members?: { userId: string; roles?: string[] | undefined }[] | undefined
}
