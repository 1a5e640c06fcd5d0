/** 1,000 purchases in two processes of a shop that are killed at every point of their work. Real processes, a real Redis server. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Redis } from 'ioredis'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Listening, listen } from '../../../support/loopback'
import { missingRedis, type RedisServer, startRedis } from '../../../support/redis-server'
import { skipIfMissing } from '../../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())
const FILE = fileURLToPath(new URL('../../../support/purchase-process.mjs', import.meta.url))

const PLAYERS = 50
const PRODUCTS = 20
const PURCHASES = PLAYERS * PRODUCTS
/** Purchases that are made at once, and players who sign in at once. */
const TOGETHER = 16
const SIGN_INS = 4
const REFUNDS = 100
const POINTS = ['before read', 'after read', 'after claim', 'after grant', 'after record', 'after consume']
/** Processes that are killed, and how often each has reached its point by then. */
const KILLS = 24
const AFTER = 12
/** Ways in which the shop learns of a purchase. */
const WAYS = [
  'event',
  'event and page',
  'event after page',
  'event twice',
  'event twice and page twice',
  'page',
  'nothing',
] as const
type Way = (typeof WAYS)[number]

let redis: RedisServer
let database: Redis
let emulator: Emulator
let shop: Shop

/** Two processes, each of which is replaced when it has ended. */
class Shop {
  killed: Record<string, number> = {}
  #started = 0
  #isClosed = false
  readonly #children: (ChildProcess | undefined)[] = []
  readonly #ports: (number | undefined)[] = []
  readonly #waiting = new Set<() => void>()

  async start(slot: number): Promise<void> {
    const number = this.#started++
    const at = POINTS[number % POINTS.length] ?? ''
    const child = fork(FILE, { execArgv: [] })
    this.#children[slot] = child
    child.once('exit', (_, signal) => {
      this.#ports[slot] = undefined
      if (signal === 'SIGKILL' && !this.#isClosed) this.killed[at] = (this.killed[at] ?? 0) + 1
      if (!this.#isClosed) void this.start(slot)
    })
    await once(child, 'message')
    const { id: applicationId, botToken: token, publicKey } = emulator.application
    const end = { at, after: number < KILLS ? AFTER : Number.MAX_SAFE_INTEGER }
    child.send({ host: emulator.url, applicationId, token, publicKey, redis: redis.path, end })
    const [{ port }] = await once(child, 'message')
    this.#ports[slot] = port
    for (const resume of this.#waiting) resume()
    this.#waiting.clear()
  }

  /** Sends a request to one process, or to the other one while the first is not there. Waits for one of them. */
  async send(slot: number, path: string, init: RequestInit = {}): Promise<Response> {
    const port = this.#ports[slot] ?? this.#ports[1 - slot]
    if (port === undefined) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
      return this.send(slot, path, init)
    }
    return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', ...init }).catch(
      () => new Response(null, { status: 502 }),
    )
  }

  close(): void {
    this.#isClosed = true
    for (const child of this.#children) child?.kill('SIGKILL')
  }
}

/** What becomes of the event of each entitlement: sent on at once, later, twice, or not at all. */
const ways = new Map<string, { way: Way; pagesDone: Promise<unknown> }>()
let balancer: Listening
let turn = 0

/** Sends an event of the service on, as a proxy in front of the processes does. */
async function balance(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const body = await buffer(incoming)
  const sent = JSON.parse(String(body)) as { event?: { data?: { id?: string } } }
  const { way = 'event', pagesDone } = ways.get(sent.event?.data?.id ?? '') ?? {}
  const headers = Object.entries(incoming.headers).filter(([name]) => name.startsWith('x-'))
  const slot = turn++ % 2
  const forward = (to: number) => shop.send(to, '/events', { body, headers: headers as [string, string][] })
  let status = 204
  if (way === 'event after page') await pagesDone
  if (way.startsWith('event twice')) [{ status }] = await Promise.all([forward(slot), forward(1 - slot)])
  else if (way.startsWith('event')) ({ status } = await forward(slot))
  outgoing.writeHead(status).end()
}

const playerOf = (index: number) => String(7_000_000 + index)
const skuOf = (index: number) => String(8_000_000 + index)

beforeEach(async () => {
  if (needsRedis.skip) return
  redis = await startRedis()
  database = new Redis({ path: redis.path })
  const users = Array.from({ length: PLAYERS }, (_, index) => ({
    id: playerOf(index),
    username: `player-${index}`,
  }))
  emulator = await createEmulator({ limits: 'off', seed: { users } })
  emulator.activity.skus(
    Array.from({ length: PRODUCTS }, (_, index) => ({
      id: skuOf(index),
      name: `Product ${index}`,
      type: index % 2 === 0 ? 3 : 2,
      price: { amount: 99, currency: 'eur' },
    })),
  )
  shop = new Shop()
  balancer = await listen(createServer((incoming, outgoing) => void balance(incoming, outgoing)))
})
afterEach(async () => {
  if (needsRedis.skip) return
  shop.close()
  await balancer.close()
  await emulator.close()
  database.disconnect()
  await redis.close()
})

/** What the page of the player asks for. A page whose backend is gone does not ask again. */
const redeem = (player: string, slot: number) => shop.send(slot, `/redeem?player=${player}`)

/** Buys a product, of which the shop learns in the given way. */
async function buy(player: string, sku: string, way: Way): Promise<string> {
  const { id } = emulator.activity.purchase({ as: player, sku, test: false })
  let finish: (() => void) | undefined
  ways.set(id, { way, pagesDone: new Promise<void>((resolve) => (finish = resolve)) })
  const calls = way.includes('page twice') ? 2 : way.includes('page') ? 1 : 0
  await Promise.all(Array.from({ length: calls }, (_, index) => redeem(player, index)))
  finish?.()
  return id
}

/** Runs tasks, several at a time. */
async function runTogether<T>(together: number, tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < tasks.length; index = next++) {
      const result = await tasks[index]?.()
      if (result !== undefined) results.push(result)
    }
  }
  await Promise.all(Array.from({ length: together }, work))
  return results
}

/** Every player signs in again: the shop looks once more, until nothing has failed. */
async function signInAll(): Promise<void> {
  await runTogether(
    SIGN_INS,
    Array.from({ length: PLAYERS }, (_, index) => async () => {
      await expect
        .poll(
          async () => {
            const response = await redeem(playerOf(index), index % 2)
            return response.ok ? response.json() : response.status
          },
          { timeout: 60_000, interval: 300 },
        )
        .toEqual({ failed: 0 })
    }),
  )
}

test(
  'attack/362 1,000 purchases are granted exactly once, and refunds taken back, although processes are killed at every point',
  { ...needsRedis, timeout: 600_000 },
  async () => {
    await Promise.all([shop.start(0), shop.start(1)])
    await emulator.webhooks.connect(`http://127.0.0.1:${balancer.port}/`)
    const begun = performance.now()
    const bought = await runTogether(
      TOGETHER,
      Array.from({ length: PURCHASES }, (_, index) => () => {
        const [player, product] = [index % PLAYERS, Math.floor(index / PLAYERS)]
        return buy(playerOf(player), skuOf(product), WAYS[(index * 31) % WAYS.length] ?? 'event')
      }),
    )
    await signInAll()
    const seconds = (performance.now() - begun) / 1000

    expect(new Set(bought).size).toBe(PURCHASES)
    const items = await database.hgetall('items')
    expect(Object.keys(items).toSorted()).toEqual(bought.toSorted())
    const owners = Object.fromEntries(
      Array.from({ length: PLAYERS }, (_, index) => [playerOf(index), String(PRODUCTS)]),
    )
    expect(await database.hgetall('balance')).toEqual(owners)
    const numbers = async (key: string) => Object.values(await database.hgetall(key)).map(Number)
    const kills = Object.values(shop.killed).reduce((sum, count) => sum + count, 0)
    // A second call, after the end of a process at its work, is marked as one.
    expect((await numbers('first')).filter((count) => count !== 1)).toEqual([])
    const calls = (await numbers('calls')).reduce((sum, count) => sum + count, 0)
    expect(calls - PURCHASES).toBeLessThan(KILLS * TOGETHER)
    expect(Object.keys(shop.killed).toSorted()).toEqual(POINTS.toSorted())
    expect(kills).toBe(KILLS)
    const open = Array.from({ length: PLAYERS }, (_, index) =>
      emulator.activity.entitlements(playerOf(index)),
    )
      .flat()
      .filter(({ sku_id: sku, consumed }) => (Number(sku) % 2 === 0) !== consumed)
    expect(open).toEqual([])

    const refunded = bought.slice(0, REFUNDS)
    refunded.forEach((id, index) => {
      ways.set(id, { way: WAYS[index % WAYS.length] ?? 'event', pagesDone: Promise.resolve() })
      emulator.activity.refund({ entitlement: id })
    })
    await signInAll()
    expect(await database.hgetall('revoked')).toEqual(Object.fromEntries(refunded.map((id) => [id, '1'])))
    if (process.env['FOYER_FIGURES'])
      console.log(
        `${PURCHASES} purchases in ${seconds.toFixed(1)} s, ${kills} processes killed, ${calls} calls of grant`,
        shop.killed,
      )
  },
)
