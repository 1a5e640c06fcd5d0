/** Measures one process with a lobby hub: players in a process of their own, the service in this one. */
import type { ChildProcess } from 'node:child_process'
import { loadavg } from 'node:os'
import { endProcess, nextMessage, nowText, pause, request, startProcess } from './fork-process'
import {
  APPLICATION,
  lobbiesOf,
  lobbyId,
  LobbyService,
  membersOf,
  playerId,
  type Population,
} from './lobby-service'

/** Lobbies that change at once: reads of `get_lobby` that all limits allow in 1 s. */
const CHANGED = 50
/** Players that connect at once. */
const BATCH = 200
/** ms between two rounds, so that the reads stay within 50 in 1 s. */
const PAUSE = 1500
/** ms until the reads of the snapshots no longer count: the window of `get_lobby` is 10 s. */
const SETTLE = 11_000

/** Figures of one process since the last ones: MB, ms of CPU time, ms of the 99th percentile of event loop delays, times of writes. */
export interface ProcessFigures {
  readonly rss: number
  readonly cpu: number
  readonly delay: number
  readonly handed: number[]
}

export interface HubFigures {
  readonly population: Population
  /** Members that one round tells of a change. */
  readonly members: number
  /** MB of the process: without players, with all, and after all rounds. */
  readonly memory: { empty: number; connected: number; used: number }
  /** CPU time of the process, in ms: for one player's connection, for one idle second, for one change, and for one delivered event. */
  readonly cpu: { connect: number; idle: number; change: number; delivery: number }
  /** ms from a change until the process has handed it to a member's socket, and until the member's process has received it; sorted. */
  readonly handed: number[]
  readonly received: number[]
  /** Reads until all players were connected, and the most in any 10 s. */
  readonly reads: { connect: number; most: number }
  /** Load of the machine over the last minute of the measurement. */
  readonly load: number
  /** Streams that the hub has closed. */
  readonly closed: number
}

export async function measureHub(
  population: Population,
  { rounds = 20, execArgv = new Array<string>() } = {},
): Promise<HubFigures> {
  const service = new LobbyService(population)
  const host = await service.open()
  const hub = await startProcess('hub-process.mjs', execArgv)
  const readers = await startProcess('reader-process.mjs')
  try {
    const { port } = await request<{ port: number }>(hub, { host, applicationId: APPLICATION })
    const empty = await figuresOf(hub)
    await connectAll(readers, population, port)
    const connectReads = service.reads.length
    const connected = await figuresOf(hub)
    await pause(SETTLE)
    const idle = await figuresOf(hub)
    const { handed, received, cpu, changes, closed } = await runRounds({
      hub,
      readers,
      service,
      population,
      rounds,
    })
    const used = await figuresOf(hub)
    return {
      population,
      members: received.length / rounds,
      memory: { empty: empty.rss, connected: connected.rss, used: used.rss },
      cpu: {
        connect: connected.cpu / population.players,
        idle: idle.cpu / (SETTLE / 1000),
        change: cpu / changes,
        delivery: cpu / received.length,
      },
      handed: handed.toSorted((a, b) => a - b),
      received: received.toSorted((a, b) => a - b),
      reads: { connect: connectReads, most: service.mostReads },
      load: loadavg()[0] ?? Number.NaN,
      closed,
    }
  } finally {
    await Promise.all([readers, hub].map(endProcess))
    await service.close()
  }
}

const figuresOf = (child: ChildProcess) => request<ProcessFigures>(child, { figures: true })

async function connectAll(readers: ChildProcess, population: Population, port: number): Promise<void> {
  for (let from = 0; from < population.players; from += BATCH) {
    const batch = Array.from(
      { length: Math.min(BATCH, population.players - from) },
      (_, index) => from + index,
    )
    const players = batch.map((player) => ({
      port,
      player: playerId(player),
      lobbies: lobbiesOf(population, player).map(lobbyId),
    }))
    await request(readers, { players })
  }
}

interface RoundParts {
  hub: ChildProcess
  readers: ChildProcess
  service: LobbyService
  population: Population
  rounds: number
}

async function runRounds({ hub, readers, service, population, rounds }: RoundParts) {
  const lobbies = Math.min(CHANGED, population.lobbies)
  const [handed, received] = [new Array<number>(), new Array<number>()]
  let [cpu, closed] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    await pause(PAUSE)
    await figuresOf(hub)
    const changed = Array.from(
      { length: lobbies },
      (_, index) => (round * lobbies + index) % population.lobbies,
    )
    const at = nowText()
    for (const lobby of changed) service.changedAt.set(lobbyId(lobby), at)
    const expected = changed.reduce((sum, lobby) => sum + membersOf(population, lobby).length, 0)
    readers.send({ round: { current: at, expected } })
    const arrived = nextMessage<{ times: number[]; closed: number }>(readers)
    hub.send({ act: ['changed', changed.map(lobbyId)] })
    const result = await arrived
    received.push(...result.times)
    closed = result.closed
    const figures = await figuresOf(hub)
    cpu += figures.cpu
    handed.push(...figures.handed.map((time) => time - Number(at)))
  }
  return { handed, received, cpu, closed, changes: lobbies * rounds }
}

export const percentile = (sorted: readonly number[], part: number): number =>
  sorted[Math.floor(sorted.length * part)] ?? Number.NaN
