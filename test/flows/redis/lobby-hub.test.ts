/** Four processes with a lobby hub on one real Redis server: a change through any of them, a killed process, and a Redis that restarts empty. */
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { type Client, type Fetch, type Lobby, lobbyStream } from 'foyer-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPlayer } from '../../support/find-player'
import { HEALED } from '../../support/healed'
import { LobbyGame, recordEvents } from '../../support/lobby-game'
import { missingRedis, type RedisServer, startRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())

const FILE = fileURLToPath(new URL('../../support/hub-process.mjs', import.meta.url))
/** Address that the players use; `balance` sends its requests to a process, as a load balancer would. */
const BACKEND = 'https://game.test'

interface Process {
  child: ChildProcess
  port: number
}

let emulator: Emulator
let redis: RedisServer
let game: LobbyGame
let processes: Process[]

const nextMessage = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as T)))

async function startProcess(): Promise<Process> {
  const child = fork(FILE)
  await nextMessage(child)
  const { id: applicationId, botToken: token } = emulator.application
  child.send({ host: emulator.url, applicationId, token, redis: redis.path })
  return { child, ...(await nextMessage<{ port: number }>(child)) }
}

/** Streams of a player go to one process, reports to the next one; dead processes are left out. */
function balance(home: number): Fetch {
  return async (url, init) => {
    if (!url.startsWith(BACKEND)) return fetch(url, init)
    const order = processes.map(
      (_, index) => processes[(home + index + (init.method === 'POST' ? 1 : 0)) % processes.length],
    )
    for (const each of order) {
      const living = each && each.child.exitCode === null && each.child.signalCode === null
      if (living) return fetch(url.replace(BACKEND, `http://127.0.0.1:${each.port}`), init)
    }
    return new Response(null, { status: 503 })
  }
}

const delayed = (ms: number, run: () => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Signs in a player whose stream is at one of the processes. The clock is the machine's, for delays between reconnects. */
const play = (as: string, home: number): Promise<Client> =>
  game.player(as, {
    fetch: balance(home),
    backendOrigins: [BACKEND],
    lobbyUpdates: lobbyStream(`${BACKEND}/lobbies`),
    clock: { now: () => Date.now(), after: delayed },
  })

const idOf = (as: string) => findPlayer(emulator, as).id
const membersOf = (client: Client, id: string) => client.lobbies.get(id)?.members.map((member) => member.id)

beforeAll(async () => {
  if (needsRedis.skip) return
  emulator = await createEmulator()
  redis = await startRedis()
  game = new LobbyGame(emulator)
  processes = await Promise.all([startProcess(), startProcess(), startProcess(), startProcess()])
})
afterAll(async () => {
  if (needsRedis.skip) return
  game.close()
  for (const { child } of processes) child.kill()
  await redis.close()
  await emulator.close()
})

describe('four processes', needsRedis, () => {
  test('show all members each change and message, heal after a killed process and a Redis that restarts empty, and sign nobody out', async () => {
    const names = emulator.users.slice(0, 4).map(({ username }) => username)
    const clients = await Promise.all(names.map((name, index) => play(name, index)))
    const ended = clients.map((client) => recordEvents(client, 'sessionChanged'))
    const [first, second, third, fourth] = clients as [Client, Client, Client, Client]
    const lobbies: Lobby[] = []
    for (const client of clients) lobbies.push(await client.createOrJoinLobby('moon'))
    const id = lobbies[0]?.id ?? ''
    const everybody = names.map(idOf)
    for (const client of clients) await expect.poll(() => membersOf(client, id), HEALED).toEqual(everybody)
    await expect
      .poll(
        () => first.lobbies.get(id)?.members.map(({ username, presence }) => [username, presence]),
        HEALED,
      )
      .toEqual(names.map((name) => [name, 'online']))

    const received = recordEvents(third, 'lobbyMessage')
    await lobbies[0]?.send('Ready?')
    await expect.poll(() => received.length, HEALED).toBe(1)
    await second.createOrJoinLobby('moon', { member: { role: 'healer' } })
    for (const client of clients)
      await expect
        .poll(() => client.lobbies.get(id)?.members[1]?.metadata, HEALED)
        .toEqual({ role: 'healer' })

    processes[0]?.child.kill('SIGKILL')
    await second.createOrJoinLobby('moon', { member: { role: 'during the outage' } })
    for (const client of clients)
      await expect
        .poll(() => client.lobbies.get(id)?.members[1]?.metadata, HEALED)
        .toEqual({ role: 'during the outage' })

    await redis.kill()
    await lobbies[3]?.leave()
    await redis.start()
    for (const client of [first, second, third])
      await expect.poll(() => membersOf(client, id), HEALED).toEqual(everybody.slice(0, 3))
    expect(fourth.lobbies.get(id)).toBe(undefined)
    await third.createOrJoinLobby('moon', { member: { after: 'the restart' } })
    for (const client of [first, second, third])
      await expect
        .poll(() => client.lobbies.get(id)?.members[2]?.metadata, HEALED)
        .toEqual({ after: 'the restart' })
    expect(ended).toEqual([[], [], [], []])
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([])
  })

  test('leave nothing in Redis without an end', async () => {
    const { Redis } = await import('ioredis')
    const client = new Redis({ path: redis.path })
    const keys = await client.keys('*')
    const ends = await Promise.all(keys.map((key) => client.pttl(key)))
    expect(keys.length).toBeGreaterThan(3)
    expect(keys.filter((_, index) => (ends[index] ?? -1) < 0)).toEqual([])
    client.disconnect()
  })
})
