/** Players who come back all at once after a short outage: how many streams a process opens in a second, and when the others return. */
import { createLobbyHub } from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConnectLimit, PlayerLobbyStream } from '../../support/internals'
import { HubWorld, settled } from '../../support/hub-world'
import { ManualClock } from '../../support/manual-clock'

const range = (count: number) => Array.from({ length: count }, (_, index) => index)

/** Largest number of times within any second. */
function mostInASecond(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  let [first, most] = [0, 0]
  for (const [index, at] of sorted.entries()) {
    while ((sorted[first] ?? at) <= at - 1000) first++
    most = Math.max(most, index - first + 1)
  }
  return most
}

describe('the limit of new streams', () => {
  let clock: ManualClock
  beforeEach(() => (clock = new ManualClock()))

  it('opens a quarter of a second of them at once, then as many as the rate, and counts the refused ones', () => {
    const limit = new ConnectLimit(clock, 100)
    const delays = range(126 + 285).map(() => limit.take())
    expect(delays.filter((seconds) => seconds === 0)).toHaveLength(26)
    // 95 of them in each second.
    for (const second of range(4)) {
      const count = delays.filter((seconds) => seconds === second + 1).length
      expect(count).toBeGreaterThanOrEqual(94)
      expect(count).toBeLessThanOrEqual(96)
    }
    clock.advance(1000)
    expect(range(200).filter(() => limit.take() === 0)).toHaveLength(26)
  })

  it('lets 10,000 players return within 25 s, at no second many more than the rate', () => {
    const [limit, start] = [new ConnectLimit(clock, 500), clock.now()]
    const [asked, opened] = [new Array<number>(), new Array<number>()]
    const attempt = () => {
      asked.push(clock.now())
      const seconds = limit.take()
      if (seconds === 0) opened.push(clock.now())
      else clock.after(seconds * 1000 + Math.random() * 1000, attempt)
    }
    for (const _ of range(10_000)) clock.after(Math.random() * 1000, attempt)
    clock.advance(60_000)
    expect(opened).toHaveLength(10_000)
    expect((opened.at(-1) ?? 0) - start).toBeLessThan(25_000)
    expect(mostInASecond(opened)).toBeLessThanOrEqual(626)
    expect(mostInASecond(asked.filter((at) => at > start + 1000))).toBeLessThan(650)
    // Most players are refused once, when all of them come at the same time.
    expect(asked.length).toBeLessThan(21_000)
  })

  it('demands at most five minutes, and spreads any further clients over the same time', () => {
    const limit = new ConnectLimit(clock, 1)
    const delays = range(1000).map(() => limit.take())
    expect(Math.max(...delays)).toBe(300)
    expect(delays.filter((seconds) => seconds === 300).length).toBeLessThan(10)
  })

  it('recovers its rate when nobody has come for a while, and no more than that', () => {
    const limit = new ConnectLimit(clock, 100)
    for (const _ of range(1000)) limit.take()
    clock.advance(3_600_000)
    expect(range(100).filter(() => limit.take() === 0)).toHaveLength(26)
    expect(limit.take()).toBe(1)
  })
})

describe('a hub', () => {
  const RATE = 4
  let world: HubWorld
  afterEach(() => world.close())

  it('opens no more streams in a second than its option says, and every player is back', async () => {
    world = new HubWorld(1, 0)
    world.isFaulty = false
    world.maxConnectsPerSecond = RATE
    for (const index of range(60)) {
      world.join(`1${index}`, '901')
      world.player(`1${index}`)
    }
    await world.pass(1000)
    world.hubs.push(world.startHub())
    const start = world.clock.now()
    world.responses.length = 0
    await world.pass(40_000)
    const opened = world.responses.filter(({ status }) => status === 200)
    expect(opened).toHaveLength(60)
    expect(world.hubs[0]?.streams).toBe(60)
    expect(mostInASecond(opened.map(({ at }) => at))).toBeLessThanOrEqual(RATE + 2)
    expect((opened.at(-1)?.at ?? 0) - start).toBeLessThan(30_000)
    expect(new Set(world.responses.map(({ status }) => status))).toEqual(new Set([200, 503]))
  })

  it('refuses with a code and a delay that pages of other origins may read, and takes nothing from the budget of the lobbies', async () => {
    world = new HubWorld(1, 0)
    world.maxConnectsPerSecond = 1
    const hub = world.startHub()
    world.hubs.push(hub)
    const lobbies = range(16)
      .map((index) => `90${index}`)
      .join(',')
    const open = (player: string, query = '') =>
      hub(new Request(`https://game.test/${query}`, { headers: { authorization: `Bearer ${player}` } }))
    expect((await open('11')).status).toBe(200)
    const refused = await open('12', `?lobbies=${lobbies}`)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toEqual({ code: 'too_many_connects' })
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refused.headers.get('access-control-expose-headers')).toBe('retry-after')
    world.clock.advance(2000)
    expect((await open('12', `?lobbies=${lobbies}`)).status).toBe(200)
  })

  it('rejects a rate that is no number above 0', () => {
    world = new HubWorld(1, 0)
    const lobbies = {
      get: () => expect.fail(),
      removeMember: async () => undefined,
      onChanged: () => () => undefined,
    }
    const create = (maxConnectsPerSecond: number) =>
      createLobbyHub({ client: { lobbies }, verify: () => expect.fail(), maxConnectsPerSecond })
    for (const value of [0, -1, Number.NaN, '500' as never]) {
      expect(() => create(value)).toThrow(expect.objectContaining({ code: 'invalid_argument' }) as Error)
    }
    create(Number.POSITIVE_INFINITY).close()
  })
})

/** Delays of ten refusals in a row, in ms. */
async function delaysAfter(response: () => Response): Promise<number[]> {
  const clock = new ManualClock()
  const waits: number[] = []
  const log = (_level: string, _step: string, data?: unknown) =>
    void waits.push((data as { wait: number }).wait)
  const player = { isAllowed: () => true, lobbyIds: () => [], fetch: async () => response() }
  const stream = new PlayerLobbyStream({
    clock,
    log,
    url: 'https://game.test/',
    player,
    listener: () => undefined,
  })
  for (const _ of range(10)) {
    await settled()
    clock.advance(waits.at(-1) ?? 0)
    clock.advance(1)
  }
  stream.close()
  return waits
}

describe("a player's client", () => {
  it('returns within a second after the time that a refusal names, however often it was refused', async () => {
    const waits = await delaysAfter(
      () => new Response(null, { status: 503, headers: { 'retry-after': '3' } }),
    )
    expect(waits.length).toBeGreaterThanOrEqual(10)
    for (const wait of waits) {
      expect(wait).toBeGreaterThanOrEqual(3000)
      expect(wait).toBeLessThanOrEqual(4000)
    }
    expect(new Set(waits).size).toBeGreaterThan(1)
  })

  it('waits longer each time after failures that name no time', async () => {
    const waits = await delaysAfter(() => new Response(null, { status: 503 }))
    expect(Math.max(...waits)).toBeGreaterThan(4000)
  })
})
