/** Payloads of users, members, roles and channels in interactions. */
import { actorIn, memberOf } from './member-permissions.js'
import type { Channel, Guild, Player, Role } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'

type Payload = Record<string, unknown>

/** Of the application, in every channel: view channels, send messages, embed links, attach files. */
export const USUAL_APP_PERMISSIONS = String((1n << 10n) | (1n << 11n) | (1n << 14n) | (1n << 15n))

export function userPayload({ id, username, globalName, avatar }: Player): Payload {
  return { id, username, avatar, ...USUAL_FIELDS, global_name: globalName }
}

/** Fields that every user has, with the values of one without them. */
const USUAL_FIELDS = { discriminator: '0', public_flags: 0, flags: 0, global_name: null, primary_guild: null }

/** A user whose account was deleted keeps only the id. */
export function deletedUserPayload(id: string): Payload {
  return { id, username: 'deleted', avatar: null, ...USUAL_FIELDS }
}

/** Author of the application's messages. */
export function botPayload({ seed }: EmulatorContext): Payload {
  const { id, name } = seed.application
  return { id, username: name, avatar: null, ...USUAL_FIELDS, bot: true }
}

/** Member payload with the permissions in this channel. */
export function memberPayload(player: Player, guild: Guild, channel: Channel): Payload {
  return { user: userPayload(player), ...resolvedMember(player, guild, channel), mute: false, deaf: false }
}

/** Member payload without `user`, `mute` and `deaf`: `resolved` contains the user separately. */
export function resolvedMember(player: Player, guild: Guild, channel: Channel): Payload {
  return {
    ...plainMember(memberOf(guild, player.id)?.roles ?? []),
    permissions: permissionsIn(player, guild, channel),
  }
}

/** Member payload without `user`, `mute` and `deaf`, and without permissions, which belong to a channel. */
export function plainMember(roles: readonly string[]): Payload {
  return {
    roles,
    nick: null,
    joined_at: '2024-01-15T12:00:00.000000+00:00',
    premium_since: null,
    pending: false,
    is_pending: false,
    avatar: null,
    flags: 0,
  }
}

export function rolePayload({ id, name, permissions }: Role): Payload {
  return { id, name, permissions, color: 0, hoist: false, managed: false, mentionable: false }
}

export function channelPayload(channel: Channel, player: Player, guild: Guild): Payload {
  const { id, name, type, parentId } = channel
  return { id, name, type, parent_id: parentId, permissions: permissionsIn(player, guild, channel) }
}

function permissionsIn(player: Player, guild: Guild, channel: Channel): string {
  const member = memberOf(guild, player.id)
  return member === undefined ? '0' : String(actorIn(guild, member, channel).permissions)
}
