/** Fan-out and memory of a lobby hub, of socket.io with its Redis adapter, and of Colyseus rooms, in one run: the same state to the same players. */
import type { ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { loadavg } from 'node:os'
import { missingRedis, startRedis } from '../../test/support/redis-server'
import { endProcess, nextMessage, nowText, pause, request, startProcess } from './fork-process'
import { APPLICATION, lobbiesOf, lobbyId, LobbyService, playerId, type Population } from './lobby-service'
import { percentile, type ProcessFigures } from './measure-hub'

const POPULATION: Population = { players: 1000, lobbies: 50 }
const ROUNDS = 10
const PAUSE = 500

interface Contestant {
  readonly name: string
  readonly server: string
  readonly readers: string
  /** Processes: the players are connected to the last one, and the first one sends. */
  readonly processes: 1 | 2
}

const CONTESTANTS: readonly Contestant[] = [
  { name: 'lobby hub', server: 'hub-process.mjs', readers: 'reader-process.mjs', processes: 2 },
  { name: 'socket.io', server: 'socket-io-process.mjs', readers: 'peer-reader-process.mjs', processes: 2 },
  { name: 'colyseus', server: 'colyseus-process.mjs', readers: 'peer-reader-process.mjs', processes: 1 },
]

export async function printPeers(): Promise<void> {
  const missing = missingRedis()
  if (missing !== undefined) return console.log(`  Without Redis: ${missing}.`)
  console.log('| server | KB a connection | CPU ms a connection | µs a delivery | p50 ms | p99 ms | load |')
  for (const contestant of CONTESTANTS)
    console.log(`| ${contestant.name} | ${(await measure(contestant)).join(' | ')} |`)
}

async function measure({ name, server, readers: file, processes }: Contestant): Promise<string[]> {
  const [redis, service] = [await startRedis(), new LobbyService(POPULATION)]
  const options = { host: await service.open(), applicationId: APPLICATION, redis: redis.path }
  const servers: ChildProcess[] = []
  const readers = await startProcess(file)
  try {
    let port = 0
    for (let i = 0; i < processes; i++) {
      const child = await startProcess(server, ['--expose-gc'])
      servers.push(child)
      ;({ port } = await request<{ port: number }>(child, { ...options, port: await freePort() }))
    }
    const [sender, receiver] = [servers[0], servers.at(-1)]
    if (!sender || !receiver) throw new Error('No server.')
    const empty = await figuresOf(receiver)
    await connectAll(readers, { peer: name, port })
    const connected = await figuresOf(receiver)
    const { times, cpu } = await runRounds({ sender, receiver, readers })
    const used = await figuresOf(receiver)
    const sorted = times.toSorted((a, b) => a - b)
    const memory = ((used.rss - empty.rss) * 1024) / POPULATION.players
    const latency = [percentile(sorted, 0.5).toFixed(1), percentile(sorted, 0.99).toFixed(1)]
    const costs = [(connected.cpu / POPULATION.players).toFixed(2), ((cpu / sorted.length) * 1000).toFixed(0)]
    return [memory.toFixed(0), ...costs, ...latency, (loadavg()[0] ?? Number.NaN).toFixed(0)]
  } finally {
    await Promise.all([readers, ...servers].map(endProcess))
    await service.close()
    await redis.close()
  }
}

const figuresOf = (child: ChildProcess) => request<ProcessFigures>(child, { figures: true })

/** Connects one player of each lobby at a time: Colyseus queues those who would create the same room. */
async function connectAll(
  readers: ChildProcess,
  { peer, port }: { peer: string; port: number },
): Promise<void> {
  const { lobbies } = POPULATION
  const members = POPULATION.players / lobbies
  for (let member = 0; member < members; member++) {
    const batch = Array.from({ length: lobbies }, (_, lobby) => lobby * members + member)
    const players = batch.map((player) => ({
      port,
      player: playerId(player),
      lobbies: lobbiesOf(POPULATION, player).map(lobbyId),
    }))
    await request(readers, { peer, players })
  }
}

async function runRounds({
  sender,
  receiver,
  readers,
}: Record<'sender' | 'receiver' | 'readers', ChildProcess>) {
  const times: number[] = []
  let cpu = 0
  const all = Array.from({ length: POPULATION.lobbies }, (_, index) => lobbyId(index))
  for (let round = 0; round < ROUNDS; round++) {
    await pause(PAUSE)
    await figuresOf(receiver)
    readers.send({ round: { since: nowText(), expected: POPULATION.players } })
    const arrived = nextMessage<{ times: number[] }>(readers)
    sender.send({ act: ['message', all] })
    times.push(...(await arrived).times)
    cpu += (await figuresOf(receiver)).cpu
  }
  return { times, cpu }
}

/** Colyseus does not report the port that it was given. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port.')),
      )
    })
  })
}
