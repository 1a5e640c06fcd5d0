/** Members of guilds who joined by invitation, in addition to those of the seed. */
import type { EmulatorContext } from '../context/emulator-context.js'
import { memberOf } from './member-permissions.js'

/** Adds the members that the state has stored. */
export function addJoinedMembers({ seed, state }: Pick<EmulatorContext, 'seed' | 'state'>): void {
  for (const { guildId, userId } of state.guildInvites.joined()) {
    const guild = seed.guilds.find(({ id }) => id === guildId)
    if (guild !== undefined && memberOf(guild, userId) === undefined) guild.members.push({ userId, roles: [] })
  }
}

/** Restores the members of the seed. */
export function removeJoinedMembers({ seed, state }: Pick<EmulatorContext, 'seed' | 'state'>): void {
  for (const { guildId, userId } of state.guildInvites.joined()) {
    const guild = seed.guilds.find(({ id }) => id === guildId)
    if (guild !== undefined) guild.members = guild.members.filter((member) => member.userId !== userId)
  }
}
