/** Rate limits of a player against those of the emulator: waits, rejections, learned limits, cancellation, and no 429 caused by the client. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Client } from 'foyer-sdk'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { claimLobby, recordEvents, LobbyGame } from '../support/lobby-game'
import { findPlayer } from '../support/find-player'

const MINUTE = 60_000
let emulator: Emulator
let game: LobbyGame

beforeAll(async () => {
  emulator = await createEmulator()
})
beforeEach(() => {
  emulator.reset()
  emulator.limits('production')
  game = new LobbyGame(emulator)
})
afterEach(() => game.close())
afterAll(() => emulator.close())

const idOf = (name: string) => findPlayer(emulator, name).id
const joins = () => emulator.requests.filter(({ path }) => path.endsWith('/lobbies')).length
const rejections = () => emulator.requests.filter(({ status }) => status === 429).length

/** Ten joins: the limit of a player per minute. */
async function useUp(client: Client): Promise<void> {
  for (let time = 0; time < 10; time++) await client.createOrJoinLobby(`lobby ${time}`)
}

describe('the rate limits of a player', () => {
  it('reject the eleventh join at once with its wait if that exceeds maxWait', async () => {
    const ada = await game.player('ada')
    const received = recordEvents(ada, 'rateLimited', 'rateLimitDelayed')
    await useUp(ada)
    const now = game.clock.now()
    const error: unknown = await ada.createOrJoinLobby('one more').catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      name: 'RateLimitError',
      code: 'rate_limited',
      bucket: 'join_lobby',
      scope: 'user',
      retryable: true,
    })
    const { retryAfter, resetAt } = error as { retryAfter: number; resetAt: number }
    expect(retryAfter).toBeGreaterThan(MINUTE - 1000)
    expect(retryAfter).toBeLessThan(MINUTE + 1000)
    expect(resetAt).toBe(now + retryAfter)
    expect(received).toMatchObject([
      { event: 'rateLimited', data: { bucket: 'join_lobby', by: 'client', retryAfter } },
    ])
    expect([joins(), rejections()]).toEqual([10, 0])
  })

  it('delay the eleventh join if allowed, and report the wait', async () => {
    const ada = await game.player('ada', { maxWait: 2 * MINUTE })
    const received = recordEvents(ada, 'rateLimited', 'rateLimitDelayed')
    await useUp(ada)
    const eleventh = ada.createOrJoinLobby('one more')
    await expect.poll(() => received.length).toBe(1)
    expect(received).toMatchObject([
      { event: 'rateLimitDelayed', data: { bucket: 'join_lobby', ahead: 0, wait: expect.any(Number) } },
    ])
    game.pass(MINUTE + 100)
    expect((await eleventh).members).toHaveLength(1)
    expect(rejections()).toBe(0)
  })

  it.each(['fixed', 'first', 'sliding', 'token'] as const)(
    'cause no 429 for a service with a %s window',
    async (window) => {
      emulator.limits({ join_lobby: { limit: 4, per: 1000, window } })
      const ada = await game.player('ada', {
        maxWait: MINUTE,
        service: { host: emulator.url, limits: { join_lobby: { limit: 4, per: 1000 } } },
      })
      const all = Array.from({ length: 12 }, (_, index) => ada.createOrJoinLobby(`lobby ${index}`))
      let done = 0
      for (const join of all) void join.then(() => done++)
      await expect.poll(() => (game.pass(50), done), { interval: 10 }).toBe(12)
      expect(rejections()).toBe(0)
    },
  )

  it.each(['visible', 'hidden', 'absent'] as const)(
    'are learned from a 429 with %s headers after another device used them up',
    async (headers) => {
      emulator.limits({ '*': { headers } })
      const [phone, ada] = [await game.player('ada'), await game.player('ada', { maxWait: 2 * MINUTE })]
      await useUp(phone)
      const received = recordEvents(ada, 'rateLimited')
      const join = ada.createOrJoinLobby('moon')
      await expect.poll(() => received.length).toBe(1)
      expect(received).toMatchObject([
        { data: { bucket: 'join_lobby', by: 'service', retryAfter: expect.any(Number) } },
      ])
      game.pass(MINUTE + 1000)
      expect((await join).members).toHaveLength(1)
      expect(rejections()).toBe(1)
    },
  )

  it('release a call that is cancelled while it waits, without affecting others', async () => {
    const ada = await game.player('ada', { maxWait: 2 * MINUTE })
    await useUp(ada)
    const controller = new AbortController()
    const cancelled = ada.createOrJoinLobby('cancelled', { signal: controller.signal })
    const other = ada.createOrJoinLobby('other')
    const received = recordEvents(ada, 'rateLimitDelayed')
    await expect.poll(() => received.length).toBe(2)
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ name: 'NetworkError', code: 'aborted' })
    game.pass(MINUTE + 100)
    await other
    expect(joins()).toBe(11)
  })

  it('are shown by rateLimits', async () => {
    const ada = await game.player('ada')
    expect(ada.rateLimits).toEqual([])
    await ada.createOrJoinLobby('moon')
    const join = ada.rateLimits.find(({ bucket }) => bucket === 'join_lobby')
    expect(join).toMatchObject({
      key: idOf('ada'),
      limit: 10,
      per: MINUTE,
      free: 9,
      inFlight: 0,
      releasing: 1,
      waiting: 0,
    })
  })

  it('count each player of a client separately', async () => {
    const client = await game.player('ada')
    await useUp(client)
    await client.signIn({
      surface: consentSurface(emulator, { as: 'bruno', redirectUri: 'http://127.0.0.1:51234/callback' }),
    })
    expect((await client.createOrJoinLobby('moon')).members.map(({ id }) => id)).toEqual([idOf('bruno')])
  })

  it('send nothing more while the service blocks the IP address', async () => {
    emulator.limits({ profile: 'off', edge: { limit: 5, per: 600_000 } })
    const ada = await game.player('ada')
    const lobby = await claimLobby(ada, '1')
    for (let time = 0; time < 6; time++)
      await fetch(`${emulator.url}/api/v10/users/@me`, { headers: { authorization: 'Bearer dead' } })
    await expect(ada.createOrJoinLobby('moon')).rejects.toMatchObject({ name: 'RateLimitError' })
    await expect(lobby.send('hi')).rejects.toMatchObject({ name: 'RateLimitError' })
    const sent = emulator.requests.length
    await expect(ada.createOrJoinLobby('moon')).rejects.toMatchObject({
      name: 'RateLimitError',
      code: 'too_many_refusals',
      scope: 'address',
    })
    await expect(lobby.send('hi')).rejects.toMatchObject({ code: 'too_many_refusals' })
    expect(emulator.requests.length).toBe(sent)
  })
})
