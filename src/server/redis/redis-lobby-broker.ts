/** Lobby broker in Redis, for hubs of several processes. */
import type { Log } from '../../shared/foundation/log-entry'
import type { LobbyBroker } from '../hub/lobby-broker'
// Each script runs atomically, and uses the server's clock only.
import ADD_MEMBER from './lua/add-member.lua?raw'
import GET_ALL from './lua/get-all.lua?raw'
import INCREMENT from './lua/increment.lua?raw'
import MEMBERS from './lua/members.lua?raw'
import NEXT_VERSION from './lua/next-version.lua?raw'
import PUT_NEWEST from './lua/put-newest.lua?raw'
import REMOVE_MEMBER from './lua/remove-member.lua?raw'
import TAKE from './lua/take.lua?raw'
import { CommandFailures } from './command-failures'
import { NoteChannel, type NoteChannelParts } from './note-channel'
import { SetupReport } from './setup-report'
import type { RedisBrokerCommands } from './redis-commands'
import { type OtherRedisClient, redisLink } from './redis-link'
import { watchConnection } from './watch-connection'
import { createScriptRunner } from './run-script'
import { takeOptions } from '../../shared/foundation/take-options'

/** Options of `redisLobbyBroker`. */
export interface RedisLobbyBrokerOptions {
  /** Begins every key and the channel, before the application's id. Hubs of one application with the same prefix share their lobbies. Default: `foyer`. */
  prefix?: string | undefined
  /** Receives faults of the setup (`redis.denied`, `redis.evicts_keys`), each once. Default: the console. */
  logger?: Log | undefined
}

/** Keys in one script call, so that none blocks the server for long. */
const CHUNK = 200
/** ms for which the last version is stored; after that, the server's clock is ahead of it. */
const VERSION_TTL = 3_600_000

/**
 * Creates a lobby broker shared by all processes with the same Redis and prefix. The caller opens and closes the connection; the broker
 * opens a second one for each hub, and closes it with the hub. Every key has a time to live. While Redis is unavailable, each process serves
 * its own players; after that, and whenever notes were lost, all processes compare their lobbies again.
 *
 * @throws ConfigurationError `invalid_argument` unless it is a client of `ioredis`, `iovalkey`, node-redis 5 or later, or `@upstash/redis`.
 * @example
 * ```ts
 * import { Redis } from 'ioredis'
 *
 * const hub = createLobbyHub({ client, verify, broker: redisLobbyBroker(new Redis()) })
 * ```
 */
export function redisLobbyBroker(
  client: RedisBrokerCommands | OtherRedisClient,
  given?: RedisLobbyBrokerOptions,
): LobbyBroker {
  const options = takeOptions({ ...given }, ['prefix', 'logger'])
  const { prefix = 'foyer', logger } = options
  const redis = redisLink(client, ['eval', 'script', 'publish', 'duplicate'])
  const failures = new CommandFailures()
  const setup = new SetupReport(redis, logger)
  const runScript = createScriptRunner(redis, setup)
  const run: typeof runScript = (...call) => failures.watch(runScript(...call))
  // One hash tag, so that a cluster stores all keys on one node and can run the scripts atomically.
  const keyOf = (name: string) => `{${prefix}}:hub:${name}`
  const { keyPrefix, db } = redis.options ?? {}
  const channel = `${keyPrefix ?? ''}${keyOf('notes')}${Number(db) > 0 ? `:${db}` : ''}`
  const notes = openNotes(redis, {
    setup,
    channel,
    failures,
    check: () => run(GET_ALL, [keyOf('version')], []),
  })
  const putNewest: LobbyBroker['putNewest'] = async (key, { version, text }, ttl) =>
    Number(await run(PUT_NEWEST, [keyOf(key)], [version, text, ttl])) === 1
  return {
    forApplication: (id) => redisLobbyBroker(client, { ...options, prefix: `${prefix}:${id}` }),
    publish: (note) => notes.publish(note),
    subscribe: (listener) => notes.subscribe(listener),
    nextVersion: async (least) => Number(await run(NEXT_VERSION, [keyOf('version')], [least, VERSION_TTL])),
    putNewest,
    async put(key, text, ttl) {
      await putNewest(key, { version: 0, text }, ttl)
    },
    getAll: async (keys) =>
      inChunks(keys, async (chunk) => toTexts(await run(GET_ALL, chunk.map(keyOf), []))),
    async take(key) {
      const text = await run(TAKE, [keyOf(key)], [])
      return typeof text === 'string' ? text : undefined
    },
    increment: async (key, amount, ttl) => Number(await run(INCREMENT, [keyOf(key)], [amount, ttl])),
    async addMember(sets, member, ttl) {
      await inChunks(sets, async (chunk) => [await run(ADD_MEMBER, chunk.map(keyOf), [member, ttl])])
    },
    async removeMember(set, member) {
      await run(REMOVE_MEMBER, [keyOf(set)], [member])
    },
    membersOf: async (sets) =>
      inChunks(sets, async (chunk) => toLists(await run(MEMBERS, chunk.map(keyOf), []))),
  }
}

/** Notes are watched apart from scripts: in a cluster another server may answer them. */
function openNotes(
  redis: RedisBrokerCommands,
  { setup, ...parts }: Omit<NoteChannelParts, 'publish' | 'connect'> & { setup: SetupReport },
): NoteChannel {
  const watch = watchConnection(redis)
  return new NoteChannel({
    ...parts,
    publish: (channel, text) => parts.failures.watch(setup.watch(watch(redis.publish(channel, text)))),
    connect: () => redis.duplicate(),
  })
}

async function inChunks<T>(
  names: readonly string[],
  read: (chunk: readonly string[]) => Promise<T[]>,
): Promise<T[]> {
  const results: Promise<T[]>[] = []
  for (let at = 0; at < names.length; at += CHUNK) results.push(read(names.slice(at, at + CHUNK)))
  return (await Promise.all(results)).flat()
}

const toTexts = (reply: unknown): (string | undefined)[] =>
  Array.isArray(reply) ? reply.map((text: unknown) => (typeof text === 'string' ? text : undefined)) : []

const toLists = (reply: unknown): string[][] =>
  Array.isArray(reply) ? reply.map((list: unknown) => (Array.isArray(list) ? list.map(String) : [])) : []
