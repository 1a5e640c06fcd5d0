/** Keyed mutex: locks of clients that share a store, in virtual time. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { NetworkError, type RateLimitStore } from 'foyer-sdk'
import { MemoryRateLimitStores } from 'foyer-sdk/server'
import { createKeyedMutex, type KeyedMutex } from '../support/internals'
import { rejection } from '../support/settle'
import { VirtualClock } from './rate-limit/support/virtual-clock'

const MAX_WAIT = 30_000

let clock: VirtualClock
let budget: MemoryRateLimitStores
let all: KeyedMutex[]

beforeEach(() => {
  clock = new VirtualClock()
  budget = new MemoryRateLimitStores(clock)
  all = []
})
afterEach(() => {
  for (const turns of all) turns.close()
})

function join(store: RateLimitStore | undefined = budget.store()): KeyedMutex {
  const turns = createKeyedMutex({ clock, maxWait: MAX_WAIT, store })
  all.push(turns)
  return turns
}

const never = () => new Promise<never>(() => {})
const away = () => Promise.reject(new Error('away'))

describe('a lock', () => {
  it('expires after ten seconds, and is granted again once none of its requests can still arrive', async () => {
    const [a, b] = [join(), join()]
    const long = rejection(() => a.runExclusive('lobby', never, {}))
    let began = 0
    void b.runExclusive('lobby', async () => void (began = clock.time), {})
    await clock.run(9999)
    expect(began).toBe(0)
    await clock.run(10_100)
    expect(await long).toMatchObject({ code: 'timed_out' })
    expect(began).toBe(0)
    await clock.run(12_500)
    expect(began).toBeGreaterThanOrEqual(11_000)
  })

  it('with an aborted request is held until that request can no longer arrive', async () => {
    const [a, b] = [join(), join()]
    void rejection(() =>
      a.runExclusive('lobby', () => Promise.reject(new NetworkError('timed_out', 'PATCH')), {}),
    )
    await clock.run(1)
    let began = 0
    void b.runExclusive('lobby', async () => void (began = clock.time), {})
    await clock.run(5000)
    expect(began).toBeGreaterThanOrEqual(1000)
  })

  it('is released at once after any other failure', async () => {
    const [a, b] = [join(), join()]
    void rejection(() => a.runExclusive('lobby', () => Promise.reject(new Error('mine')), {}))
    await clock.run(1)
    let began = 0
    void b.runExclusive('lobby', async () => void (began = clock.time), {})
    await clock.run(500)
    expect(began).toBeGreaterThan(0)
  })

  it('expires relative to its request: the store may have granted it at once', async () => {
    const store = budget.store()
    const slow = () => new Promise<void>((resolve) => void clock.at(clock.time + 800, resolve))
    const a = join({
      ...store,
      acquire: (ask) => store.acquire(ask).then((grant) => slow().then(() => grant)),
    })
    const long = rejection(() => a.runExclusive('lobby', never, {}))
    await clock.run(10_001)
    expect(await long).toMatchObject({ code: 'timed_out' })
  })

  it('is not granted while the store is unavailable, and is granted once it is back', async () => {
    const store = budget.store()
    let isAway = true
    const turns = join({
      ...store,
      acquire: (ask) => (isAway ? Promise.reject(new Error('away')) : store.acquire(ask)),
    })
    let began = 0
    void turns.runExclusive('lobby', async () => void (began = clock.time), {})
    const abortingCaller = rejection(() => turns.runExclusive('other', never, {}))
    await clock.run(20_000)
    isAway = false
    await clock.run(21_500)
    expect(began).toBeGreaterThanOrEqual(20_000)
    isAway = true
    await clock.run(MAX_WAIT + 2000)
    expect(await abortingCaller).toMatchObject({ code: 'timed_out' })
  })

  it('that is not granted in time rejects', async () => {
    const turns = join({ ...budget.store(), acquire: away })
    const rejected = rejection(() => turns.runExclusive('lobby', never, {}))
    await clock.run(MAX_WAIT + 2000)
    expect(await rejected).toMatchObject({ code: 'rate_limited', bucket: 'turn' })
  })

  it('allows one call at a time for a client without a store', async () => {
    const turns = createKeyedMutex({ clock, maxWait: MAX_WAIT })
    all.push(turns)
    const order: string[] = []
    const run = (name: string) =>
      turns.runExclusive(
        'lobby',
        async () => {
          order.push(`${name} begins`)
          await Promise.resolve()
          order.push(`${name} ends`)
        },
        {},
      )
    const ended = Promise.all([run('first'), run('second')])
    await clock.run(clock.time + 1000)
    await ended
    expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends'])
  })
})

describe('a closed mutex', () => {
  it('aborts the calls that run and those that wait, and accepts no more', async () => {
    const [a, b] = [join(), join()]
    let signal: AbortSignal | undefined
    const running = rejection(() =>
      a.runExclusive('lobby', ({ signal: given }) => ((signal = given), never()), {}),
    )
    await clock.run(1)
    const waiting = rejection(() => a.runExclusive('lobby', never, {}))
    await clock.run(2)
    expect(signal?.aborted).toBe(false)
    a.close()
    expect(await running).toMatchObject({ code: 'aborted' })
    expect(await waiting).toMatchObject({ code: 'closed' })
    expect(signal?.aborted).toBe(true)
    expect(await rejection(() => a.runExclusive('lobby', never, {}))).toMatchObject({ code: 'closed' })
    let began = 0
    void b.runExclusive('other', async () => void (began = clock.time), {})
    await clock.run(100)
    expect(began).toBeGreaterThan(0)
  })

  it('does not abort what has ended before', async () => {
    const mutex = join()
    let signal: AbortSignal | undefined
    let ended = false
    const done = mutex
      .runExclusive('lobby', async ({ signal: given }) => void (signal = given), {})
      .then(() => (ended = true))
    await clock.run(100)
    await done
    signal?.addEventListener('abort', () => (ended = false))
    mutex.close()
    expect(ended).toBe(true)
  })
})

describe('a call', () => {
  it('that is aborted while it waits never runs, and one that is aborted while it runs rejects at once', async () => {
    const mutex = join()
    const [first, second] = [new AbortController(), new AbortController()]
    let ran = false
    const running = rejection(() => mutex.runExclusive('lobby', never, { signal: first.signal }))
    await clock.run(1)
    const waiting = rejection(() =>
      mutex.runExclusive('lobby', async () => void (ran = true), { signal: second.signal }),
    )
    await clock.run(2)
    second.abort()
    first.abort()
    expect(await waiting).toMatchObject({ code: 'aborted' })
    expect(await running).toMatchObject({ code: 'aborted' })
    await clock.run(20_000)
    expect(ran).toBe(false)
  })

  it('does not wait for another key', async () => {
    const mutex = join()
    void rejection(() => mutex.runExclusive('lobby', never, {}))
    await clock.run(1)
    let began = 0
    void mutex.runExclusive('other', async () => void (began = clock.time), {})
    await clock.run(500)
    expect(began).toBeGreaterThan(0)
  })
})

describe('a renewed lock', () => {
  const renewed = { isRenewed: true }

  it('is held for as long as its work takes', async () => {
    const [a, b] = [join(), join()]
    const order: string[] = []
    const long = a.runExclusive(
      'sync',
      () => new Promise<void>((resolve) => void clock.at(25_000, resolve)),
      renewed,
    )
    void long.then(() => order.push('a'))
    void b.runExclusive('sync', async () => void order.push('b'), renewed)
    await clock.run(24_999)
    expect(order).toEqual([])
    await clock.run(25_500)
    expect(order).toEqual(['a', 'b'])
  })

  it('of a client without a store is held for as long as its work takes', async () => {
    const turns = createKeyedMutex({ clock, maxWait: MAX_WAIT })
    all.push(turns)
    const long = turns.runExclusive(
      'sync',
      () => new Promise<number>((resolve) => void clock.at(25_000, () => resolve(1))),
      renewed,
    )
    await clock.run(25_000)
    expect(await long).toBe(1)
  })

  it('whose work ends during a renewal is not renewed again, and leaves no timer', async () => {
    const store = budget.store()
    let renewals = 0
    const renew = async () => (
      renewals++,
      await new Promise<void>((resolve) => void clock.at(clock.time + 500, resolve)),
      true
    )
    const work = () => new Promise<void>((resolve) => void clock.at(2600, resolve))
    await Promise.all([join({ ...store, renew }).runExclusive('sync', work, renewed), clock.run(30_000)])
    expect([renewals, clock.waiting]).toEqual([1, 0])
  })

  it('of a store that cannot renew ends after ten seconds', async () => {
    const store = budget.store()
    Reflect.deleteProperty(store, 'renew')
    const long = rejection(() => join(store).runExclusive('sync', never, renewed))
    await clock.run(10_001)
    expect(await long).toMatchObject({ code: 'timed_out' })
  })

  it('ends ten seconds after its last renewal, also when the store no longer has it or is unavailable', async () => {
    for (const renew of [async () => false, away]) {
      const store = budget.store()
      const began = clock.time
      const long = rejection(() => join({ ...store, renew }).runExclusive(`sync ${began}`, never, renewed))
      let isOver = false
      void long.then(() => (isOver = true))
      await clock.run(began + 9999)
      expect(isOver).toBe(false)
      await clock.run(began + 10_001)
      expect(await long).toMatchObject({ code: 'timed_out' })
    }
  })

  it('survives a store that is away for less than that', async () => {
    const store = budget.store()
    let isAway = true
    const renew: RateLimitStore['renew'] = async (renewal) =>
      isAway ? away() : (store.renew?.(renewal) ?? false)
    const ended = join({ ...store, renew }).runExclusive(
      'sync',
      () => new Promise<void>((resolve) => void clock.at(15_000, resolve)),
      renewed,
    )
    await clock.run(6000)
    isAway = false
    await clock.run(15_100)
    await expect(ended).resolves.toBeUndefined()
  })

  it('is not taken for held by a process that stood still', async () => {
    const turns = join()
    const failed = rejection(() =>
      turns.runExclusive(
        'sync',
        async ({ requireHeld }) => {
          requireHeld()
          // No timer has run yet.
          clock.offset += 10_000
          requireHeld()
        },
        renewed,
      ),
    )
    await clock.run(1)
    expect(await failed).toMatchObject({ code: 'timed_out' })
  })
})
