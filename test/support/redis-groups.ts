/** Redis as people run it: a master with replicas and Sentinels, and a cluster of three masters with a replica each. Real processes. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'

const HOST = '127.0.0.1'

interface Node {
  readonly host: string
  readonly port: number
}
const nodesOf = (ports: readonly number[]): Node[] => ports.map((port) => ({ host: HOST, port }))

/** Several servers that fail over. */
export interface RedisGroup {
  /** How a client connects: options of `Redis`, or `{ cluster }` with the nodes of a `Cluster`. */
  readonly where: object
  /** Its Sentinels, or three nodes of its cluster. */
  readonly nodes: readonly Node[]
  /** Ends the master that stores the keys of a prefix, like `kill -9`, or stops it with `SIGSTOP`. */
  strike(signal: 'SIGKILL' | 'SIGSTOP', prefix: string): Promise<void>
  /** Hands the role of that master over to its replica without a loss. */
  handOver(prefix: string): Promise<void>
  close(): Promise<void>
}

/** Servers of a group, by port. */
class Servers {
  readonly directory = mkdtempSync(join(tmpdir(), 'foyer-redis-'))
  readonly #children = new Map<number, ChildProcess>()

  /** Starts a server with a configuration file, and resolves when it accepts connections. */
  async start(port: number, lines: readonly string[], ...flags: string[]): Promise<void> {
    const file = join(this.directory, `${port}.conf`)
    const common = [`port ${port}`, `bind ${HOST}`, `dir ${this.directory}`, 'protected-mode no']
    writeFileSync(file, [...common, ...lines].join('\n'))
    this.#children.set(
      port,
      spawn('redis-server', [file, ...flags], { stdio: ['ignore', 'ignore', 'inherit'] }),
    )
    await until(async () => (await ask(port, (redis) => redis.ping())) === 'PONG')
  }

  signal(port: number, signal: NodeJS.Signals): void {
    this.#children.get(port)?.kill(signal)
  }

  async close(): Promise<void> {
    for (const child of this.#children.values()) {
      if (child.exitCode !== null || child.signalCode !== null) continue
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    }
    rmSync(this.directory, { recursive: true, force: true })
  }
}

const QUIET = ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0']

/** A master, two replicas and three Sentinels, which replace a silent master after a second. */
export async function startSentinelGroup(): Promise<RedisGroup> {
  const servers = new Servers()
  const [master = 0, ...others] = await freePorts(6)
  const [replicas, sentinels] = [others.slice(0, 2), others.slice(2)]
  await servers.start(master, QUIET)
  for (const port of replicas) await servers.start(port, [...QUIET, `replicaof ${HOST} ${master}`])
  await until(async () => /connected_slaves:2/.test(await ask(master, (redis) => redis.info('replication'))))
  const rules = [
    `monitor game ${HOST} ${master} 2`,
    'down-after-milliseconds game 1000',
    'failover-timeout game 3000',
    'parallel-syncs game 2',
  ]
  for (const port of sentinels)
    await servers.start(
      port,
      rules.map((rule) => `sentinel ${rule}`),
      '--sentinel',
    )
  for (const port of sentinels)
    await until(async () => {
      const text = await ask(port, (redis) => redis.info('sentinel'))
      return /slaves=2,sentinels=3/.test(text)
    })
  const current = async () => {
    const found = (await ask(sentinels[0] ?? 0, (redis) =>
      redis.call('SENTINEL', 'get-master-addr-by-name', 'game'),
    )) as string[]
    return Number(found[1])
  }
  return {
    where: {
      sentinels: nodesOf(sentinels),
      name: 'game',
      maxRetriesPerRequest: 1,
    },
    nodes: nodesOf(sentinels),
    strike: async (signal) => servers.signal(await current(), signal),
    handOver: async () =>
      void (await ask(sentinels[0] ?? 0, (redis) => redis.call('SENTINEL', 'failover', 'game'))),
    close: () => servers.close(),
  }
}

/** Three masters with a replica each, which take over from a silent master after a second. */
export async function startCluster(): Promise<RedisGroup> {
  const servers = new Servers()
  const ports = await freePorts(6)
  for (const port of ports)
    await servers.start(port, [
      ...QUIET,
      'cluster-enabled yes',
      `cluster-config-file nodes-${port}.conf`,
      'cluster-node-timeout 1000',
      `cluster-port ${await freePort()}`,
    ])
  const addresses = ports.map((port) => `${HOST}:${port}`)
  const created = spawnSync(
    'redis-cli',
    ['--cluster', 'create', ...addresses, '--cluster-replicas', '1', '--cluster-yes'],
    {
      encoding: 'utf8',
    },
  )
  if (created.status !== 0) throw new Error(`No cluster: ${created.stdout}${created.stderr}`)
  for (const port of ports)
    await until(async () => /cluster_state:ok/.test(await ask(port, (redis) => redis.cluster('INFO'))))
  const ownersOf = async (prefix: string) => {
    const slot = await ask(ports[0] ?? 0, (redis) => redis.cluster('KEYSLOT', `{${prefix}}`))
    const slots = await ask(ports[0] ?? 0, (redis) => redis.cluster('SLOTS'))
    const range = slots.find(([from, to]) => from <= slot && slot <= to) ?? []
    return range.slice(2).map((node) => (node as unknown as [string, number])[1])
  }
  await until(async () => (await ownersOf('x')).length === 2)
  return {
    where: { cluster: nodesOf(ports.slice(0, 3)) },
    nodes: nodesOf(ports.slice(0, 3)),
    strike: async (signal, prefix) => servers.signal((await ownersOf(prefix))[0] ?? 0, signal),
    handOver: async (prefix) =>
      void (await ask((await ownersOf(prefix))[1] ?? 0, (redis) => redis.cluster('FAILOVER'))),
    close: () => servers.close(),
  }
}

/** Sends one command on a connection of its own. */
async function ask<T>(port: number, command: (redis: Redis) => Promise<T>): Promise<T> {
  const redis = new Redis({
    port,
    host: HOST,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    lazyConnect: true,
  })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return await command(redis)
  } finally {
    redis.disconnect()
  }
}

/** Repeats a check, which may fail, for a minute at most. */
async function until(check: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 60_000
  while (!(await check().catch(() => false))) {
    if (performance.now() > end) throw new Error('The servers did not become ready within a minute.')
    await new Promise((resolve) => void setTimeout(resolve, 50))
  }
}

async function freePorts(count: number): Promise<number[]> {
  const found = new Set<number>()
  while (found.size < count) found.add(await freePort())
  return [...found]
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, HOST, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
