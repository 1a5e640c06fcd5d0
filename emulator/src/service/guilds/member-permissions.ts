/** Permissions of guild members, and the roles, members and channels that they may manage. */
import type { Overwrite } from '../../state/commands.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Channel, Guild, Member } from '../../state/seed/seed.js'

export const CREATE_INSTANT_INVITE = 1n << 0n
export const ADMINISTRATOR = 1n << 3n
export const MANAGE_CHANNELS = 1n << 4n
export const MANAGE_GUILD = 1n << 5n
export const VIEW_CHANNEL = 1n << 10n
export const SEND_MESSAGES = 1n << 11n
export const MANAGE_ROLES = 1n << 28n
export const SEND_MESSAGES_IN_THREADS = 1n << 38n

const EVERYTHING = (1n << 64n) - 1n
const THREAD_TYPES = new Set([10, 11, 12])

export const ROLE_TARGET = 1
export const USER_TARGET = 2
export const CHANNEL_TARGET = 3

export interface Actor {
  guild: Guild
  userId: string
  roles: string[]
  /** Permissions in the channel, if there is one. */
  permissions: bigint
}

export function memberOf(guild: Guild, userId: string): Member | undefined {
  return guild.members.find((member) => member.userId === userId)
}

export function actorIn(guild: Guild, { userId, roles }: Member, channel?: Channel): Actor {
  const own = guild.roles.filter(({ id }) => roles.includes(id))
  const base = own.reduce((bits, role) => bits | BigInt(role.permissions), BigInt(guild.everyone))
  const all = userId === guild.ownerId || (base & ADMINISTRATOR) !== 0n
  const permissions = all
    ? EVERYTHING
    : channel === undefined
      ? base
      : within(base, channel, { guild, ids: [...roles, userId], userId })
  return { guild, userId, roles, permissions }
}

/** Applies a channel's overwrites: those for everyone, then those of all roles together, then the member's own. */
function within(
  base: bigint,
  channel: Channel,
  { guild, ids, userId }: { guild: Guild; ids: string[]; userId: string },
): bigint {
  const home = homeOf(guild, channel)
  const rounds = [[guild.id], ids.filter((id) => id !== userId), [userId]]
  return rounds.reduce((bits, round) => {
    const entries = home.overwrites.filter(({ id }) => round.includes(id))
    const allowed = entries.reduce((sum, { allow }) => sum | BigInt(allow), 0n)
    const denied = entries.reduce((sum, { deny }) => sum | BigInt(deny), 0n)
    return (bits & ~denied) | allowed
  }, base)
}

/** Parent channel of a thread; any other channel itself. */
export function homeOf(guild: Guild, channel: Channel): Channel {
  if (!isThread(channel)) return channel
  return guild.channels.find(({ id }) => id === channel.parentId) ?? channel
}

export function isThread(channel: Channel | undefined): boolean {
  return channel !== undefined && THREAD_TYPES.has(channel.type)
}

export function has(actor: Actor, bits: bigint): boolean {
  return (actor.permissions & bits) === bits
}

/** True if the actor may manage the target. Targets that do not exist in the guild affect nobody, so anyone may name them. */
export function mayManage(actor: Actor, { id, type }: Overwrite): boolean {
  const { guild } = actor
  if (actor.userId === guild.ownerId) return true
  if (type === ROLE_TARGET)
    return !guild.roles.some((role) => role.id === id) || rankOfRole(guild, id) < rankOf(guild, actor.roles)
  if (type === CHANNEL_TARGET) return mayManageChannel(actor, id)
  const target = memberOf(guild, id)
  if (target === undefined || id === actor.userId) return true
  return id !== guild.ownerId && rankOf(guild, target.roles) < rankOf(guild, actor.roles)
}

function mayManageChannel(actor: Actor, id: string): boolean {
  const { guild } = actor
  const member = memberOf(guild, actor.userId)
  const channel = guild.channels.find((candidate) => candidate.id === id)
  if (channel === undefined || member === undefined)
    return id !== allChannels(guild.id) || has(actor, MANAGE_CHANNELS)
  return has(actorIn(guild, member, channel), MANAGE_CHANNELS | VIEW_CHANNEL)
}

/** Id for all channels: the guild's id minus one, as a bigint, since a number is not exact enough. */
export function allChannels(guildId: string): string {
  return String(BigInt(guildId) - 1n)
}

function rankOf(guild: Guild, roles: string[]): number {
  return Math.max(0, ...roles.map((id) => rankOfRole(guild, id)))
}

/** Position from 1, the lowest; 0 for `@everyone` and unknown roles. */
function rankOfRole(guild: Guild, id: string): number {
  return guild.roles.findIndex((role) => role.id === id) + 1
}

/** Adds the members that the state has stored. */
export function addJoinedMembers({ seed, state }: Pick<EmulatorContext, 'seed' | 'state'>): void {
  for (const { guildId, userId } of state.guildInvites.joined()) {
    const guild = seed.guilds.find(({ id }) => id === guildId)
    if (guild !== undefined && memberOf(guild, userId) === undefined)
      guild.members.push({ userId, roles: [] })
  }
}

/** Restores the members of the seed. */
export function removeJoinedMembers({ seed, state }: Pick<EmulatorContext, 'seed' | 'state'>): void {
  for (const { guildId, userId } of state.guildInvites.joined()) {
    const guild = seed.guilds.find(({ id }) => id === guildId)
    if (guild !== undefined) guild.members = guild.members.filter((member) => member.userId !== userId)
  }
}
