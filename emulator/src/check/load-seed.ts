/** Parses a seed, and reports all of its problems. */
import { EmulatorError } from '../foundation/emulator-error.js'
import { readText } from '../foundation/text-files.js'
import { avatarHash } from '../state/seed/avatar.js'
import { EVERYONES_PERMISSIONS, bareGuild, defaultSeed, everybody } from '../state/seed/default-seed.js'
import type { Channel, Guild, Member, Player, Role, Seed, SeedInput } from '../state/seed/seed.js'
import { Reader } from './reader.js'

const APPLICATION_FIELDS = [
  'id',
  'name',
  'redirectUris',
  'ownerId',
  'team',
  'activities',
  'integrationTypes',
  'discoverable',
  'publicClient',
  'children',
  'joinUrl',
]
const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** @throws EmulatorError `invalid_seed` that lists every problem with its path. */
export function parseSeed(input: unknown): Seed {
  const reader = new Reader()
  const root = reader.object(input, 'seed', ['defaults', 'application', 'users', 'guilds'])
  const application = reader.object(root['application'] ?? {}, 'application', APPLICATION_FIELDS)
  const base = defaultSeed(
    reader.optional(application['id'], (value) => reader.snowflake(value, 'application.id')),
  )
  if (root['defaults'] === false)
    Object.assign(base, { players: [], guilds: [], application: { ...base.application, redirectUris: [] } })
  else if (root['defaults'] !== undefined && root['defaults'] !== true)
    reader.problem('defaults', 'must be true or false')

  const allPlayers = merge(base.players, playersOf(root['users'], reader))
  const seed: Seed = {
    application: {
      ...base.application,
      ...settings(application, { ownerId: ownerOf(base, allPlayers), reader }),
      name:
        reader.optional(application['name'], (value) => reader.text(value, 'application.name', 100)) ??
        base.application.name,
      redirectUris: [
        ...new Set([...base.application.redirectUris, ...redirectUris(application['redirectUris'], reader)]),
      ],
    },
    players: allPlayers,
    guilds: merge(base.guilds, guildsOf(root['guilds'], { players: allPlayers, reader })),
  }
  check(seed, reader)
  if (reader.problems.length > 0)
    throw new EmulatorError('invalid_seed', `The seed is not valid:\n  ${reader.problems.join('\n  ')}`)
  return seed
}

/** The default owner, if a player has this id. */
function ownerOf({ application }: Seed, all: Player[]): string {
  return (all.find(({ id }) => id === application.ownerId) ?? all[0])?.id ?? ''
}

function settings(
  application: Record<string, unknown>,
  { ownerId, reader }: { ownerId: string; reader: Reader },
) {
  const types = reader.optional(application['integrationTypes'], (value) =>
    reader
      .list(value, 'application.integrationTypes')
      .map((item, index) => reader.whole(item, `application.integrationTypes[${index}]`, 99)),
  )
  return {
    ownerId:
      reader.optional(application['ownerId'], (value) => reader.snowflake(value, 'application.ownerId')) ??
      ownerId,
    team: reader.flag(application['team'], 'application.team', 'no'),
    activities: reader.flag(application['activities'], 'application.activities', 'yes'),
    discoverable: reader.flag(application['discoverable'], 'application.discoverable', 'no'),
    publicClient: reader.flag(application['publicClient'], 'application.publicClient', 'yes'),
    integrationTypes: types === undefined ? [0, 1] : [...new Set(types)],
    joinUrl: reader.optional(application['joinUrl'], (value) => joinUrl(value, reader)),
    ...(application['children'] === undefined ? {} : { children: children(application['children'], reader) }),
  }
}

function children(value: unknown, reader: Reader): { id: string; name: string }[] {
  return reader.list(value, 'application.children').map((item, index) => {
    const path = `application.children[${index}]`
    const child = reader.object(item, path, ['id', 'name'])
    return {
      id: reader.snowflake(child['id'], `${path}.id`),
      name: reader.text(child['name'], `${path}.name`, 100),
    }
  })
}

function playersOf(value: unknown, reader: Reader): Player[] {
  return reader.list(value, 'users').map((item, index) => {
    const path = `users[${index}]`
    const user = reader.object(item, path, [
      'id',
      'username',
      'globalName',
      'avatar',
      'email',
      'locale',
      'adult',
    ])
    const username = reader.text(user['username'], `${path}.username`, 32)
    const globalName = user['globalName'] ?? null
    return {
      id: reader.snowflake(user['id'], `${path}.id`),
      username,
      globalName: globalName === null ? null : reader.text(globalName, `${path}.globalName`, 32),
      avatar: avatarOf(user, path, reader),
      email:
        reader.optional(user['email'], (email) => reader.text(email, `${path}.email`, 254)) ??
        `${username}@players.example`,
      locale:
        reader.optional(user['locale'], (locale) => reader.text(locale, `${path}.locale`, 35)) ?? 'en-US',
      adult: reader.flag(user['adult'], `${path}.adult`, 'yes'),
    }
  })
}

/** The hash of a generated picture, if the seed has none. */
function avatarOf({ id, avatar }: Record<string, unknown>, path: string, reader: Reader): string | null {
  if (avatar === null) return null
  if (avatar === undefined) return avatarHash(String(id))
  const hash = reader.text(avatar, `${path}.avatar`, 128)
  if (!/^(a_)?[0-9a-f]+$/.test(hash))
    reader.problem(
      `${path}.avatar`,
      'must be a hash of hexadecimal digits, with a_ before it if it is animated',
    )
  return hash
}

function redirectUris(value: unknown, reader: Reader): string[] {
  return reader.list(value, 'application.redirectUris').map((item, index) => {
    const path = `application.redirectUris[${index}]`
    const uri = reader.text(item, path, 2048)
    const reason = uri === '' ? undefined : unusable(uri)
    if (reason !== undefined) reader.problem(path, reason)
    return uri
  })
}

function joinUrl(value: unknown, reader: Reader): string {
  const text = reader.text(value, 'application.joinUrl', 2048)
  const url = URL.parse(text)
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname))
  if (text !== '' && (!isWeb || /[?#]/.test(text) || url?.username !== '' || url.password !== ''))
    reader.problem(
      'application.joinUrl',
      'must begin with https://, or with http:// on localhost, and have no query, fragment or user',
    )
  return text
}

/** Rules of RFC 8252 for redirect URIs of native applications. */
function unusable(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url === null) return 'must be an absolute URL'
  if (uri.includes('#')) return 'must have no fragment'
  if (url.protocol === 'http:' && !LOOPBACK_HOSTS.has(url.hostname))
    return 'may use http: on localhost, 127.0.0.1 or [::1] only'
  if (url.protocol === 'https:' && LOOPBACK_HOSTS.has(url.hostname))
    return 'must use http: on a loopback host'
  if (['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:'].includes(url.protocol))
    return `may not use ${url.protocol}`
  return undefined
}

/** Replaces earlier entries with the same id. */
function merge<T extends { id: string }>(base: T[], added: T[]): T[] {
  return [...new Map([...base, ...added].map((entry) => [entry.id, entry])).values()]
}

function check(seed: Seed, reader: Reader): void {
  if (seed.players.length === 0) reader.problem('users', 'must have at least one player')
  if (seed.application.redirectUris.length === 0)
    reader.problem('application.redirectUris', 'must have at least one redirect URI')
  if (!seed.players.some(({ id }) => id === seed.application.ownerId))
    reader.problem('application.ownerId', 'must be the id of a player')
  if (seed.application.children.some(({ id }) => id === seed.application.id))
    reader.problem('application.children', 'must have other ids than the application')
  const names = seed.players.map((player) => player.username)
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined)
    reader.problem('users', `must have one player named ${JSON.stringify(twice)}, not two`)
}

interface Around {
  players: Player[]
  reader: Reader
}

const FIELDS = ['id', 'name', 'ownerId', 'installed', 'everyone', 'roles', 'channels', 'members']

function guildsOf(value: unknown, around: Around): Guild[] {
  return around.reader.list(value, 'guilds').map((item, index) => guild(item, `guilds[${index}]`, around))
}

function guild(item: unknown, path: string, { players, reader }: Around): Guild {
  const given = reader.object(item, path, FIELDS)
  const id = reader.snowflake(given['id'], `${path}.id`)
  const name = reader.text(given['name'], `${path}.name`, 100)
  const ownerId =
    reader.optional(given['ownerId'], (owner) => reader.snowflake(owner, `${path}.ownerId`)) ??
    players[0]?.id ??
    ''
  return {
    ...bareGuild({ id: id === '' ? '0' : id, name, ownerId }),
    installed: reader.flag(given['installed'], `${path}.installed`, 'yes'),
    everyone:
      reader.optional(given['everyone'], (bits) => reader.permissions(bits, `${path}.everyone`)) ??
      EVERYONES_PERMISSIONS,
    roles: reader
      .list(given['roles'], `${path}.roles`)
      .map((role, index) => readRole(role, `${path}.roles[${index}]`, reader)),
    members:
      given['members'] === undefined
        ? everybody(players)
        : reader
            .list(given['members'], `${path}.members`)
            .map((member, index) => readMember(member, `${path}.members[${index}]`, { players, reader })),
    ...(given['channels'] === undefined
      ? {}
      : { channels: channels(given['channels'], `${path}.channels`, reader) }),
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
  if (userId !== '' && !players.some(({ id }) => id === userId))
    reader.problem(`${path}.userId`, 'must be the id of a player')
  const roles = reader
    .list(given['roles'], `${path}.roles`)
    .map((role, index) => reader.snowflake(role, `${path}.roles[${index}]`))
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
      parentId:
        reader.optional(given['parentId'], (parent) => reader.snowflake(parent, `${at}.parentId`)) ?? null,
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

/** @throws EmulatorError `invalid_seed` */
export function loadSeed(seed: SeedInput | string | undefined): Seed {
  return parseSeed(typeof seed === 'string' ? readJson(seed) : (seed ?? {}))
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readText(file))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new EmulatorError('invalid_seed', `The seed file ${file} cannot be read: ${reason}`, { cause })
  }
}
