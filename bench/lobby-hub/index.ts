/** Memory of one process with a lobby hub, and the time until all members of 50 lobbies see a change, for 100 to 10,000 players. */
import { type ChildProcess, fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Result } from '../measure'
import { openReader } from './connected-reader'
import { APPLICATION, LobbyService, lobbyId, lobbyOf, MEMBERS, playerId } from './lobby-service'

const SIZES = [100, 1000, 10_000]
/** Lobbies that change at once: 1,000 members. */
const CHANGED = 50
const ROUNDS = 20
/** ms between two rounds, so that 50 reads each stay within 50 in 1 s. */
const PAUSE = 1500
/** ms until the reads of the snapshots no longer count. */
const SETTLE = 11_000
/** ms and MB. */
const SLOWEST = 100
const MEMORY = 400
/** Reads of `get_lobby` in 10 s that the service allows. */
const READS = 500

const nextMessage = <T>(child: ChildProcess) => new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)))
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))

export async function bench(): Promise<Result[]> {
  const results: Result[] = []
  for (const size of SIZES) results.push(...(await measure(size)))
  return results
}

async function measure(size: number): Promise<Result[]> {
  const service = new LobbyService()
  const host = await service.open()
  const child = fork(fileURLToPath(new URL('bench/lobby-hub/hub-process.mjs', `file://${process.cwd()}/`)), { execArgv: [] })
  await nextMessage(child)
  child.send({ host, applicationId: APPLICATION })
  const { port } = await nextMessage<{ port: number }>(child)
  const empty = await memoryOf(child)
  const times: number[] = []
  let current = -1
  const onState = (at: number) => void (at === current && times.push(performance.now() - at))
  const sockets: Socket[] = []
  try {
    for (let from = 0; from < size; from += 200) {
      const batch = Array.from({ length: Math.min(200, size - from) }, (_, index) => from + index)
      const readers = batch.map((player) => openReader({ port, player: playerId(player), lobby: lobbyId(lobbyOf(player)), onState }))
      sockets.push(...(await Promise.all(readers)))
    }
    console.log(`  ${size} players are connected, ${service.reads.length} reads.`)
    await pause(SETTLE)
    const lobbies = Math.min(CHANGED, size / MEMBERS)
    const expected = ROUNDS * lobbies * MEMBERS
    for (let round = 0; round < ROUNDS; round++) {
      await pause(PAUSE)
      const changed = Array.from({ length: lobbies }, (_, index) => lobbyId((round * lobbies + index) % (size / MEMBERS)))
      current = performance.now()
      for (const id of changed) service.changedAt.set(id, current)
      child.send({ changed })
      while (times.length < (round + 1) * lobbies * MEMBERS) await pause(5)
    }
    const used = await memoryOf(child)
    return rowsOf({ size, empty, used, times, expected, reads: service.mostReads })
  } finally {
    for (const socket of sockets) socket.destroy()
    child.disconnect()
    await service.close()
  }
}

async function memoryOf(child: ChildProcess): Promise<number> {
  child.send({ memory: true })
  return (await nextMessage<{ rss: number }>(child)).rss / 1_048_576
}

interface Measured {
  size: number
  empty: number
  used: number
  times: number[]
  expected: number
  reads: number
}

function rowsOf({ size, empty, used, times, expected, reads }: Measured): Result[] {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN
  const row = (where: string, [ours, peer]: [number, number], rest: Pick<Result, 'unit' | 'target' | 'passed'>): Result => ({
    bench: `hub with ${size} players`,
    where,
    ours,
    peer,
    ratio: ours / peer,
    ...rest,
  })
  const members = expected / ROUNDS
  return [
    row('memory of the process', [used, MEMORY], {
      unit: 'MB',
      target: `<= ${MEMORY} MB, ${(((used - empty) * 1024) / size).toFixed(1)} KB a player`,
      passed: used <= MEMORY,
    }),
    row(`p99 to ${members} members`, [at(0.99), SLOWEST], {
      unit: 'ms',
      target: `<= ${SLOWEST} ms, median ${at(0.5).toFixed(1)} ms`,
      passed: at(0.99) <= SLOWEST && times.length === expected,
    }),
    row('most reads in 10 s', [reads, READS], { unit: 'reads', target: `<= ${READS}`, passed: reads <= READS }),
  ]
}
