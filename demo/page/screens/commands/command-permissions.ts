/** Permissions for the registered commands of a guild, as the emulator decides them: for each member, and with the rule that refuses one. */
import { askPageServer } from '../../game/ask-page-server'

export interface GuildEntry {
  readonly id: string
  readonly name: string
  readonly channels: readonly { readonly id: string; readonly name: string }[]
}

/** A command, as one member finds it. */
export interface AccessEntry {
  readonly id: string
  readonly name: string
  /** True for a guild command. */
  readonly local: boolean
  /** Rule that keeps the member from the command; absent if they may use it. */
  readonly because?: string
}

export interface MemberAccess {
  readonly id: string
  readonly name: string
  /** Names of the member's roles. */
  readonly roles: readonly string[]
  /** The commands, in the same order for all members. */
  readonly commands: readonly AccessEntry[]
}

/** @throws Error with the reason of the emulator or the server. */
export async function loadGuilds(): Promise<readonly GuildEntry[]> {
  return (await askPageServer<{ guilds: GuildEntry[] }>('guilds')).guilds
}

/** @throws Error with the reason of the emulator or the server. */
export async function loadAccess(guild: string, channel: string): Promise<readonly MemberAccess[]> {
  return (await askPageServer<{ members: MemberAccess[] }>('access', { guild, channel })).members
}

/** Answer in words, for one member and one command. */
export function explainAccess({ name: member, roles }: MemberAccess, { name, because }: AccessEntry): string {
  const who = `${member} (${roles.length === 0 ? 'no role' : roles.join(', ')})`
  return because === undefined ? `${who} may use ${name}.` : `${who} may not use ${name}: ${because}.`
}
