/** What a fresh emulator knows: one application, its players and the guilds it may be installed in. */

export interface Application {
  /** Snowflake: a 64-bit number written in decimal. */
  id: string
  name: string
  redirectUris: string[]
  /** The player whom a client-credentials token acts as. */
  ownerId: string
  /** An application of a team gets client-credentials tokens for its commands only. */
  team: boolean
  /** It has an Activity, and with it an entry-point command. */
  activities: boolean
  /** Where it may be installed: 0 in guilds, 1 by players. */
  integrationTypes: number[]
  /** It can be found in the directory, and so holds nothing age-restricted. */
  discoverable: boolean
  /** Applications of the same publisher that use this one's sign-in. */
  children: { id: string; name: string }[]
}

export interface Player {
  id: string
  username: string
  globalName: string | null
  email: string
  /** The language in the player's settings. */
  locale: string
  /** Old enough for age-restricted commands. */
  adult: boolean
}

/** Lowest first; permissions are a bit set written in decimal. */
export interface Role {
  id: string
  name: string
  permissions: string
}

export interface Channel {
  id: string
  name: string
  type: number
  /** The category of a channel, or the channel of a thread. */
  parentId: string | null
  /** Age-restricted commands can be used here. */
  nsfw: boolean
  overwrites: ChannelOverwrite[]
}

/** Whose permissions are others in a channel than in its guild: a role's or a player's. */
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
  /** True for a guild that has the application from the start. */
  installed: boolean
  /** What every member may do: the permissions of the role `@everyone`. */
  everyone: string
  /** Without `@everyone`; the highest comes last. */
  roles: Role[]
  channels: Channel[]
  members: Member[]
}

export interface Seed {
  application: Application
  players: Player[]
  guilds: Guild[]
}

/** The shape of a seed file and of the `seed` option. */
export interface SeedInput {
  /** `false` leaves out the default players, guilds and redirect URIs; otherwise the lists below are added to them. */
  defaults?: boolean
  application?: Partial<Application>
  users?: { id: string; username: string; globalName?: string | null; email?: string; locale?: string; adult?: boolean }[]
  /** A guild that names no members has all players, and one that names no channels has `general`. */
  guilds?: GuildInput[]
}

export interface GuildInput {
  id: string
  name: string
  /** The first player, unless it says otherwise. */
  ownerId?: string
  installed?: boolean
  everyone?: string
  roles?: { id: string; name: string; permissions?: string }[]
  channels?: {
    id: string
    name: string
    type?: number
    parentId?: string
    nsfw?: boolean
    overwrites?: { id: string; allow?: string; deny?: string }[]
  }[]
  members?: { userId: string; roles?: string[] }[]
}
