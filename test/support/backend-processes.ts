/** Real processes of one application, a real Redis server, and a service that enforces the limit that they share. */
import { type ChildProcess, fork } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { openLine } from './redis-line'
import { type RedisServer, startRedis } from './redis-server'
import { efficiencyOf, type Use } from './shared-use'

const LOBBY = '1287654321098765433'
const PER = 1000
/** Response time of the service, in ms. */
const DELAY = 20
/** Requests that only warm up: two windows. */
const WARM_UP = 100
const NAMES = ['a', 'b', 'c', 'd']
const EIGHT = [...NAMES, 'e', 'f', 'g', 'h']

/**
 * Lets four processes read as fast as 50 requests per second allow, until the service has received `requests` after a warm-up. With `kill`,
 * one of them is killed after a fifth of these, with a request in flight. `requestTimeout` is the client option, 1000 ms by default.
 */
export async function readTogether(
  requests: number,
  { kill, requestTimeout = 1000 }: { kill: boolean; requestTimeout?: number },
): Promise<Use> {
  const limit = 50
  const service = new Service(limit)
  return withProcesses(service, async (processes, sendTask) => {
    const victim = kill ? processes.get('a') : undefined
    let killedAt = 0
    service.onRequest = (by) => {
      if (by !== 'a' || service.passed.length < WARM_UP + requests / 5 || killedAt > 0) return
      // In the middle of a response while the same process has no other request in flight.
      setTimeout(() => {
        const underWay = service.underWay('a')
        // On a busy machine requests cluster, and there may be no such moment: then kill it with several in flight.
        const isLate = service.passed.length > WARM_UP + requests / 2
        if (!victim || killedAt > 0 || underWay === 0 || (underWay > 1 && !isLate)) return
        killedAt = performance.now()
        victim.kill('SIGKILL')
      }, DELAY / 2)
    }
    sendTask('read', { limit: { limit, per: PER }, requestTimeout })
    await service.until(() => service.passed.length >= WARM_UP + requests)
    if (kill && killedAt === 0) throw new Error('Nothing was killed.')
    const seen = service.passed.slice(WARM_UP, WARM_UP + requests)
    const use = efficiencyOf(
      seen.map(({ at }) => at),
      { limit, per: PER, delay: DELAY },
    )
    const counts = NAMES.slice(kill ? 1 : 0).map(
      (name) => seen.filter(({ at, by }) => by === name && at >= killedAt).length,
    )
    return { ...use, unfairness: Math.max(...counts) / Math.min(...counts), refused: service.refused }
  })
}

/** Lets each process increment a counter in a lobby's metadata, with `times` concurrent calls. Resolves with the counter. */
export async function countTogether(times: number): Promise<string> {
  const service = new Service(1000)
  return withProcesses(service, async (processes, sendTask) => {
    const done = [...processes.values()].map(nextMessage)
    sendTask('count', { times, limit: { limit: 1000, per: PER }, requestTimeout: 60_000 })
    await Promise.all(done)
    return service.count
  })
}

export interface Cold {
  /** Delays of the connection to Redis. `absent`: there is no Redis. */
  redis: 'absent' | { opening?: number; delay?: number }
  /** Redis is killed after `after` requests and restarted `back` ms later. */
  kill?: { after: number; back: number }
}

export interface ColdUse {
  passed: number
  /** Number of 429 responses while all processes shared the store, or none did. */
  excluded: number
  /** Largest number of requests in any window, refused ones included. */
  most: number
  /** Number of times that a process lost the store. */
  away: number
}

/** Time around the moment in which a process loses or regains the store, in ms. A window there may exceed its limit. */
const TURN = { before: 2000, after: 8000 }

/** Lets eight processes that start together read, until the service has accepted `requests`. */
export async function readCold(requests: number, { redis: line, kill }: Cold): Promise<ColdUse> {
  const service = new Service(50)
  const turns: number[] = []
  return withProcesses(
    service,
    async (processes, sendTask, redis) => {
      for (const child of processes.values())
        child.on('message', (message) => message !== 'done' && turns.push(performance.now()))
      const slow = line === 'absent' ? undefined : await openLine(redis.path, line)
      sendTask('read', {
        redis: slow?.path ?? `${redis.path}-nowhere`,
        processes: 8,
        limit: { limit: 50, per: PER },
        requestTimeout: 60_000,
      })
      if (kill) {
        await service.until(() => service.passed.length >= kill.after)
        await redis.kill()
        await new Promise((resolve) => void setTimeout(resolve, kill.back))
        await redis.start()
      }
      await service.until(() => service.passed.length >= requests)
      await slow?.close()
      const inTurn = (at: number) => turns.some((turn) => at > turn - TURN.before && at < turn + TURN.after)
      const { passed, refusals, arrivals } = service
      const most = Math.max(
        ...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + PER).length),
      )
      const excluded = refusals.filter((at) => line === 'absent' || !inTurn(at)).length
      return { passed: passed.length, excluded, most, away: turns.length }
    },
    EIGHT,
  )
}

export interface CountUse {
  /** Outcome of each call: the name that it appends to a list in the metadata, and `resolved` or the error code. */
  ends: (readonly [name: string, end: string])[]
  /** Names in the list. */
  names: string[]
}

/** Lets each of eight processes append to the metadata of a lobby, with ten concurrent calls. */
export async function countCold(how: {
  redis: 'absent' | 'killed' | 'none'
  maxWait: number
}): Promise<CountUse> {
  const service = new Service(1000)
  return withProcesses(
    service,
    async (processes, sendTask, redis) => {
      const done = [...processes.values()].map(nextMessage)
      const isKilled = how.redis === 'killed'
      const path = isKilled ? redis.path : `${redis.path}-nowhere`
      const limit = { limit: 1000, per: PER }
      const rest = {
        redis: path,
        processes: 8,
        limit,
        requestTimeout: 5000,
        maxWait: how.maxWait,
        isAlone: how.redis === 'none',
      }
      sendTask('count', { times: 10, ...rest })
      if (isKilled) {
        await service.until(() => Number(service.count) >= 20)
        await redis.kill()
        await new Promise((resolve) => void setTimeout(resolve, 3000))
        await redis.start()
      }
      const ends = (await Promise.all(done)).flat() as (readonly [string, string])[]
      return { ends, names: service.list.split(' ').filter(Boolean) }
    },
    EIGHT,
  )
}

export type SendTask = (task: string, rest: object) => void

/** Starts a Redis server, the service and one process for each name, and ends all of them after the work. */
export async function withProcesses<T>(
  service: Service,
  work: (processes: ReadonlyMap<string, ChildProcess>, sendTask: SendTask, redis: RedisServer) => Promise<T>,
  names: readonly string[] = NAMES,
): Promise<T> {
  const redis = await startRedis()
  const host = await service.open()
  const script = fileURLToPath(new URL('backend-process.mjs', import.meta.url))
  const processes = new Map(names.map((name) => [name, fork(script, { execArgv: [] })]))
  try {
    await Promise.all([...processes.values()].map(nextMessage))
    const sendTask: SendTask = (task, rest) => {
      for (const [name, child] of processes)
        child.send({ name, host, redis: redis.path, lobby: LOBBY, task, ...rest })
    }
    return await work(processes, sendTask, redis)
  } finally {
    await Promise.all([...processes.values()].map(end))
    await service.close()
    await redis.close()
  }
}

/** Resolves with the next message of a process. */
const nextMessage = (child: ChildProcess) =>
  new Promise<unknown>((resolve, reject) => {
    const onMessage = (message: unknown) => message !== 'away' && message !== 'back' && resolve(message)
    child.on('message', onMessage)
    child.once('exit', () => reject(new Error('A process has ended: is there a build?')))
  })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Responds after 20 ms, and refuses every request above the limit of the last second. */
export class Service {
  /** Accepted requests: time and sender. */
  readonly passed: { readonly at: number; readonly by: string }[] = []
  refused = 0
  readonly refusals: number[] = []
  readonly arrivals: number[] = []
  count = '0'
  list = ''
  onRequest: (by: string) => void = () => undefined
  readonly #limit: number
  readonly #server: Server
  readonly #underWay = new Map<string, number>()
  #oldest = 0
  #waiter: { condition: () => boolean; done: () => void } | undefined

  constructor(limit: number) {
    this.#limit = limit
    this.#server = createServer((request, response) => void this.#serve(request, response))
  }

  async open(): Promise<string> {
    await new Promise<void>((resolve) => void this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    if (typeof address !== 'object' || !address) throw new Error('No port.')
    return `http://127.0.0.1:${address.port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  underWay(by: string): number {
    return this.#underWay.get(by) ?? 0
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise((done) => (this.#waiter = { condition, done }))
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const by = String(request.headers.authorization).slice('Bot '.length)
    const isRefused = this.#judge(performance.now(), by)
    this.#underWay.set(by, this.underWay(by) + 1)
    this.onRequest(by)
    let text = ''
    for await (const chunk of request) text += String(chunk)
    if (text !== '')
      ({ count: this.count, list: this.list } = (
        JSON.parse(text) as { metadata: { count: string; list: string } }
      ).metadata)
    await new Promise((resolve) => void setTimeout(resolve, DELAY))
    this.#underWay.set(by, this.underWay(by) - 1)
    const lobby = {
      id: LOBBY,
      application_id: '1',
      metadata: { count: this.count, list: this.list },
      members: [],
    }
    response.writeHead(isRefused ? 429 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isRefused ? { message: 'slow', retry_after: 1, global: true } : lobby))
    if (this.#waiter?.condition()) this.#waiter.done()
  }

  /** Returns true if the request exceeds the limit. */
  #judge(at: number, by: string): boolean {
    while ((this.passed[this.#oldest]?.at ?? at) <= at - PER) this.#oldest++
    const isRefused = this.passed.length - this.#oldest >= this.#limit
    this.arrivals.push(at)
    if (isRefused) this.refusals.push(at)
    if (isRefused) this.refused++
    else this.passed.push({ at, by })
    return isRefused
  }
}
