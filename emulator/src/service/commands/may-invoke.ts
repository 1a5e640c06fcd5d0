/** Decides whether a member may use a command. */
// Overwrites of the channel come first, then those of the member. At each step the command's come before the application's.
import type { Channel } from '../../state/seed/seed.js'
import type { Overwrite } from '../../state/commands.js'
import { USER_COMMAND, type Definition } from '../../model/stored-command.js'
import {
  ADMINISTRATOR,
  allChannels,
  CHANNEL_TARGET,
  has,
  homeOf,
  isThread,
  ROLE_TARGET,
  SEND_MESSAGES,
  SEND_MESSAGES_IN_THREADS,
  USER_TARGET,
  type Actor,
} from '../guilds/member-permissions.js'

export interface Access {
  allowed: boolean
  because: string
}

interface Question {
  actor: Actor
  channel: Channel | undefined
  definition: Definition
  /** Overwrites of the command, and of the whole application. */
  overwrites: { command: Overwrite[]; application: Overwrite[] }
}

type Level = 'command' | 'application'

export function accessOf({ actor, channel, definition, overwrites }: Question): Access {
  if (has(actor, ADMINISTRATOR)) return { allowed: true, because: 'an administrator may use all commands' }
  const inChannel =
    channel === undefined ? undefined : channelAccess({ actor, channel, definition, overwrites })
  if (inChannel?.allowed === false) return inChannel
  const own = memberAccess(overwrites.command, actor, 'command')
  if (own !== undefined) return own
  const general = memberAccess(overwrites.application, actor, 'application')
  if (general?.allowed === false) return general
  return defaultAccess(definition, actor)
}

/** A user command acts for its user, so it needs the permission to send messages in the channel or thread. */
export function mayInvoke(definition: Definition, actor: Actor, channel: Channel | undefined): boolean {
  return (
    definition.type !== USER_COMMAND ||
    has(actor, isThread(channel) ? SEND_MESSAGES_IN_THREADS : SEND_MESSAGES)
  )
}

function channelAccess({ actor, channel, overwrites }: Question & { channel: Channel }): Access | undefined {
  const { guild } = actor
  const { id } = homeOf(guild, channel)
  for (const level of ['command', 'application'] as const) {
    const entries = overwrites[level].filter(({ type }) => type === CHANNEL_TARGET)
    const entry =
      entries.find((one) => one.id === id) ?? entries.find((one) => one.id === allChannels(guild.id))
    if (entry !== undefined)
      return answer(`the ${level}'s permissions for this channel`, { allowed: entry.permission })
  }
  return undefined
}

/** The member's own entry, or those of the roles (one that allows is enough), or the one for everyone. */
function memberAccess(
  overwrites: Overwrite[],
  { guild, userId, roles }: Actor,
  level: Level,
): Access | undefined {
  const own = overwrites.find(({ id, type }) => type === USER_TARGET && id === userId)
  if (own !== undefined)
    return answer(`the ${level}'s permission for this member`, { allowed: own.permission })
  const ofRoles = overwrites.filter(
    ({ id, type }) => type === ROLE_TARGET && id !== guild.id && roles.includes(id),
  )
  if (ofRoles.length > 0) {
    const allowed = ofRoles.some(({ permission }) => permission)
    return answer(`the ${level}'s permissions for this member's roles`, { allowed })
  }
  const everyone = overwrites.find(({ id, type }) => type === ROLE_TARGET && id === guild.id)
  return everyone && answer(`the ${level}'s permission for everyone`, { allowed: everyone.permission })
}

function defaultAccess(
  { default_member_permissions: bits, default_permission: open }: Definition,
  actor: Actor,
): Access {
  if (bits === null) return answer('the default of the command', { allowed: open })
  const allowed = bits !== '0' && has(actor, BigInt(bits))
  return answer('default_member_permissions of the command', { allowed })
}

function answer(source: string, { allowed }: { allowed: boolean }): Access {
  return { allowed, because: `${source} ${allowed ? 'allow it' : 'do not allow it'}` }
}
