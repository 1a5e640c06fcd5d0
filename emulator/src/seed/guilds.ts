/** Parses the guilds of a seed, and fills in defaults. */
import { bareGuild, everybody, EVERYONES_PERMISSIONS } from './default-guilds.js'
import type { Reader } from './reader.js'
import type { Channel, Guild, Member, Player, Role } from './seed.js'

interface Around {
  players: Player[]
  reader: Reader
}

const FIELDS = ['id', 'name', 'ownerId', 'installed', 'everyone', 'roles', 'channels', 'members']

export function guilds(value: unknown, around: Around): Guild[] {
  return around.reader.list(value, 'guilds').map((item, index) => guild(item, `guilds[${index}]`, around))
}

function guild(item: unknown, path: string, { players, reader }: Around): Guild {
  const given = reader.object(item, path, FIELDS)
  const id = reader.snowflake(given['id'], `${path}.id`)
  const name = reader.text(given['name'], `${path}.name`, 100)
  const ownerId = reader.optional(given['ownerId'], (owner) => reader.snowflake(owner, `${path}.ownerId`)) ?? players[0]?.id ?? ''
  return {
    ...bareGuild({ id: id === '' ? '0' : id, name, ownerId }),
    installed: reader.flag(given['installed'], `${path}.installed`, 'yes'),
    everyone: reader.optional(given['everyone'], (bits) => reader.permissions(bits, `${path}.everyone`)) ?? EVERYONES_PERMISSIONS,
    roles: reader.list(given['roles'], `${path}.roles`).map((role, index) => readRole(role, `${path}.roles[${index}]`, reader)),
    members:
      given['members'] === undefined
        ? everybody(players)
        : reader
            .list(given['members'], `${path}.members`)
            .map((member, index) => readMember(member, `${path}.members[${index}]`, { players, reader })),
    ...(given['channels'] === undefined ? {} : { channels: channels(given['channels'], `${path}.channels`, reader) }),
  }
}

function readRole(item: unknown, path: string, reader: Reader): Role {
  const given = reader.object(item, path, ['id', 'name', 'permissions'])
  return {
    id: reader.snowflake(given['id'], `${path}.id`),
    name: reader.text(given['name'], `${path}.name`, 100),
    permissions: reader.permissions(given['permissions'] ?? '0', `${path}.permissions`),
  }
}

function readMember(item: unknown, path: string, { players, reader }: Around): Member {
  const given = reader.object(item, path, ['userId', 'roles'])
  const userId = reader.snowflake(given['userId'], `${path}.userId`)
  if (userId !== '' && !players.some(({ id }) => id === userId)) reader.problem(`${path}.userId`, 'must be the id of a player')
  const roles = reader.list(given['roles'], `${path}.roles`).map((role, index) => reader.snowflake(role, `${path}.roles[${index}]`))
  return { userId, roles }
}

function channels(value: unknown, path: string, reader: Reader): Channel[] {
  return reader.list(value, path).map((item, index) => {
    const at = `${path}[${index}]`
    const given = reader.object(item, at, ['id', 'name', 'type', 'parentId', 'nsfw', 'overwrites'])
    return {
      id: reader.snowflake(given['id'], `${at}.id`),
      name: reader.text(given['name'], `${at}.name`, 100),
      type: reader.whole(given['type'] ?? 0, `${at}.type`, 16),
      parentId: reader.optional(given['parentId'], (parent) => reader.snowflake(parent, `${at}.parentId`)) ?? null,
      nsfw: reader.flag(given['nsfw'], `${at}.nsfw`, 'no'),
      overwrites: overwrites(given['overwrites'], `${at}.overwrites`, reader),
    }
  })
}

function overwrites(value: unknown, path: string, reader: Reader): Channel['overwrites'] {
  return reader.list(value, path).map((item, index) => {
    const at = `${path}[${index}]`
    const given = reader.object(item, at, ['id', 'allow', 'deny'])
    return {
      id: reader.snowflake(given['id'], `${at}.id`),
      allow: reader.permissions(given['allow'] ?? '0', `${at}.allow`),
      deny: reader.permissions(given['deny'] ?? '0', `${at}.deny`),
    }
  })
}
