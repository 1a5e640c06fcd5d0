/**
 * Benchmarks of the limiter: CPU time, memory, Redis, and efficiency. Takes about a minute and a half;
 * with `--full` the whole matrix, about eight minutes; with `--peers` only the comparison with the peers, about a minute.
 */
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Redis } from 'ioredis'
import { missingRedis, startRedis } from '../../test/support/redis-server'
import type { Result } from '../measure'
import { besidePeers } from './beside'
import { loadParts } from './bundle'
import { efficiency } from './efficiency'
import type * as Parts from './parts'
import { PEERS } from './peers'

const OK = { status: 200 }
/** Grants for the CPU time of one of p-queue, which has neither keys nor priorities by party. */
const GRANTS = 4

export async function bench(): Promise<Result[]> {
  const parts = await loadParts()
  if (process.argv.includes('--peers')) return besidePeers(parts)
  const isFull = process.argv.includes('--full')
  return [
    await grants(parts),
    ...(await idleKeys(parts)),
    ...(await throughRedis(parts)),
    ...(await efficiency(parts, { isFull })),
  ]
}

/**
 * Acquires permits that nothing delays, with a signal, a thousand keys, a global bucket, parties and priorities. Measures CPU time of the
 * whole process, garbage collector and compiler threads included: on an idle machine never less than the elapsed time.
 */
async function grants({ RateLimiter, systemClock }: typeof Parts): Promise<Result> {
  const { signal } = new AbortController()
  const keys = Array.from({ length: 1000 }, (_, index) => `player ${index}`)
  const requests = keys.map((key, index) => ({
    buckets: [
      { name: 'send_message', key, limit: 1e9, per: 1000 },
      { name: 'global', limit: 1e9, per: 1000 },
    ],
    party: key,
    priority: (['high', 'normal', 'low'] as const)[index % 3] ?? 'normal',
    signal,
  }))
  const times: number[] = []
  for (let round = 0; round < 8; round++) {
    const limiter = new RateLimiter({ clock: systemClock })
    const begin = process.cpuUsage()
    for (let i = 0; i < 200_000; i++) {
      const request = requests[i % 1000]
      if (request) (await limiter.acquire(request)).answered(OK)
    }
    if (round > 1) times.push(spent(begin) / 200_000)
    limiter.close()
  }
  const ours = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN
  const peer = await peerGrant()
  return {
    bench: 'limiter, a grant',
    where: 'Node, CPU',
    ours,
    peer,
    ratio: peer / ours,
    target: `>= ${GRANTS} times (peer: p-queue)`,
    passed: peer / ours >= GRANTS,
  }
}

async function peerGrant(): Promise<number> {
  const send = PEERS['p-queue strict']?.(1e9, 1000)
  const begin = process.cpuUsage()
  for (let i = 0; i < 20_000; i++) await send?.(() => Promise.resolve({ status: 200, header: () => null }))
  return spent(begin) / 20_000
}

/** µs of CPU time. */
function spent(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return user + system
}

/** Memory of 100,000 players that each joined once. */
async function idleKeys({ RateLimiter, systemClock }: typeof Parts): Promise<Result[]> {
  const limiter = new RateLimiter({ clock: systemClock })
  const before = heap()
  for (let i = 0; i < 100_000; i++) {
    ;(
      await limiter.acquire({
        buckets: [{ name: 'join_lobby', key: `1100000000000${100_000 + i}`, limit: 10, per: 3000 }],
      })
    ).answered(OK)
  }
  const used = heap() - before
  await new Promise((resolve) => void setTimeout(resolve, 4500))
  const left = limiter.limits().length
  const after = heap() - before
  limiter.close()
  const common = { bench: 'limiter, 100,000 idle keys', unit: 'MB', peer: 39 }
  return [
    { ...common, where: 'in use', ours: used, ratio: 39 / used, target: '<= 20 MB', passed: used <= 20 },
    {
      ...common,
      where: 'a window later',
      ours: after,
      ratio: 0,
      target: '0 keys',
      passed: left === 0 && after < 1,
    },
  ]
}

/** One process, with a limit that is never reached. */
async function throughRedis({
  RateLimiter,
  redisRateLimitStore,
  systemClock,
}: typeof Parts): Promise<Result[]> {
  const missing = missingRedis()
  if (missing !== undefined) {
    console.log(`  Without Redis: ${missing}.`)
    return []
  }
  const server = await startRedis()
  const redis = new Redis({ path: server.path })
  const limiter = new RateLimiter({
    clock: systemClock,
    store: redisRateLimitStore(redis, { prefix: 'bench' }),
  })
  const buckets = [{ name: 'global', limit: 1_000_000, per: 1000 }]
  const total = 40_000
  let left = total
  const line = async () => {
    while (left-- > 0) (await limiter.acquire({ buckets })).answered(OK)
  }
  const begin = performance.now()
  await Promise.all(Array.from({ length: 200 }, line))
  const ours = ((performance.now() - begin) * 1000) / total
  limiter.close()
  await redis.quit()
  await server.close()
  return [
    {
      bench: 'limiter, a grant',
      where: 'through Redis',
      ours,
      peer: 100,
      ratio: 100 / ours,
      target: '<= 100 µs',
      passed: ours <= 100,
    },
  ]
}

function heap(): number {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') for (const _ of [1, 2, 3]) collect()
  return process.memoryUsage().heapUsed / 1e6
}
