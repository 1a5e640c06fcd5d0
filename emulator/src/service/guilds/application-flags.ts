/** Public flags of the application: that it has an Activity, and which privileged intents it is granted. */
import type { PrivilegedIntent } from '../../model/intent.js'
import type { Application } from '../../state/seed/seed.js'

const EMBEDDED = 1 << 17

/** Flags of applications that few guilds have installed, so that nobody had to verify them. */
const LIMITED: Readonly<Record<PrivilegedIntent, number>> = {
  GUILD_PRESENCES: 1 << 13,
  GUILD_MEMBERS: 1 << 15,
  MESSAGE_CONTENT: 1 << 19,
}

export function applicationFlags({
  activities,
  privilegedIntents,
}: Pick<Application, 'activities' | 'privilegedIntents'>): number {
  return privilegedIntents.reduce((flags, name) => flags | LIMITED[name], activities ? EMBEDDED : 0)
}
