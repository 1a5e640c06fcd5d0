/** What a fresh emulator knows: one application, its players and the guilds it may be installed in. */

export interface Application {
  /** Snowflake: a 64-bit number written in decimal. */
  id: string
  name: string
  redirectUris: string[]
}

export interface Player {
  id: string
  username: string
  globalName: string | null
  email: string
}

export interface Guild {
  id: string
  name: string
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
  application?: { id?: string; name?: string; redirectUris?: string[] }
  users?: { id: string; username: string; globalName?: string | null; email?: string }[]
  guilds?: { id: string; name: string }[]
}
