/** The emulator’s own clock: the expiry times that follow it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  call,
  claimsIn,
  control,
  exchange,
  getCode,
  json,
  refresh,
  rejectionOf,
  signIn,
} from './support/sign-in-client.js'

const tick = 1000
const minute = 60_000
const day = 1440 * minute
let emulator: Emulator
const folder = mkdtempSync(join(tmpdir(), 'foyer-clock-'))

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(async () => {
  await emulator.close()
  rmSync(folder, { recursive: true })
})

async function ruleFor(token: string): Promise<string | null> {
  return (await call(emulator, '/users/@me', token)).headers.get('x-emulator-rule')
}

describe('advancing the emulator’s clock', () => {
  it('expires an access token after a week, and its refresh token after 90 days', async () => {
    const { accessToken, refreshToken } = await signIn(emulator)
    emulator.advance(7 * day - minute)
    expect(await ruleFor(accessToken)).toBeNull()
    emulator.advance(minute)
    expect(await ruleFor(accessToken)).toBe('the access token is expired')
    emulator.advance(82 * day)
    const { refresh_token: next } = await json(await refresh(emulator, refreshToken))
    emulator.advance(90 * day + minute)
    expect((await rejectionOf(await refresh(emulator, String(next)))).rule).toBe('refresh_token is expired')
  })

  it('expires a code after 100 seconds and not before', async () => {
    const [early, late] = [await getCode(emulator), await getCode(emulator)]
    emulator.advance(40_000)
    expect((await exchange(emulator, early)).status).toBe(200)
    emulator.advance(60_000)
    expect((await rejectionOf(await exchange(emulator, late))).rule).toBe('code is expired')
  })

  it('changes the times in ID tokens, authorizations and Date headers', async () => {
    const time = async () => Number((await json(await control(emulator, '/clock')))['now'])
    const before = await time()
    const { idToken, accessToken } = await signIn(emulator, 'ada', { scope: 'openid identify' })
    const { iat, exp } = claimsIn(idToken)
    expect(Number(exp) - Number(iat)).toBe(3600)
    const response = await call(emulator, '/oauth2/@me', accessToken)
    const { expires } = await json(response)
    const after = await time()
    const dates = [
      Number(iat) * 1000,
      Date.parse(response.headers.get('date') ?? ''),
      Date.parse(String(expires)) - 7 * day,
    ]
    for (const date of dates) {
      expect(date).toBeGreaterThan(before - tick)
      expect(date).toBeLessThan(after + tick)
    }
  })

  it('accumulates fractions of a second', async () => {
    const code = await getCode(emulator)
    for (let step = 0; step < 200; step++) emulator.advance(500)
    expect((await rejectionOf(await exchange(emulator, code))).rule).toBe('code is expired')
  })

  it('does not affect the system clock', () => {
    const before = Date.now()
    emulator.advance(day)
    expect(Date.now() - before).toBeLessThan(day / 2)
  })

  it.each([[-1], [Number.NaN], [Number.POSITIVE_INFINITY]])('rejects %s: time only advances', (ms) => {
    expect(() => emulator.advance(ms)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })

  it('works through the control plane, which returns the time', async () => {
    const { accessToken } = await signIn(emulator)
    const { now: before } = await json(await control(emulator, '/clock'))
    const { now: after } = await json(await control(emulator, '/clock', { advance: 8 * day }))
    expect(Number(after) - Number(before)).toBeGreaterThanOrEqual(8 * day)
    expect(await ruleFor(accessToken)).toBe('the access token is expired')
    expect((await control(emulator, '/clock', { advance: '1' })).status).toBe(400)
  })

  it('is undone by a reset', async () => {
    emulator.reset()
    const { now } = await json(await control(emulator, '/clock'))
    expect(Math.abs(Number(now) - Date.now())).toBeLessThan(minute)
  })
})

describe('a frozen clock', () => {
  afterEach(() => emulator.reset())

  it('stands: tokens do not age, until it is advanced or runs again', async () => {
    const { now, frozen } = emulator.clock({ frozen: true })
    expect(frozen).toBe(true)
    const { idToken, accessToken } = await signIn(emulator, 'ada', { scope: 'openid identify' })
    expect(claimsIn(idToken)['iat']).toBe(Math.floor(now / 1000))
    expect(emulator.clock().now).toBe(now)
    expect(emulator.clock({ advance: 7 * day - minute }).now).toBe(now + 7 * day - minute)
    expect(await ruleFor(accessToken)).toBeNull()
    emulator.advance(minute)
    expect(await ruleFor(accessToken)).toBe('the access token is expired')
    const running = emulator.clock({ frozen: false })
    expect(running.now - now - 7 * day).toBeLessThan(minute)
    expect(running.frozen).toBe(false)
    await expect.poll(() => emulator.clock().now).toBeGreaterThan(running.now)
  })

  it('closes an idle lobby only when it runs again', async () => {
    const bot = { authorization: `Bot ${emulator.application.botToken}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ idle_timeout_seconds: 5 })
    emulator.clock({ frozen: true })
    const lobby = await json(
      await fetch(`${emulator.url}/api/v10/lobbies`, { method: 'POST', headers: bot, body }),
    )
    const status = async () =>
      (await fetch(`${emulator.url}/api/v10/lobbies/${String(lobby['id'])}`, { headers: bot })).status
    emulator.advance(5 * tick - 1)
    expect(await status()).toBe(200)
    emulator.clock({ frozen: false })
    await expect.poll(status).toBe(404)
  })
})

describe('a clock that is ahead of the machine’s, or behind it', () => {
  it('dates ID tokens and the Date header by itself', async () => {
    const { ahead, now } = emulator.clock({ skew: -10 * minute })
    expect(ahead).toBe(-10 * minute)
    const { idToken, accessToken } = await signIn(emulator, 'ada', { scope: 'openid identify' })
    expect(Number(claimsIn(idToken)['iat']) * 1000).toBeLessThan(now + minute)
    const date = Date.parse((await call(emulator, '/oauth2/@me', accessToken)).headers.get('date') ?? '')
    expect(Math.abs(date - now)).toBeLessThan(minute)
    expect(emulator.clock({ skew: 10 * minute, advance: minute }).ahead).toBe(11 * minute)
    expect(emulator.clock({ skew: 0 }).ahead).toBe(0)
  })

  it('resets the limits when it goes back, so that no window ends in a far future', async () => {
    const { accessToken } = await signIn(emulator, 'ada', { scope: 'openid identify' })
    emulator.limits({ global: { limit: 1, per: minute } })
    emulator.advance(day)
    await call(emulator, '/users/@me', accessToken)
    expect((await call(emulator, '/users/@me', accessToken)).status).toBe(429)
    emulator.clock({ skew: 0 })
    expect((await call(emulator, '/users/@me', accessToken)).status).toBe(200)
    emulator.limits('production')
  })

  it('is part of a snapshot', () => {
    emulator.clock({ skew: -day })
    const snapshot = emulator.snapshot()
    emulator.clock({ skew: 0 })
    emulator.restore(snapshot)
    expect(emulator.clock().ahead).toBe(-day)
    expect(() => emulator.restore({ ...snapshot, ahead: 1e15 })).toThrow(
      expect.objectContaining({ code: 'bad_request' }),
    )
    emulator.reset()
  })

  it.each([{ skew: 1e15 }, { skew: '1' }, { frozen: 1 }, { advance: -1 }, { ahead: 1 }])(
    'rejects %j, and changes nothing',
    async (input) => {
      const before = emulator.clock().ahead
      expect((await control(emulator, '/clock', input)).status).toBe(400)
      expect(emulator.clock().ahead).toBe(before)
    },
  )

  it('works through the control plane, which returns the state', async () => {
    const state = await json(await control(emulator, '/clock', { skew: -minute, frozen: true }))
    expect(state).toMatchObject({ frozen: true, now: emulator.clock().now })
    expect(await json(await control(emulator, '/clock', { skew: 0, frozen: false }))).toMatchObject({
      ahead: 0,
      frozen: false,
    })
  })
})

describe('an advanced clock', () => {
  it('survives a restart, so that expired tokens stay expired', async () => {
    const state = join(folder, 'state.db')
    const first = await createEmulator({ state })
    const { accessToken, refreshToken } = await signIn(first)
    first.advance(7 * day + minute)
    await first.close()
    const second = await createEmulator({ state })
    expect((await call(second, '/users/@me', accessToken)).headers.get('x-emulator-rule')).toBe(
      'the access token is expired',
    )
    expect((await refresh(second, refreshToken)).status).toBe(200)
    await second.close()
  })
})
