/** Hours of calls through limiters, in virtual time: one alone, and three on a store that is unavailable at times. */
import { MemoryRateLimitStores } from 'foyer-sdk/server'
import type { RateLimitStore } from 'foyer-sdk'
import { AbortGroup, monotonic, RateLimiter, sendRetried } from '../../../support/internals'
import { FaultyService, seeded } from './faulty-service'
import { VirtualClock } from './virtual-clock'

const GLOBAL = { name: 'global', limit: 50, per: 1000 }
const JOIN = { name: 'join_lobby', limit: 10, per: 60_000 }
const PLAYERS = 40
const LINES = 6
const MINUTE = 60_000
/** ms. A call that takes longer is stuck: its waits, five 429s and all its timeouts together are shorter. */
const STUCK = 5 * MINUTE

export interface SoakOptions {
  /** Minutes of simulated time. */
  readonly minutes: number
  readonly seed: number
  /** Samples the state sixty times. */
  readonly look?: () => void
}

export interface SoakReport {
  readonly calls: number
  /** Number of calls by outcome: status or code. */
  readonly ends: Readonly<Record<string, number>>
  readonly stuck: number
  /** ms. */
  readonly longest: number
  /** 429s caused by the limiter exceeding a limit. */
  readonly exceeded: number
  /** Number of times that a limiter found its store unavailable. */
  readonly away: number
  /** State that is left after all parties were idle and closed. */
  readonly left: readonly number[]
}

interface World {
  readonly clock: VirtualClock
  readonly chance: () => number
  readonly end: number
  readonly open: Map<number, number>
  readonly ends: Record<string, number>
  calls: number
  longest: number
  stuck: number
}

export async function soak({ minutes, seed, look = () => {} }: SoakOptions): Promise<SoakReport> {
  const clock = new VirtualClock()
  const chance = seeded(seed)
  const end = minutes * MINUTE
  const world: World = { clock, chance, end, open: new Map(), ends: {}, calls: 0, longest: 0, stuck: 0 }
  const line = storeLine(world)
  let away = 0
  const budget = new MemoryRateLimitStores(clock)
  const shared = {
    clock,
    hold: 15_000,
    events: { shared: ({ isAway }: { isAway: boolean }) => void (away += isAway ? 1 : 0) },
  }
  const alone = { limiter: new RateLimiter({ clock }), service: new FaultyService(clock, chance, GLOBAL) }
  const together = new FaultyService(clock, chance, GLOBAL)
  const all = [
    alone,
    ...[0, 1, 2].map(() => ({
      limiter: new RateLimiter({ ...shared, store: line(budget.store()) }),
      service: together,
    })),
  ]
  for (const party of all) for (let i = 0; i < LINES; i++) void callOnAndOn(world, party)
  for (let i = 1; i <= 60; i++) {
    await clock.run((end * i) / 60)
    for (const started of world.open.values()) if (clock.time - started > STUCK) world.stuck++
    look()
  }
  await clock.run(end + STUCK)
  const stuck = world.stuck + world.open.size
  const resting = all.flatMap(({ limiter }) => limiter.limits())
  for (const { limiter } of all) limiter.close()
  await clock.run(end + STUCK + 10 * MINUTE)
  const { calls, ends, longest } = world
  return {
    calls,
    ends,
    stuck,
    longest,
    exceeded: alone.service.exceeded,
    away,
    left: [resting.length, budget.size, clock.waiting],
  }
}

interface Party {
  readonly limiter: RateLimiter
  readonly service: FaultyService
}

async function callOnAndOn(world: World, party: Party): Promise<void> {
  const { clock, chance, end } = world
  for (let pause = chance() * 1000; clock.time + pause < end; pause = chance() * 400) {
    await new Promise<void>((resolve) => void clock.at(clock.time + pause, resolve))
    await callOnce(world, party)
  }
}

async function callOnce(world: World, { limiter, service }: Party): Promise<void> {
  const { clock, chance, ends, open } = world
  const call = world.calls++
  const begin = clock.time
  open.set(call, begin)
  const controller = new AbortController()
  const cancel = chance() < 0.03 ? clock.at(begin + chance() * 2000, () => controller.abort()) : () => {}
  const player = `player ${Math.floor(chance() * PLAYERS)}`
  const request = {
    method: chance() < 0.5 ? 'POST' : 'PUT',
    route: 'soak',
    buckets: chance() < 0.1 ? [{ ...JOIN, key: player }, GLOBAL] : [GLOBAL],
    party: player,
    priority: (['high', 'normal', 'low'] as const)[Math.floor(chance() * 3)],
    maxWait: chance() < 0.1 ? chance() * 100 : MINUTE,
    signal: controller.signal,
    send: () => service.send(controller.signal),
  }
  const how = await sendRetried(
    { limiter, clock: monotonic(clock), abortGroup: new AbortGroup(), chance },
    request,
  ).then(
    ({ status }) => String(status),
    ({ code, message }: { code?: string; message: string }) => code ?? message,
  )
  cancel()
  ends[how] = (ends[how] ?? 0) + 1
  world.longest = Math.max(world.longest, clock.time - begin)
  open.delete(call)
}

/** The connection to the store: cut for 2 to 20 s, about twice in five minutes. */
function storeLine({ clock, chance, end }: World): (store: RateLimitStore) => RateLimitStore {
  let isCut = false
  const turn = () => {
    isCut = !isCut
    const next = clock.time + (isCut ? 2000 + chance() * 18_000 : 30_000 + chance() * 2 * MINUTE)
    if (isCut || next < end) clock.at(next, turn)
  }
  clock.at(30_000 + chance() * MINUTE, turn)
  const reach = async <T>(act: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => void clock.at(clock.time + 0.5, resolve))
    if (isCut) throw new Error('cut')
    return act()
  }
  return (store) => ({
    acquire: (ask) => reach(() => store.acquire(ask)),
    settle: (settlement) => reach(() => store.settle(settlement)),
    block: (bucket, ms) => reach(() => store.block(bucket, ms)),
    unblock: (bucket) => reach(() => store.unblock(bucket)),
    countRefusals: (count) => reach(() => store.countRefusals(count)),
    close: () => reach(() => store.close()),
  })
}
