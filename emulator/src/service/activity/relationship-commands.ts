/** Commands about other players: relationships, users, presence and invitations. */
import { findUser } from '../../state/find-user.js'
import { directChannelId } from '../guilds/visible-channels.js'
import { CREATE_INSTANT_INVITE } from '../guilds/member-permissions.js'
import { isObject } from '../../foundation/values.js'
import type { Player } from '../../state/seed/seed.js'
import { permissionsOf } from './channel-commands.js'
import { invalidPayload, optionalText, requireText, type CommandContext } from './check-access.js'
import { RELATIONSHIP_TYPES } from './relationship-store.js'
import { ERROR_CODE, RpcError } from './rpc-messages.js'
import { fullUser } from './rpc-context.js'

/** The relationship of a player to another one, with the other's presence. */
export function relationshipPayload(userId: string, other: Player, { rpc }: Pick<CommandContext, 'rpc'>) {
  const status = rpc.isPlaying(other.id) ? 'online' : 'offline'
  return {
    type: RELATIONSHIP_TYPES[rpc.stores.relationships.kind(userId, other.id)],
    user: fullUser(other),
    presence: { status, activity: rpc.stores.presences.shown(other.id) ?? null },
  }
}

export function getRelationships(_args: unknown, command: CommandContext) {
  const { session, rpc, context } = command
  const { id } = session.place.player
  const others = context.seed.players.filter(
    (other) => other.id !== id && rpc.stores.relationships.kind(id, other.id) !== 'none',
  )
  return { relationships: others.map((other) => relationshipPayload(id, other, command)) }
}

export function getUser(args: Record<string, unknown>, { context }: CommandContext) {
  const player = findUser(requireText(args, 'id', 64), context)
  return player === undefined ? null : fullUser(player)
}

export function setActivity({ activity }: Record<string, unknown>, { session, rpc }: CommandContext) {
  const { id } = session.place.player
  const { presences } = rpc.stores
  if (activity !== null && activity !== undefined && !isObject(activity))
    throw invalidPayload('activity must be an object or null')
  const presence = isObject(activity) ? presences.set(id, activity) : undefined
  if (presence === undefined) presences.delete(id)
  rpc.presenceChanged(id)
  return presence ?? null
}

/** The public documentation names no scope; `relationships.read` is assumed, since the game must know the friend. */
export function inviteUserEmbedded(args: Record<string, unknown>, command: CommandContext): null {
  const content = optionalText(args, 'content') ?? ''
  const invited = findUser(requireText(args, 'user_id', 64), command.context)
  const { player } = command.session.place
  const kind = invited === undefined ? 'none' : command.rpc.stores.relationships.kind(player.id, invited.id)
  if (invited === undefined || invited.id === player.id || kind !== 'friend')
    throw new RpcError(ERROR_CODE.invalidUser, 'Invalid user: it is no friend of the player')
  invite(invited, content, command)
  return null
}

/** Opens the dialog and answers at once, as the public documentation says; the invitations follow. */
export function openInviteDialog(_args: unknown, command: CommandContext): null {
  const { session, context } = command
  const { instance } = session.place
  if (instance.location.guildId === undefined)
    throw new RpcError(
      ERROR_CODE.invalidChannel,
      'Invalid channel: there are no invitations from direct messages',
    )
  if ((permissionsOf(session.place, context) & CREATE_INSTANT_INVITE) === 0n)
    throw new RpcError(ERROR_CODE.invalidPermissions, 'Invalid permissions: CREATE_INSTANT_INVITE is missing')
  void inviteChosen(command)
  return null
}

async function inviteChosen(command: CommandContext): Promise<void> {
  const { session, rpc, context } = command
  const { id: own } = session.place.player
  const friends = context.seed.players.filter(
    ({ id }) => id !== own && rpc.stores.relationships.kind(own, id) === 'friend',
  )
  const { action, choices } = await rpc.ask(session, {
    title: `Invite friends to ${context.seed.application.name}`,
    text: 'Each of them gets a message with an invitation.',
    choices: friends.map(({ id, globalName, username }) => ({ value: id, label: globalName ?? username })),
    multiple: true,
    actions: [
      { value: 'invite', label: 'Invite' },
      { value: 'cancel', label: 'Cancel' },
    ],
  })
  if (action === 'invite')
    for (const friend of friends) if (choices.includes(friend.id)) invite(friend, '', command)
}

function invite(invited: Player, content: string, { session, rpc, context }: CommandContext): void {
  const { player, instance } = session.place
  const { channelId } = instance.location
  const invitation = rpc.stores.invitations.add({
    from: player.id,
    to: invited.id,
    instanceId: instance.id,
    channelId,
    content,
  })
  const words =
    content === ''
      ? `${player.globalName ?? player.username} invites you to ${context.seed.application.name}.`
      : content
  const more = {
    activity_invitation: { id: invitation.id, from: player.id, to: invited.id, instance_id: instance.id },
  }
  rpc.post({ channelId: directChannelId(player.id, invited.id), author: player, content: words, more })
}
