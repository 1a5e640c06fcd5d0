/** The guilds of the service, and which of them have the application. */
import type { Guild } from '../seed/seed.js'
import type { Service } from '../service.js'
import { guildInstall, userInstall } from '../state/installations.js'
import { missingAccess, unknownGuild } from './refusal.js'

/** @throws Refusal 404 for a guild that is not there, 403 for one without the application */
export function guildWithApplication(id: string, service: Service): Guild {
  const guild = service.seed.guilds.find((candidate) => candidate.id === id)
  if (guild === undefined) throw unknownGuild()
  if (!guild.installed && !wasInstalled(id, service)) throw missingAccess('the application is not installed in this guild')
  return guild
}

function wasInstalled(guildId: string, { state }: Service): boolean {
  return state.installations.list().some(({ integrationType, ownerId }) => integrationType === guildInstall && ownerId === guildId)
}

/** Whether a player brings the application along. */
export function isInstalledBy(userId: string, { state }: Service): boolean {
  return state.installations.list().some(({ integrationType, ownerId }) => integrationType === userInstall && ownerId === userId)
}
