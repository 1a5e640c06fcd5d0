/** Resolves the ids in options, and collects the objects for `resolved`. */
import type { VisibleGuildChannel, VisibleChannel } from '../guilds/visible-channels.js'
import type { Option } from '../../model/stored-command.js'
import { memberOf } from '../guilds/member-permissions.js'
import type { Player } from '../../state/seed/seed.js'
import type { EmulatorContext } from '../../state/emulator-context.js'
import type { Attachments } from './attachments.js'
import { KINDS, type Entry, type Find } from './read-inputs.js'
import {
  botPayload,
  channelPayload,
  resolvedMember,
  rolePayload,
  USUAL_APP_PERMISSIONS,
  userPayload,
} from '../guilds/user-payload.js'

type Payload = Record<string, unknown>

export interface ChannelView {
  player: Player
  location: VisibleChannel
  context: EmulatorContext
}

/** Users that a player can mention here: the guild's members, or both sides of a conversation. */
export function usersIn({ player, location, context }: ChannelView): Player[] {
  if (location.kind === 'direct') return [player, location.with ?? []].flat()
  return context.seed.players.filter(({ id }) => memberOf(location.guild, id) !== undefined)
}

export function finder(view: ChannelView): Find {
  const { location, context } = view
  const isUser = (id: string) =>
    usersIn(view).some((user) => user.id === id) || id === context.seed.application.id
  const isRole = (id: string) =>
    location.kind === 'guild' && location.guild.roles.some((role) => role.id === id)
  return (type, id, option) => {
    if (type === KINDS.user) return isUser(id)
    if (type === KINDS.role) return isRole(id)
    if (type === KINDS.mentionable) return isUser(id) || isRole(id)
    return type === KINDS.channel && location.kind === 'guild' && isChannel(location, id, option)
  }
}

function isChannel(
  { guild }: VisibleGuildChannel,
  id: string,
  { channel_types: types }: Pick<Option, 'channel_types'>,
): boolean {
  const channel = guild.channels.find((candidate) => candidate.id === id)
  return channel !== undefined && (types === undefined || types.includes(channel.type))
}

/** Undefined if no option contains an id. */
export function resolve(entries: Entry[], view: ChannelView, attachments: Attachments): Payload | undefined {
  const found: Record<string, Payload> = {}
  const add = (kind: string, id: string, payload: Payload) =>
    Object.assign((found[kind] ??= {}), { [id]: payload })
  for (const { type, value } of leaves(entries)) {
    if (typeof value !== 'string' || type < KINDS.user) continue
    if (type === KINDS.attachment) add('attachments', value, attachments.payload(value))
    if (type > KINDS.mentionable) continue
    for (const [kind, payload] of lookUp(value, view)) add(kind, value, payload)
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** Objects behind an id: a user, and in a guild their membership; a role; a channel. */
export function lookUp(id: string, view: ChannelView): [string, Payload][] {
  const { location, player, context } = view
  if (id === context.seed.application.id) return [['users', botPayload(context)]]
  const user = usersIn(view).find((candidate) => candidate.id === id)
  if (user !== undefined && location.kind === 'direct') return [['users', userPayload(user)]]
  if (location.kind === 'direct') return []
  if (user !== undefined)
    return [
      ['users', userPayload(user)],
      ['members', resolvedMember(user, location.guild, location.channel)],
    ]
  const role = location.guild.roles.find((candidate) => candidate.id === id)
  if (role !== undefined) return [['roles', rolePayload(role)]]
  const channel = location.guild.channels.find((candidate) => candidate.id === id)
  if (channel === undefined) return []
  return [
    [
      'channels',
      { ...channelPayload(channel, player, location.guild), app_permissions: USUAL_APP_PERMISSIONS },
    ],
  ]
}

function leaves(entries: Entry[]): Entry[] {
  return entries.flatMap((entry) => (entry.options === undefined ? [entry] : leaves(entry.options)))
}
