/** Reads a seed, and reports all of its problems. */
import { EmulatorError } from '../foundation/emulator-error.js'
import { readText } from '../foundation/text-files.js'
import { fieldsOf, isSnowflake, textOf } from '../foundation/values.js'
import { PRIVILEGED_INTENTS } from '../model/intent.js'
import { avatarHash } from '../state/seed/avatar.js'
import { EVERYONES_PERMISSIONS, bareGuild, defaultSeed, everybody } from '../state/seed/default-seed.js'
import type { Guild, Player, Seed, SeedInput } from '../state/seed/seed.js'
import { pathText, problem, type PlacedProblem } from './problems.js'
import {
  both,
  flag,
  integer,
  list,
  nullable,
  oneOf,
  optional,
  pattern,
  read,
  refine,
  snowflake,
  strictObject,
  text,
  type Fields,
  type Place,
  type Schema,
  type ValueOf,
} from './schema.js'

const LOOPBACK_HOSTS = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The place is all that a developer is told: there is no request, and no error of the service. */
const wrong = (rule: string) => problem('SEED_INVALID', `This ${rule}.`, rule)

const BLANK = wrong('must have more than blanks')
const NOT_BITS = wrong('must be a bit set: a number in decimal digits, written as a string')
const NOT_HASH = wrong('must be a hash of hexadecimal digits, with a_ before it if it is animated')
const NOT_JOIN_URL = wrong(
  'must begin with https://, or with http:// on localhost, and have no query, fragment or user',
)

const shown = (most: number): Schema<string> =>
  refine(text({ least: 1, most }), (value, at) => {
    if (value.trim() === '') at.add(BLANK)
  })

const bits = pattern(/^[0-9]{1,40}$/, NOT_BITS)

const redirectUri = refine(shown(2048), (uri, at) => {
  const reason = unusable(uri)
  if (reason !== undefined) at.add(wrong(reason))
})

const joinUrl = refine(shown(2048), (value, at) => {
  const url = URL.parse(value)
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname))
  if (!isWeb || /[?#]/.test(value) || url?.username !== '' || url.password !== '') at.add(NOT_JOIN_URL)
})

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

const applicationInput = strictObject({
  id: optional(snowflake),
  name: optional(shown(100)),
  redirectUris: optional(list(redirectUri)),
  ownerId: optional(snowflake),
  team: optional(flag),
  activities: optional(flag),
  integrationTypes: optional(list(integer(0, 99))),
  discoverable: optional(flag),
  publicClient: optional(flag),
  privilegedIntents: optional(list(oneOf(PRIVILEGED_INTENTS))),
  children: optional(list(strictObject({ id: snowflake, name: shown(100) }))),
  joinUrl: optional(joinUrl),
})

const userInput = strictObject({
  id: snowflake,
  username: shown(32),
  globalName: optional(nullable(shown(32))),
  avatar: optional(nullable(both(shown(128), pattern(/^(a_)?[0-9a-f]+$/, NOT_HASH)))),
  email: optional(shown(254)),
  locale: optional(shown(35)),
  adult: optional(flag),
})

const overwriteInput = strictObject({ id: snowflake, allow: optional(bits), deny: optional(bits) })

const channelInput = strictObject({
  id: snowflake,
  name: shown(100),
  type: optional(integer(0, 16)),
  parentId: optional(snowflake),
  nsfw: optional(flag),
  overwrites: optional(list(overwriteInput)),
})

const guildInput = strictObject({
  id: snowflake,
  name: shown(100),
  ownerId: optional(snowflake),
  installed: optional(flag),
  everyone: optional(bits),
  roles: optional(list(strictObject({ id: snowflake, name: shown(100), permissions: optional(bits) }))),
  channels: optional(list(channelInput)),
  members: optional(list(strictObject({ userId: snowflake, roles: optional(list(snowflake)) }))),
})

const seedInput = strictObject(
  {
    defaults: optional(flag),
    application: optional(applicationInput),
    users: optional(list(userInput)),
    guilds: optional(list(guildInput)),
  },
  checkReferences,
)

/** @throws EmulatorError `invalid_seed` that lists every problem with its path. */
export function parseSeed(input: unknown): Seed {
  const { defaults = true, application, users = [], guilds = [] } = read(seedInput, input, refuse)
  const base = defaultSeed(application?.id)
  if (!defaults)
    Object.assign(base, { players: [], guilds: [], application: { ...base.application, redirectUris: [] } })
  const players = merge(base.players, users.map(playerOf))
  return {
    application: applicationOf(application ?? {}, { base, players }),
    players,
    guilds: merge(
      base.guilds,
      guilds.map((guild) => guildOf(guild, players)),
    ),
  }
}

function refuse(problems: readonly PlacedProblem[]): never {
  const lines = problems.map(({ path, rule }) => `${pathText(path) || 'seed'} ${rule}`)
  throw new EmulatorError('invalid_seed', `The seed is not valid:\n  ${lines.join('\n  ')}`)
}

function applicationOf(
  given: Partial<ValueOf<typeof applicationInput>>,
  { base, players }: { base: Seed; players: Player[] },
): Seed['application'] {
  const { application } = base
  const owner = players.find(({ id }) => id === application.ownerId) ?? players[0]
  const { integrationTypes: types } = given
  return {
    ...application,
    name: given.name ?? application.name,
    redirectUris: [...new Set([...application.redirectUris, ...(given.redirectUris ?? [])])],
    ownerId: given.ownerId ?? owner?.id ?? '',
    team: given.team ?? false,
    activities: given.activities ?? true,
    discoverable: given.discoverable ?? false,
    publicClient: given.publicClient ?? true,
    privilegedIntents: [...new Set(given.privilegedIntents ?? PRIVILEGED_INTENTS)],
    integrationTypes: types === undefined ? [0, 1] : [...new Set(types)],
    joinUrl: given.joinUrl,
    ...(given.children === undefined ? {} : { children: given.children }),
  }
}

/** The hash of a generated picture, if the seed has none. */
function playerOf(user: ValueOf<typeof userInput>): Player {
  const { id, username } = user
  return {
    id,
    username,
    globalName: user.globalName ?? null,
    avatar: user.avatar === undefined ? avatarHash(id) : user.avatar,
    email: user.email ?? `${username}@players.example`,
    locale: user.locale ?? 'en-US',
    adult: user.adult ?? true,
  }
}

function guildOf(given: ValueOf<typeof guildInput>, players: Player[]): Guild {
  const { id, name, ownerId = players[0]?.id ?? '' } = given
  return {
    ...bareGuild({ id, name, ownerId }),
    installed: given.installed ?? true,
    everyone: bitsOf(given.everyone ?? EVERYONES_PERMISSIONS),
    roles: (given.roles ?? []).map((role) => ({ ...role, permissions: bitsOf(role.permissions) })),
    members: given.members?.map(({ userId, roles = [] }) => ({ userId, roles })) ?? everybody(players),
    ...(given.channels === undefined ? {} : { channels: given.channels.map(channelOf) }),
  }
}

function channelOf(given: ValueOf<typeof channelInput>): Guild['channels'][number] {
  const { id, name, type = 0, parentId = null, nsfw = false, overwrites = [] } = given
  return {
    id,
    name,
    type,
    parentId,
    nsfw,
    overwrites: overwrites.map(({ allow, deny, ...target }) => ({
      ...target,
      allow: bitsOf(allow),
      deny: bitsOf(deny),
    })),
  }
}

/** Without leading zeros. */
const bitsOf = (value = '0'): string => String(BigInt(value))

/** Replaces earlier entries with the same id. */
function merge<T extends { id: string }>(base: T[], added: T[]): T[] {
  return [...new Map([...base, ...added].map((entry) => [entry.id, entry])).values()]
}

/** Checks references between the parts of the seed. It reads the fields as they were written, so that all problems are reported at once. */
function checkReferences({ defaults, application, users, guilds }: Fields, at: Place): void {
  const { id, ownerId, redirectUris, children } = fieldsOf(application)
  const base = defaultSeed(isSnowflake(id) ? id : undefined)
  const own = listOf(users).map(fieldsOf)
  const given = [...(defaults === false ? [] : base.players.map((player) => ({ ...player }))), ...own]
  const players = [...new Map(given.map((player) => [player.id, player])).values()]
  const isPlayer = (userId: unknown) => players.some((player) => player.id === userId)
  const its = (name: string) => at.at('application', name)
  if (players.length === 0) at.at('users').add(wrong('must have at least one player'))
  if (defaults === false && listOf(redirectUris).length === 0)
    its('redirectUris').add(wrong('must have at least one redirect URI'))
  if (ownerId !== undefined && !isPlayer(ownerId)) its('ownerId').add(wrong('must be the id of a player'))
  if (listOf(children).some((child) => fieldsOf(child)['id'] === (id ?? base.application.id)))
    its('children').add(wrong('must have other ids than the application'))
  const names = new Map<unknown, unknown>()
  for (const player of players) {
    if (names.has(player.username) && names.get(player.username) !== player.id)
      at.at('users').add(wrong(`must have one player named ${JSON.stringify(player.username)}, not two`))
    names.set(player.username, player.id)
  }
  for (const [index, guild] of listOf(guilds).entries())
    for (const [number, member] of listOf(fieldsOf(guild)['members']).entries()) {
      const { userId } = fieldsOf(member)
      if (isSnowflake(userId) && !isPlayer(userId))
        at.at('guilds', index, 'members', number, 'userId').add(wrong('must be the id of a player'))
    }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** @throws EmulatorError `invalid_seed` */
export function loadSeed(seed: SeedInput | string | undefined): Seed {
  return parseSeed(typeof seed === 'string' ? readJson(seed) : (seed ?? {}))
}

const EXAMPLE = '{ "users": [{ "id": "1001", "username": "eve" }] }'

function readJson(file: string): unknown {
  const refused = (reason: string, cause: unknown) =>
    new EmulatorError('invalid_seed', `The seed file ${file} cannot be read: ${reason}`, { cause })
  const content = readSeedText(file, refused)
  try {
    return JSON.parse(content)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw refused(
      `it must be JSON, without comments and without a comma before a closing bracket, such as ${EXAMPLE}. ${reason}`,
      cause,
    )
  }
}

function readSeedText(file: string, refused: (reason: string, cause: unknown) => EmulatorError): string {
  try {
    return readText(file)
  } catch (cause) {
    const code = textOf(fieldsOf(cause)['code'])
    if (file.trimStart().startsWith('{'))
      throw refused('a seed is given as the path of a file, and in a program also as an object', cause)
    if (code === 'ENOENT')
      throw refused(`there is no such file in ${process.cwd()}; write ${EXAMPLE} into it`, cause)
    if (code === 'EISDIR') throw refused('it is a folder; give the path of a JSON file in it', cause)
    throw refused(cause instanceof Error ? cause.message : String(cause), cause)
  }
}
