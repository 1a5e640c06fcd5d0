/** Installations of the application in guilds and for users. */
import type { Guild } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { GUILD_INSTALL, USER_INSTALL, type Installation } from '../../state/installations.js'
import { missingAccess, unknownGuild } from '../../check/api-error.js'

/** @throws ApiError 404 for an unknown guild, 403 for one without the application */
export function guildWithApplication(id: string, context: EmulatorContext): Guild {
  const guild = context.seed.guilds.find((candidate) => candidate.id === id)
  if (guild === undefined) throw unknownGuild()
  if (!isGuildInstalled(id, context)) throw missingAccess('the application is not installed in this guild')
  return guild
}

export function isGuildInstalled(guildId: string, context: EmulatorContext): boolean {
  return isInstalledFromStart(guildId, context) || installationsIn(guildId, context).length > 0
}

/** True if the bot is a member of the guild: an installation of commands alone adds none. */
export function isBotIn(guildId: string, context: EmulatorContext): boolean {
  return (
    isInstalledFromStart(guildId, context) ||
    installationsIn(guildId, context).some(({ scope }) => scope.split(' ').includes('bot'))
  )
}

function isInstalledFromStart(guildId: string, { seed }: EmulatorContext): boolean {
  return seed.guilds.some(({ id, installed }) => id === guildId && installed)
}

function installationsIn(guildId: string, { state }: EmulatorContext): Installation[] {
  return state.installations
    .list()
    .filter(({ integrationType, ownerId }) => integrationType === GUILD_INSTALL && ownerId === guildId)
}

/** True if the player has installed the application. */
export function isInstalledBy(userId: string, { state }: EmulatorContext): boolean {
  return state.installations
    .list()
    .some(({ integrationType, ownerId }) => integrationType === USER_INSTALL && ownerId === userId)
}
