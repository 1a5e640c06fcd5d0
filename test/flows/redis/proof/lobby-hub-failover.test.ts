/** Four processes with a lobby hub on a Redis that fails over: with Sentinels, and as a cluster. Real processes and servers. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { type Client, type Fetch, lobbyStream } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HEALED } from '../../../support/healed'
import { LobbyGame, recordEvents } from '../../../support/lobby-game'
import { type RedisGroup, startCluster, startSentinelGroup } from '../../../support/redis-groups'
import { missingRedis } from '../../../support/redis-server'
import { skipIfMissing } from '../../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())

const FILE = fileURLToPath(new URL('../../../support/hub-process.mjs', import.meta.url))
const BACKEND = 'https://game.test'

let emulator: Emulator
let game: LobbyGame
let group: RedisGroup | undefined
let children: ChildProcess[]

const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as T)))

async function startProcess(by: string): Promise<number> {
  const child = fork(FILE)
  children.push(child)
  await nextMessage(child)
  const { id: applicationId, botToken: token } = emulator.application
  child.send({ host: emulator.url, applicationId, token, redis: group?.where, by })
  return (await nextMessage<{ port: number }>(child)).port
}

const delayed = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Signs in a player whose stream is at one process; the player's reports go to the next one. */
function play(as: string, ports: readonly number[], home: number): Promise<Client> {
  const send: Fetch = (url, init) => {
    const port = ports[(home + (init.method === 'POST' ? 1 : 0)) % ports.length]
    return fetch(url.startsWith(BACKEND) ? url.replace(BACKEND, `http://127.0.0.1:${port}`) : url, init)
  }
  const lobbyUpdates = lobbyStream(`${BACKEND}/lobbies`)
  return game.player(as, {
    fetch: send,
    backendOrigins: [BACKEND],
    lobbyUpdates,
    clock: { now: () => Date.now(), after: delayed },
  })
}

beforeEach(async () => {
  children = []
  emulator = await createEmulator()
  game = new LobbyGame(emulator)
})
afterEach(async () => {
  game.close()
  for (const child of children) child.kill()
  await group?.close()
  await emulator.close()
})

/** The hub adds its application to the prefix. */
const prefix = () => `hub-test:${emulator.application.id}`

const faults = {
  'hands over on request': (servers: RedisGroup) => servers.handOver(prefix()),
  'is killed': (servers: RedisGroup) => servers.strike('SIGKILL', prefix()),
  freezes: (servers: RedisGroup) => servers.strike('SIGSTOP', prefix()),
}

/** The client for Sentinels of node-redis 5 receives no notes: the broker refuses it. */
describe.each([
  { kind: 'Sentinels', by: 'ioredis', start: startSentinelGroup },
  { kind: 'Sentinels', by: 'node-redis 6', start: startSentinelGroup },
  { kind: 'a cluster', by: 'ioredis', start: startCluster },
  { kind: 'a cluster', by: 'node-redis 6', start: startCluster },
  { kind: 'a cluster', by: 'node-redis 5', start: startCluster },
])('four processes on $kind, by $by', needsRedis, ({ by, start }) => {
  test.each(Object.entries(faults))('show every player the truth after the master %s', async (_, strike) => {
    group = await start()
    const ports = await Promise.all([by, by, by, by].map(startProcess))
    const names = emulator.users.slice(0, 4).map(({ username }) => username)
    const clients = await Promise.all(names.map((name, index) => play(name, ports, index)))
    const ended = clients.map((client) => recordEvents(client, 'sessionChanged'))
    let id = ''
    for (const client of clients) id = (await client.createOrJoinLobby('moon')).id
    const seen = (client: Client) => client.lobbies.get(id)?.members.map(({ metadata }) => metadata['step'])
    const everybodySees = async (steps: (string | undefined)[]) => {
      for (const client of clients) await expect.poll(() => seen(client), HEALED).toEqual(steps)
    }
    await everybodySees([undefined, undefined, undefined, undefined])
    const struck = strike(group)
    // During the failover, and after it, through another process each time.
    await clients[1]?.createOrJoinLobby('moon', { member: { step: 'during' } })
    await struck
    await everybodySees([undefined, 'during', undefined, undefined])
    await clients[2]?.createOrJoinLobby('moon', { member: { step: 'after' } })
    await everybodySees([undefined, 'during', 'after', undefined])
    expect(ended).toEqual([[], [], [], []])
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([])
  })
})
