/** Turns a seed as somebody wrote it into one the emulator can start with, or says everything that is wrong with it. */
import { EmulatorError } from '../error.js'
import { defaultSeed } from './defaults.js'
import { Reader } from './reader.js'
import type { Guild, Player, Seed } from './seed.js'

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

/** @throws EmulatorError `invalid_seed` that lists every problem with its path. */
export function parseSeed(input: unknown): Seed {
  const reader = new Reader()
  const root = reader.object(input, 'seed', ['defaults', 'application', 'users', 'guilds'])
  const application = reader.object(root['application'] ?? {}, 'application', ['id', 'name', 'redirectUris'])
  const base = defaultSeed(reader.optional(application['id'], (value) => reader.snowflake(value, 'application.id')))
  if (root['defaults'] === false) Object.assign(base, { players: [], guilds: [], application: { ...base.application, redirectUris: [] } })
  else if (root['defaults'] !== undefined && root['defaults'] !== true) reader.problem('defaults', 'must be true or false')

  const seed: Seed = {
    application: {
      id: base.application.id,
      name: reader.optional(application['name'], (value) => reader.text(value, 'application.name', 100)) ?? base.application.name,
      redirectUris: [...new Set([...base.application.redirectUris, ...redirectUris(application['redirectUris'], reader)])],
    },
    players: merge(base.players, players(root['users'], reader)),
    guilds: merge(base.guilds, guilds(root['guilds'], reader)),
  }
  check(seed, reader)
  if (reader.problems.length > 0) throw new EmulatorError('invalid_seed', `The seed is not valid:\n  ${reader.problems.join('\n  ')}`)
  return seed
}

function players(value: unknown, reader: Reader): Player[] {
  return reader.list(value, 'users').map((item, index) => {
    const path = `users[${index}]`
    const user = reader.object(item, path, ['id', 'username', 'globalName', 'email'])
    const username = reader.text(user['username'], `${path}.username`, 32)
    const globalName = user['globalName'] ?? null
    return {
      id: reader.snowflake(user['id'], `${path}.id`),
      username,
      globalName: globalName === null ? null : reader.text(globalName, `${path}.globalName`, 32),
      email: reader.optional(user['email'], (email) => reader.text(email, `${path}.email`, 254)) ?? `${username}@players.example`,
    }
  })
}

function guilds(value: unknown, reader: Reader): Guild[] {
  return reader.list(value, 'guilds').map((item, index) => {
    const path = `guilds[${index}]`
    const guild = reader.object(item, path, ['id', 'name'])
    return { id: reader.snowflake(guild['id'], `${path}.id`), name: reader.text(guild['name'], `${path}.name`, 100) }
  })
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

/** The rules of RFC 8252 for native applications, in the words of a seed file. */
function unusable(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url === null) return 'must be an absolute URL'
  if (uri.includes('#')) return 'must have no fragment'
  if (url.protocol === 'http:' && !loopbackHosts.has(url.hostname)) return 'may use http: on localhost, 127.0.0.1 or [::1] only'
  if (url.protocol === 'https:' && loopbackHosts.has(url.hostname)) return 'must use http: on a loopback host'
  if (['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:'].includes(url.protocol)) return `may not use ${url.protocol}`
  return undefined
}

/** An entry with the id of an earlier one takes its place. */
function merge<T extends { id: string }>(base: T[], added: T[]): T[] {
  return [...new Map([...base, ...added].map((entry) => [entry.id, entry])).values()]
}

function check(seed: Seed, reader: Reader): void {
  if (seed.players.length === 0) reader.problem('users', 'must have at least one player')
  if (seed.application.redirectUris.length === 0) reader.problem('application.redirectUris', 'must have at least one redirect URI')
  const names = seed.players.map((player) => player.username)
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) reader.problem('users', `must have one player named ${JSON.stringify(twice)}, not two`)
}
