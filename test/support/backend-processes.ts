/** Four real processes of one application, a real Redis server between them, and a service that enforces the limit that they share. */
import { type ChildProcess, fork } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { openLine } from './redis-line'
import { type RedisServer, startRedis } from './redis-server'
import { efficiencyOf, type Use } from './shared-use'

const LOBBY = '1287654321098765433'
const PER = 1000
/** ms that the service takes for an answer. */
const DELAY = 20
/** Requests that only warm up: two windows. */
const WARM_UP = 100
const NAMES = ['a', 'b', 'c', 'd']
const EIGHT = [...NAMES, 'e', 'f', 'g', 'h']

/**
 * Lets four processes read as fast as 50 a second allow, until the service has seen so many `requests` after a warm-up. With `kill`, one
 * of them dies after a fifth of these, while a request of its own is under way. `requestTimeout` as clients know it, 1000 ms unless given.
 */
export async function readTogether(
  requests: number,
  { kill, requestTimeout = 1000 }: { kill: boolean; requestTimeout?: number },
): Promise<Use> {
  const limit = 50
  const service = new Service(limit)
  return withProcesses(service, async (processes, tell) => {
    const victim = kill ? processes.get('a') : undefined
    let killedAt = 0
    service.onRequest = (by) => {
      if (by !== 'a' || service.passed.length < WARM_UP + requests / 5 || killedAt > 0) return
      // Halfway through an answer that nothing else of the same process waits beside.
      setTimeout(() => {
        const underWay = service.underWay('a')
        // On a busy machine requests bunch up, and there may be no such moment: then among several.
        const isLate = service.passed.length > WARM_UP + requests / 2
        if (!victim || killedAt > 0 || underWay === 0 || (underWay > 1 && !isLate)) return
        killedAt = performance.now()
        victim.kill('SIGKILL')
      }, DELAY / 2)
    }
    tell('read', { limit: { limit, per: PER }, requestTimeout })
    await service.until(() => service.passed.length >= WARM_UP + requests)
    if (kill && killedAt === 0) throw new Error('Nothing was killed.')
    const seen = service.passed.slice(WARM_UP, WARM_UP + requests)
    const use = efficiencyOf(
      seen.map(({ at }) => at),
      { limit, per: PER, delay: DELAY },
    )
    const counts = NAMES.slice(kill ? 1 : 0).map((name) => seen.filter(({ at, by }) => by === name && at >= killedAt).length)
    return { ...use, unfairness: Math.max(...counts) / Math.min(...counts), refused: service.refused }
  })
}

/** Lets each of them add one to a count in a lobby's metadata, so many `times` at once. Resolves with the count. */
export async function countTogether(times: number): Promise<string> {
  const service = new Service(1000)
  return withProcesses(service, async (processes, tell) => {
    const done = [...processes.values()].map(heard)
    tell('count', { times, limit: { limit: 1000, per: PER }, requestTimeout: 60_000 })
    await Promise.all(done)
    return service.count
  })
}

export interface Cold {
  /** `absent`: there is no Redis. */
  redis: 'absent' | { opening?: number; delay?: number }
  /** Redis dies when so many requests have passed, and is back so many ms later. */
  kill?: { after: number; back: number }
}

export interface ColdUse {
  passed: number
  /** Answers 429 while every process had what it knew of the others from the store, or nobody had. */
  excluded: number
  /** The most requests in any window, refused ones too. */
  most: number
  /** How often a process lost the store. */
  away: number
}

/** ms around the moment in which a process loses or finds the store, in which a window may see more than its limit. */
const TURN = { before: 2000, after: 8000 }

/** Lets eight processes that begin together read, until the service has let so many requests pass. */
export async function readCold(requests: number, { redis: line, kill }: Cold): Promise<ColdUse> {
  const service = new Service(50)
  const turns: number[] = []
  return withProcesses(
    service,
    async (processes, tell, redis) => {
      for (const child of processes.values()) child.on('message', (word) => word !== 'done' && turns.push(performance.now()))
      const slow = line === 'absent' ? undefined : await openLine(redis.path, line)
      tell('read', { redis: slow?.path ?? `${redis.path}-nowhere`, processes: 8, limit: { limit: 50, per: PER }, requestTimeout: 60_000 })
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
      const most = Math.max(...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + PER).length))
      const excluded = refusals.filter((at) => line === 'absent' || !inTurn(at)).length
      return { passed: passed.length, excluded, most, away: turns.length }
    },
    EIGHT,
  )
}

export interface CountUse {
  /** How the calls ended: the name that each adds to a list in the metadata, and `resolved`, or the code of the error. */
  ends: (readonly [name: string, end: string])[]
  /** The names in the list. */
  names: string[]
}

/** Lets each of eight processes add to the metadata of a lobby, ten times at once. */
export async function countCold(how: { redis: 'absent' | 'killed' | 'none'; maxWait: number }): Promise<CountUse> {
  const service = new Service(1000)
  return withProcesses(
    service,
    async (processes, tell, redis) => {
      const done = [...processes.values()].map(heard)
      const isKilled = how.redis === 'killed'
      const path = isKilled ? redis.path : `${redis.path}-nowhere`
      const limit = { limit: 1000, per: PER }
      const rest = { redis: path, processes: 8, limit, requestTimeout: 5000, maxWait: how.maxWait, isAlone: how.redis === 'none' }
      tell('count', { times: 10, ...rest })
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

type Tell = (task: string, rest: object) => void

async function withProcesses<T>(
  service: Service,
  work: (processes: ReadonlyMap<string, ChildProcess>, tell: Tell, redis: RedisServer) => Promise<T>,
  names: readonly string[] = NAMES,
): Promise<T> {
  const redis = await startRedis()
  const host = await service.open()
  const script = fileURLToPath(new URL('backend-process.mjs', import.meta.url))
  const processes = new Map(names.map((name) => [name, fork(script, { execArgv: [] })]))
  try {
    await Promise.all([...processes.values()].map(heard))
    const tell: Tell = (task, rest) => {
      for (const [name, child] of processes) child.send({ name, host, redis: redis.path, lobby: LOBBY, task, ...rest })
    }
    return await work(processes, tell, redis)
  } finally {
    await Promise.all([...processes.values()].map(end))
    await service.close()
    await redis.close()
  }
}

/** Resolves with the next message of a process. */
const heard = (child: ChildProcess) =>
  new Promise<unknown>((resolve, reject) => {
    const hear = (word: unknown) => word !== 'away' && word !== 'back' && resolve(word)
    child.on('message', hear)
    child.once('exit', () => reject(new Error('A process has ended: is there a build?')))
  })

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

/** Answers after 20 ms; refuses what comes as one too many in any second. */
class Service {
  /** Instants of the requests that were let through, with who sent them. */
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
    if (text !== '') ({ count: this.count, list: this.list } = (JSON.parse(text) as { metadata: { count: string; list: string } }).metadata)
    await new Promise((resolve) => void setTimeout(resolve, DELAY))
    this.#underWay.set(by, this.underWay(by) - 1)
    const lobby = { id: LOBBY, application_id: '1', metadata: { count: this.count, list: this.list }, members: [] }
    response.writeHead(isRefused ? 429 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isRefused ? { message: 'slow', retry_after: 1, global: true } : lobby))
    if (this.#waiter?.condition()) this.#waiter.done()
  }

  /** Whether it is one too many. */
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
