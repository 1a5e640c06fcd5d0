/** Faults of Redis while four processes share a limit of 50 requests a second: measured at the service, with real servers. */
import type { ChildProcess } from 'node:child_process'
import { Service, withProcesses } from './backend-processes'
import { type RedisGroup, startCluster, startSentinelGroup } from './redis-groups'
import { openLine } from './redis-line'
import type { RedisServer } from './redis-server'
import { finalShare } from './shared-use'

const LIMIT = 50
const PER = 1000
/** ms at the end for which `after` is measured. */
const LAST = 5000
/** ms after the warm-up at which the fault happens. */
const FAULT_AT = 3000

/** Everything that a fault may act on. */
interface Scene {
  redis: RedisServer
  group: RedisGroup | undefined
  processes: ReadonlyMap<string, ChildProcess>
}

export interface Fault {
  name: string
  /** What is run instead of one server. */
  start?: () => Promise<RedisGroup>
  /** Round trip time to the server, in ms. */
  away?: number
  act?: (scene: Scene) => Promise<unknown>
}

const PREFIX = 'processes:1234567890123456789'
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms))
const restart = async ({ redis }: Scene, after: number) => {
  await redis.kill()
  await pause(after)
  await redis.start()
}
const freeze = async ({ redis }: Scene, ms: number) => {
  redis.signal('SIGSTOP')
  await pause(ms)
  redis.signal('SIGCONT')
}
const killed = ({ group }: Scene) => group?.strike('SIGKILL', PREFIX) ?? Promise.resolve()
const frozen = ({ group }: Scene) => group?.strike('SIGSTOP', PREFIX) ?? Promise.resolve()
const handedOver = ({ group }: Scene) => group?.handOver(PREFIX) ?? Promise.resolve()

/** Every way in which Redis is run and fails. */
export const FAULTS: readonly Fault[] = [
  { name: 'one server' },
  { name: 'one process killed', act: async ({ processes }) => void processes.get('a')?.kill('SIGKILL') },
  { name: 'restarted empty', act: (scene) => restart(scene, 0) },
  { name: 'away for 5 s, then empty', act: (scene) => restart(scene, 5000) },
  { name: 'frozen for 5 s', act: (scene) => freeze(scene, 5000) },
  { name: '20 ms away', away: 20 },
  { name: '150 ms away', away: 150 },
  { name: 'Sentinel, failover on request', start: startSentinelGroup, act: handedOver },
  { name: 'Sentinel, master killed', start: startSentinelGroup, act: killed },
  { name: 'Sentinel, master frozen', start: startSentinelGroup, act: frozen },
  { name: 'Cluster', start: startCluster },
  { name: 'Cluster, failover on request', start: startCluster, act: handedOver },
  { name: 'Cluster, master killed', start: startCluster, act: killed },
  { name: 'Cluster, master frozen', start: startCluster, act: frozen },
]

export interface FaultUse {
  /** Requests that the service accepted, as a fraction of the limit over the whole time. */
  share: number
  /** 429 responses. */
  refused: number
  /** Longest time without an accepted request, in ms. */
  standstill: number
  /** Fraction of the limit in the last 5 s, as `finalShare` measures it. */
  after: number
}

/** Lets four processes read as fast as 50 requests per second allow, for `seconds` with the fault in the third second. */
export async function readThrough({ start, away, act }: Fault, seconds: number): Promise<FaultUse> {
  const service = new Service(LIMIT)
  return withProcesses(service, async (processes, sendTask, redis) => {
    const group = await start?.()
    const line = away === undefined ? undefined : await openLine(redis.path, { delay: away / 2 })
    try {
      sendTask('read', {
        redis: group?.where ?? line?.path ?? redis.path,
        limit: { limit: LIMIT, per: PER },
        requestTimeout: 60_000,
      })
      await service.until(() => service.passed.length >= 2 * LIMIT)
      const [from, refused, begin] = [service.passed.length, service.refused, performance.now()]
      const ended = pause(seconds * 1000)
      await pause(FAULT_AT)
      await act?.({ redis, group, processes })
      await ended
      const times = service.passed.slice(from).map(({ at }) => at)
      const end = begin + seconds * 1000
      const gaps = [...times, end].map((at, index) => at - (times[index - 1] ?? begin))
      return {
        share: times.length / (LIMIT * seconds),
        refused: service.refused - refused,
        standstill: Math.max(...gaps),
        after: finalShare(times, { limit: LIMIT, per: PER, end, span: LAST }),
      }
    } finally {
      await line?.close()
      await group?.close()
    }
  })
}
