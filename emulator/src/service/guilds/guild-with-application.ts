/** Installations of the application in guilds and for users. */
import type { Guild } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import { GUILD_INSTALL, USER_INSTALL } from '../../state/installations.js'
import { missingAccess, unknownGuild } from '../../check/api-error.js'

/** @throws ApiError 404 for an unknown guild, 403 for one without the application */
export function guildWithApplication(id: string, context: EmulatorContext): Guild {
  const guild = context.seed.guilds.find((candidate) => candidate.id === id)
  if (guild === undefined) throw unknownGuild()
  if (!guild.installed && !wasInstalled(id, context))
    throw missingAccess('the application is not installed in this guild')
  return guild
}

function wasInstalled(guildId: string, { state }: EmulatorContext): boolean {
  return state.installations
    .list()
    .some(({ integrationType, ownerId }) => integrationType === GUILD_INSTALL && ownerId === guildId)
}

/** True if the player has installed the application. */
export function isInstalledBy(userId: string, { state }: EmulatorContext): boolean {
  return state.installations
    .list()
    .some(({ integrationType, ownerId }) => integrationType === USER_INSTALL && ownerId === userId)
}
