/** Looks up what the ids in options stand for, and gathers it for `resolved`. */
import type { GuildSpot, Spot } from '../channels.js'
import type { Option } from '../commands/definition.js'
import { memberOf } from '../commands/members.js'
import type { Player } from '../seed/seed.js'
import type { Service } from '../service.js'
import type { Attachments } from './attachments.js'
import { kinds, type Entry, type Find } from './options.js'
import { botPayload, channelPayload, resolvedMember, rolePayload, userPayload } from './people.js'

type Payload = Record<string, unknown>

export interface Scene {
  player: Player
  spot: Spot
  service: Service
}

/** Whom a player can name here: the guild's members, or the two of a conversation. */
export function peopleIn({ player, spot, service }: Scene): Player[] {
  if (spot.kind === 'direct') return [player, spot.with ?? []].flat()
  return service.seed.players.filter(({ id }) => memberOf(spot.guild, id) !== undefined)
}

export function finder(scene: Scene): Find {
  const { spot, service } = scene
  const isPerson = (id: string) => peopleIn(scene).some((person) => person.id === id) || id === service.seed.application.id
  const isRole = (id: string) => spot.kind === 'guild' && spot.guild.roles.some((role) => role.id === id)
  return (type, id, option) => {
    if (type === kinds.user) return isPerson(id)
    if (type === kinds.role) return isRole(id)
    if (type === kinds.mentionable) return isPerson(id) || isRole(id)
    return type === kinds.channel && spot.kind === 'guild' && isChannel(spot, id, option)
  }
}

function isChannel({ guild }: GuildSpot, id: string, { channel_types: types }: Option): boolean {
  const channel = guild.channels.find((candidate) => candidate.id === id)
  return channel !== undefined && (types === undefined || types.includes(channel.type))
}

/** Undefined when no option names anything. */
export function resolve(entries: Entry[], scene: Scene, attachments: Attachments): Payload | undefined {
  const found: Record<string, Payload> = {}
  const add = (kind: string, id: string, payload: Payload) => Object.assign((found[kind] ??= {}), { [id]: payload })
  for (const { type, value } of leaves(entries)) {
    if (typeof value !== 'string' || type < kinds.user) continue
    if (type === kinds.attachment) add('attachments', value, attachments.payload(value))
    if (type > kinds.mentionable) continue
    for (const [kind, payload] of lookUp(value, scene)) add(kind, value, payload)
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** Everything that an id stands for: a user, and in a guild their membership; a role; a channel. */
export function lookUp(id: string, scene: Scene): [string, Payload][] {
  const { spot, player, service } = scene
  if (id === service.seed.application.id) return [['users', botPayload(service)]]
  const person = peopleIn(scene).find((candidate) => candidate.id === id)
  if (person !== undefined && spot.kind === 'direct') return [['users', userPayload(person)]]
  if (spot.kind === 'direct') return []
  if (person !== undefined)
    return [
      ['users', userPayload(person)],
      ['members', resolvedMember(person, spot.guild, spot.channel)],
    ]
  const role = spot.guild.roles.find((candidate) => candidate.id === id)
  if (role !== undefined) return [['roles', rolePayload(role)]]
  const channel = spot.guild.channels.find((candidate) => candidate.id === id)
  return channel === undefined ? [] : [['channels', channelPayload(channel, player, spot.guild)]]
}

function leaves(entries: Entry[]): Entry[] {
  return entries.flatMap((entry) => (entry.options === undefined ? [entry] : leaves(entry.options)))
}
