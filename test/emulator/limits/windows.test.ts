/** The four kinds of windows on a manual clock: accepted requests, waits and headers. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator, type WindowKind } from 'foyer-emulator'
import { Lobbies } from '../lobbies/lobby-client.js'

let emulator: Emulator
let bot: Lobbies
beforeAll(async () => {
  emulator = await createEmulator({ limits: 'off' })
  bot = new Lobbies(emulator)
})
afterAll(() => emulator.close())
beforeEach(() => emulator.reset())

/** The emulator’s time stands still during a test: a window is much longer than a test. */
const minute = 60_000
const limit = 4

function limited(window: WindowKind): void {
  emulator.limits({ get_lobby: { limit, per: 60 * minute, window } })
}

/** Sends until a request is rejected, and returns the number of successes. */
async function passing(): Promise<number> {
  for (let count = 0; count <= limit; count += 1) if ((await bot.get('/1')).status === 429) return count
  return limit + 1
}

/** Advances to a quarter past: a clock hour has 45 minutes left. */
function toQuarterPast(): void {
  emulator.advance(75 * minute - (Date.now() % (60 * minute)))
}

describe('a rate limit window', () => {
  it('that is fixed ends with the clock', async () => {
    limited('fixed')
    toQuarterPast()
    expect(await passing()).toBe(4)
    emulator.advance(44 * minute)
    expect(await passing()).toBe(0)
    emulator.advance(2 * minute)
    expect(await passing()).toBe(4)
  })

  it('that begins with a request ends after its length, and the next begins with the next request', async () => {
    limited('first')
    toQuarterPast()
    await bot.get('/1')
    emulator.advance(59 * minute)
    expect(await passing()).toBe(3)
    emulator.advance(2 * minute)
    expect(await passing()).toBe(4)
    emulator.advance(58 * minute)
    expect(await passing()).toBe(0)
    emulator.advance(2 * minute)
    expect(await passing()).toBe(4)
  })

  it('that slides counts each request for its own period', async () => {
    limited('sliding')
    await bot.get('/1')
    await bot.get('/1')
    emulator.advance(30 * minute)
    expect(await passing()).toBe(2)
    emulator.advance(31 * minute)
    expect(await passing()).toBe(2)
    emulator.advance(30 * minute)
    expect(await passing()).toBe(2)
  })

  it('with tokens refills steadily, up to its maximum', async () => {
    limited('token')
    expect(await passing()).toBe(4)
    emulator.advance(16 * minute)
    expect(await passing()).toBe(1)
    emulator.advance(31 * minute)
    expect(await passing()).toBe(2)
    emulator.advance(600 * minute)
    expect(await passing()).toBe(4)
  })

  it.each(['fixed', 'first', 'sliding', 'token'] as const)(
    '(%s) accepts a request after the reported wait',
    async (window) => {
      limited(window)
      toQuarterPast()
      await passing()
      const { headers, body } = await bot.get('/1')
      expect(headers.get('retry-after')).toBe(String(Math.ceil(Object(body).retry_after)))
      emulator.advance(Object(body).retry_after * 1000)
      expect((await bot.get('/1')).status).toBe(404)
    },
  )

  it.each(['fixed', 'first', 'sliding', 'token'] as const)(
    '(%s) is reset at the reported time',
    async (window) => {
      limited(window)
      await bot.get('/1')
      emulator.advance(minute)
      const { headers } = await bot.get('/1')
      emulator.advance(Number(headers.get('x-ratelimit-reset-after')) * 1000)
      expect((await bot.get('/1')).headers.get('x-ratelimit-remaining')).toBe('3')
    },
  )
})
