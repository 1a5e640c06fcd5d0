/** Signing in on a device without a browser: the code, the waiting, and every way it ends, against the emulator. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client } from 'foyer-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPlayer } from '../support/find-player'
import { WaitingDevice } from '../support/waiting-device'

const HOUR = 3_600_000
const TOKEN = { path: '/api/v10/oauth2/token' }
const ARGS = { scopes: 'openid sdk.social_layer' }
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
beforeEach(() => emulator.reset())
afterAll(() => emulator.close())

describe('getTokenFromDevice', () => {
  it('shows a code to type and a link for a QR code, and gives verified tokens once the player said yes', async () => {
    const device = new WaitingDevice(emulator)
    const { userCode, ...code } = await device.code
    expect(userCode).toMatch(/^[A-Z0-9-]{4,16}$/)
    expect(code).toEqual({
      verificationUri: `${emulator.url}/activate`,
      verificationUriComplete: `${emulator.url}/activate?user_code=${userCode}`,
      expiresAt: device.clock.now() + 300_000,
    })
    await device.pass(5000)
    await emulator.device({ userCode, as: 'bruno' })
    await device.pass(5000)
    const tokens = await device.outcome
    expect(tokens.claims).toMatchObject({ sub: findPlayer(emulator, 'bruno').id, aud: emulator.application.id })
    expect(tokens.refreshToken?.reveal()).toBeTruthy()
    expect(tokens.scopes).toEqual(expect.arrayContaining(['openid', 'sdk.social_layer']))
    expect([device.tokenRequests, device.client.session, device.clock.waiting]).toEqual([2, null, 0])
  })

  it('ends as access_denied when the player said no', async () => {
    const device = new WaitingDevice(emulator)
    await emulator.device({ userCode: (await device.code).userCode, as: 'ada', deny: true })
    await device.pass(5000)
    await expect(device.outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'access_denied' })
  })

  it('ends as timed_out when the code expires, in the same moment', async () => {
    const device = new WaitingDevice(emulator)
    const { expiresAt } = await device.code
    while (device.clock.now() < expiresAt) await device.pass(5000)
    await expect(device.outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'timed_out' })
    expect([device.tokenRequests, device.clock.waiting]).toEqual([59, 0])
  })

  it('finds after a long sleep that the code has expired, and asks no more', async () => {
    const device = new WaitingDevice(emulator)
    await device.code
    await device.pass(8 * HOUR)
    await expect(device.outcome).rejects.toMatchObject({ code: 'timed_out' })
    expect(device.tokenRequests).toBe(0)
  })

  it('gets its tokens after a short sleep', async () => {
    const device = new WaitingDevice(emulator)
    await emulator.device({ userCode: (await device.code).userCode, as: 'zoe' })
    await device.pass(200_000)
    expect((await device.outcome).claims?.sub).toBe(findPlayer(emulator, 'zoe').id)
  })

  it('asks on through a network that comes and goes, and less often each time', async () => {
    const device = new WaitingDevice(emulator)
    const { userCode } = await device.code
    emulator.faults([
      { match: TOKEN, effect: { drop: true } },
      { match: TOKEN, effect: { status: 503, body: '<h1>Busy</h1>' } },
      { match: TOKEN, effect: { status: 429, body: { message: 'slow', retry_after: 1, global: false } } },
    ])
    for (const ms of [5000, 10_000, 20_000]) await device.pass(ms)
    await emulator.device({ userCode, as: 'ada' })
    await device.pass(40_000)
    expect((await device.outcome).claims?.sub).toBe(findPlayer(emulator, 'ada').id)
    expect(device.intervals).toEqual([10_000, 20_000, 40_000])
  })

  it.each([429, 503])('leaves a service that answers %i alone for as long as it asks, and then asks as before', async (status) => {
    const device = new WaitingDevice(emulator)
    const { userCode } = await device.code
    emulator.faults([{ match: TOKEN, times: 1, effect: { status, headers: { 'retry-after': '90' } } }])
    await device.pass(5000)
    expect(device.intervals).toEqual([90_000])
    device.clock.advance(89_999)
    expect(device.tokenRequests).toBe(1)
    await device.pass(1)
    expect(device.tokenRequests).toBe(2)
    expect(device.intervals.at(-1)).toBeLessThanOrEqual(10_000)
    await emulator.device({ userCode, as: 'ada' })
    await device.pass(10_000)
    expect((await device.outcome).claims?.sub).toBe(findPlayer(emulator, 'ada').id)
  })

  it('never asks before its interval, however soon the service would have it', async () => {
    const device = new WaitingDevice(emulator)
    await device.code
    emulator.faults([{ match: TOKEN, times: 1, effect: { status: 503, headers: { 'retry-after': '1' } } }])
    await device.pass(5000)
    expect(device.intervals).toEqual([10_000])
  })

  it('keeps the tokens that came while the service’s keys could not be fetched', async () => {
    let underWay = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      underWay++
      const answer = await globalThis.fetch(input, init)
      const body = await answer.text()
      underWay--
      return new Response(body, answer)
    }
    const device = new WaitingDevice(emulator, { options: { fetch } })
    await emulator.device({ userCode: (await device.code).userCode, as: 'ada' })
    emulator.faults({ match: { path: '/api/v10/oauth2/keys' }, times: 100, effect: { status: 503, body: {} } })
    const heard = emulator.requests.length
    emulator.advance(5000)
    device.clock.advance(5000)
    await expect.poll(() => emulator.requests.slice(heard).some(({ path }) => path.endsWith('/keys'))).toBe(true)
    emulator.faults([])
    let player: string | undefined
    void device.outcome.then(({ claims }) => (player = claims?.sub))
    await expect
      .poll(() => {
        // No request is given up because the machine is slow.
        if (underWay === 0) device.clock.advance(5000)
        return player
      })
      .toBe(findPlayer(emulator, 'ada').id)
    expect(device.tokenRequests).toBe(1)
  })

  it.each([
    ['abortGetTokenFromDevice', (device: WaitingDevice) => void device.client.abortGetTokenFromDevice()],
    ['close', (device: WaitingDevice) => device.client.close()],
    ['its signal', (_: WaitingDevice, controller: AbortController) => controller.abort()],
  ])('ends as aborted by %s, and leaves no timer behind', async (_by, abort) => {
    const controller = new AbortController()
    const device = new WaitingDevice(emulator, { signal: controller.signal })
    await device.code
    abort(device, controller)
    await expect(device.outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'aborted' })
    expect([device.clock.waiting, device.tokenRequests]).toEqual([0, 0])
  })

  it('ends as aborted before the code is there, and shows none', async () => {
    const shown: unknown[] = []
    const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
    const outcome = client.getTokenFromDevice(ARGS, { onUserCode: (code) => shown.push(code), signal: AbortSignal.abort() })
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
    expect([shown, emulator.requests]).toEqual([[], []])
  })

  it('begins again after an abort', async () => {
    const first = new WaitingDevice(emulator)
    await first.code
    await first.client.abortGetTokenFromDevice()
    await expect(first.outcome).rejects.toMatchObject({ code: 'aborted' })
    const second = new WaitingDevice(emulator)
    await emulator.device({ userCode: (await second.code).userCode, as: 'ada' })
    await second.pass(5000)
    expect((await second.outcome).claims?.sub).toBe(findPlayer(emulator, 'ada').id)
  })

  it('ends as surface_failed, with the cause, when the code cannot be shown', async () => {
    const cause = new Error('no screen')
    const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
    const outcome = client.getTokenFromDevice(ARGS, {
      onUserCode: () => {
        throw cause
      },
    })
    await expect(outcome).rejects.toMatchObject({ code: 'surface_failed', cause: { message: 'no screen' } })
  })

  it.each([
    [{ scopes: '' }, 'scopes'],
    [{ scopes: 'openid', clientId: 'arena' }, 'clientId'],
  ])('refuses %j before anything is sent', async (args, path) => {
    const client = new Client({ applicationId: '1', service: { host: emulator.url } })
    const outcome = client.getTokenFromDevice(args, { onUserCode: () => undefined })
    await expect(outcome).rejects.toMatchObject({ name: 'ValidationError', code: 'invalid_argument', issues: [{ path }] })
    expect(emulator.requests).toEqual([])
  })

  it('logs no code and no token', async () => {
    const log: unknown[] = []
    const device = new WaitingDevice(emulator, { options: { logger: (entry) => log.push(entry) } })
    const { userCode } = await device.code
    await emulator.device({ userCode, as: 'ada' })
    emulator.advance(5000)
    device.clock.advance(5000)
    const tokens = await device.outcome
    for (const secret of [userCode, tokens.accessToken.reveal(), tokens.idToken?.reveal()])
      expect(JSON.stringify(log)).not.toContain(secret)
  })
})

function merging(externalAuthToken: string): WaitingDevice {
  const args = { ...ARGS, externalAuthType: 'OIDC', externalAuthToken }
  return new WaitingDevice(emulator, { begin: (client, options) => client.getTokenFromDeviceProvisionalMerge(args, options) })
}

describe('getTokenFromDeviceProvisionalMerge', () => {
  it('brings along what the player had without an account', async () => {
    const device = merging('emu:sam')
    await device.client.getProvisionalToken({ externalAuthType: 'OIDC', externalAuthToken: 'emu:sam' })
    await emulator.device({ userCode: (await device.code).userCode, as: 'chiyo' })
    await device.pass(5000)
    expect((await device.outcome).claims?.sub).toBe(findPlayer(emulator, 'chiyo').id)
    const gone = device.client.getProvisionalToken({ externalAuthType: 'OIDC', externalAuthToken: 'emu:sam' })
    await expect(gone).rejects.toMatchObject({ code: 'account_not_provisional' })
  })

  it('waits out the lock of a merge', async () => {
    const device = merging('emu:sam!locked')
    await emulator.device({ userCode: (await device.code).userCode, as: 'chiyo' })
    await device.pass(5000)
    await device.pass(5000)
    expect((await device.outcome).claims?.sub).toBe(findPlayer(emulator, 'chiyo').id)
    expect(device.intervals).toEqual([5000])
  })

  it('ends with the service’s own code when the merge is refused', async () => {
    const device = merging('emu:sam!banned')
    await emulator.device({ userCode: (await device.code).userCode, as: 'chiyo' })
    await device.pass(5000)
    await expect(device.outcome).rejects.toMatchObject({ name: 'ApiError', code: 'source_banned', apiCode: 530_017 })
  })
})
