/** Load of many parties on one budget in a real Redis server: real processes, each with a number of clients. */
import { Redis } from 'ioredis'
import { Service, withProcesses } from './backend-processes'

const LIMIT = 50
const PER = 1000

export interface LoadOptions {
  processes: number
  /** Clients of each process: each is a party with a connection of its own. */
  clients: number
  /** Measured time, in s. */
  seconds: number
}

export interface LoadUse {
  /** Requests that the service has accepted, as a fraction of the limit over the whole time. */
  share: number
  /** 429 responses. */
  refused: number
  /** CPU time of Redis as a fraction of one core. */
  redisCore: number
  /** Commands that the scripts ran for each accepted request. */
  commands: number
  /** Script calls for each accepted request. */
  scripts: number
  /** Mean duration of a script call, in µs, by the statistics of the server. */
  scriptTime: number
  /** Number of parties that were served, and the largest number of requests of one. */
  served: number
  most: number
}

/** Lets all parties read as fast as 50 requests per second allow, from when each party had its turn. */
export async function loadSharedLimit({ processes, clients, seconds }: LoadOptions): Promise<LoadUse> {
  const service = new Service(LIMIT)
  const names = Array.from({ length: processes }, (_, index) => `p${index}`)
  const warmUp = 2 * Math.max(LIMIT, processes * clients)
  return withProcesses(
    service,
    async (_, sendTask, server) => {
      const redis = new Redis({ path: server.path })
      const loops = Math.max(2, Math.ceil(80 / (processes * clients)))
      sendTask('read', {
        clients,
        loops,
        processes: processes * clients,
        limit: { limit: LIMIT, per: PER },
        requestTimeout: 60_000,
      })
      await service.until(() => service.passed.length >= warmUp)
      const before = await statistics(redis)
      const [from, refused] = [service.passed.length, service.refused]
      await service.until(() => performance.now() >= before.at + seconds * 1000)
      const after = await statistics(redis)
      redis.disconnect()
      const passed = service.passed.slice(from)
      const time = (after.at - before.at) / 1000
      const counts = new Map<string, number>()
      for (const { by } of passed) counts.set(by, (counts.get(by) ?? 0) + 1)
      const scripts = after.scripts - before.scripts
      return {
        share: passed.length / (LIMIT * time),
        refused: service.refused - refused,
        redisCore: (after.cpu - before.cpu) / time,
        commands: (after.commands - before.commands) / passed.length,
        scripts: scripts / passed.length,
        scriptTime: (after.scriptTime - before.scriptTime) / scripts,
        served: counts.size,
        most: Math.max(...counts.values()),
      }
    },
    names,
  )
}

/** Totals of the server since its start. */
async function statistics(redis: Redis) {
  const text = `${await redis.info('commandstats')}\n${await redis.info('cpu')}`
  const at = performance.now()
  const of = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, found]) => Number(found))
  const total = of(/^cmdstat_(?!evalsha|eval|info|script|hello|client)[^:]*:calls=(\d+)/gm).reduce(
    (sum, calls) => sum + calls,
    0,
  )
  const [scripts = 0] = of(/^cmdstat_evalsha:calls=(\d+)/gm)
  const [scriptTime = 0] = of(/^cmdstat_evalsha:calls=\d+,usec=(\d+)/gm)
  const cpu = of(/^used_cpu_(?:sys|user):([\d.]+)/gm).reduce((sum, seconds) => sum + seconds, 0)
  return { at, commands: total, scripts, scriptTime, cpu }
}
