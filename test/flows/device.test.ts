/** The device flow (RFC 8628) against the emulator: user code, polling, and every outcome. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client } from 'foyer-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findPlayer } from '../support/find-player'
import { rejection, settle } from '../support/settle'
import { WaitingDevice } from '../support/waiting-device'

const HOUR = 3_600_000
const TOKEN = { path: '/api/v10/oauth2/token' }
const ARGS = { scopes: 'openid sdk.social_layer' }
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator({ idTokens: { forEveryGrant: true } })
})
beforeEach(() => emulator.reset())
afterAll(() => emulator.close())

describe('accounts.getTokenFromDevice', () => {
  it('shows a user code and a link for a QR code, and returns verified tokens after approval', async () => {
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
    expect(tokens.claims).toMatchObject({
      sub: findPlayer(emulator, 'bruno').id,
      aud: emulator.application.id,
    })
    expect(tokens.refreshToken?.reveal()).toBeTruthy()
    expect(tokens.scopes).toEqual(expect.arrayContaining(['openid', 'sdk.social_layer']))
    expect([device.tokenRequests, device.client.session, device.clock.waiting]).toEqual([2, null, 0])
  })

  it('returns tokens without an ID token by default, and they make the player’s session', async () => {
    const scarce = await createEmulator()
    try {
      const device = new WaitingDevice(scarce)
      await scarce.device({ userCode: (await device.code).userCode, as: 'bruno' })
      await device.pass(5000)
      const tokens = await device.outcome
      expect([tokens.idToken, tokens.claims]).toEqual([undefined, undefined])
      const session = await device.client.updateToken(tokens)
      expect(session).toMatchObject({
        userId: findPlayer(scarce, 'bruno').id,
        proof: 'userinfo',
        user: { username: 'bruno' },
      })
    } finally {
      await scarce.close()
    }
  })

  it('rejects with access_denied when the player denies', async () => {
    const device = new WaitingDevice(emulator)
    await emulator.device({ userCode: (await device.code).userCode, as: 'ada', deny: true })
    await device.pass(5000)
    await expect(device.outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'access_denied' })
  })

  it('rejects with timed_out at the moment the code expires', async () => {
    const device = new WaitingDevice(emulator)
    const { expiresAt } = await device.code
    while (device.clock.now() < expiresAt) await device.pass(5000)
    await expect(device.outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'timed_out' })
    expect([device.tokenRequests, device.clock.waiting]).toEqual([59, 0])
  })

  it('rejects with timed_out after a long sleep, without another request', async () => {
    const device = new WaitingDevice(emulator)
    await device.code
    await device.pass(8 * HOUR)
    await expect(device.outcome).rejects.toMatchObject({ code: 'timed_out' })
    expect(device.tokenRequests).toBe(0)
  })

  it('returns tokens after a short sleep', async () => {
    const device = new WaitingDevice(emulator)
    await emulator.device({ userCode: (await device.code).userCode, as: 'zoe' })
    await device.pass(200_000)
    expect((await device.outcome).claims?.sub).toBe(findPlayer(emulator, 'zoe').id)
  })

  it('keeps polling through network failures with increasing intervals', async () => {
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

  it.each([429, 503])(
    'honors Retry-After with status %i, then returns to the normal interval',
    async (status) => {
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
    },
  )

  it('never polls before its interval, even if Retry-After is shorter', async () => {
    const device = new WaitingDevice(emulator)
    await device.code
    emulator.faults([{ match: TOKEN, times: 1, effect: { status: 503, headers: { 'retry-after': '1' } } }])
    await device.pass(5000)
    expect(device.intervals).toEqual([10_000])
  })

  it('keeps received tokens while the JWKS cannot be fetched', async () => {
    let pendingRequests = 0
    const fetch: typeof globalThis.fetch = async (input, init) => {
      pendingRequests++
      const response = await globalThis.fetch(input, init)
      const body = await response.text()
      pendingRequests--
      return new Response(body, response)
    }
    const device = new WaitingDevice(emulator, { options: { fetch } })
    await emulator.device({ userCode: (await device.code).userCode, as: 'ada' })
    emulator.faults({
      match: { path: '/api/v10/oauth2/keys' },
      times: 100,
      effect: { status: 503, body: {} },
    })
    const received = emulator.requests.length
    emulator.advance(5000)
    device.clock.advance(5000)
    await expect
      .poll(() => emulator.requests.slice(received).some(({ path }) => path.endsWith('/keys')))
      .toBe(true)
    emulator.faults([])
    let player: string | undefined
    void device.outcome.then(({ claims }) => (player = claims?.sub))
    await expect
      .poll(() => {
        // Advance only between requests, so that a slow machine causes no timeout.
        if (pendingRequests === 0) device.clock.advance(5000)
        return player
      })
      .toBe(findPlayer(emulator, 'ada').id)
    expect(device.tokenRequests).toBe(1)
  })

  it('fetches the JWKS less and less often while it cannot be reached, and rejects with keys_unavailable', async () => {
    const fetched: number[] = []
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (!new Request(input).url.endsWith('/oauth2/keys')) return globalThis.fetch(input, init)
      fetched.push(device.clock.now())
      return Promise.reject(new TypeError('lost'))
    }
    const device = new WaitingDevice(emulator, { options: { fetch } })
    const { userCode, expiresAt } = await device.code
    await emulator.device({ userCode, as: 'ada' })
    emulator.advance(5000)
    device.clock.advance(5000)
    await expect.poll(() => fetched.length).toBe(1)
    const error = rejection(() => device.outcome)
    for (; device.clock.now() < expiresAt; device.clock.advance(1000)) await settle()
    expect(await error).toMatchObject({ code: 'keys_unavailable', retryable: true })
    const pauses = fetched.slice(1).map((time, i) => (time - (fetched[i] ?? 0)) / 1000)
    expect(pauses).toEqual([10, 20, 40, 60, 60, 60])
  })

  it.each([
    ['accounts.abortDevice', (device: WaitingDevice) => void device.client.accounts.abortDevice()],
    ['close', (device: WaitingDevice) => device.client.close()],
    ['its signal', (_: WaitingDevice, controller: AbortController) => controller.abort()],
  ])('rejects with aborted on %s and leaves no timer', async (_by, abort) => {
    const controller = new AbortController()
    const device = new WaitingDevice(emulator, { signal: controller.signal })
    await device.code
    abort(device, controller)
    await expect(device.outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'aborted' })
    expect([device.clock.waiting, device.tokenRequests]).toEqual([0, 0])
  })

  it('rejects with aborted before it has a code, and shows none', async () => {
    const shown: unknown[] = []
    const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
    const outcome = client.accounts.getTokenFromDevice(ARGS, {
      onUserCode: (code) => shown.push(code),
      signal: AbortSignal.abort(),
    })
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
    expect([shown, emulator.requests]).toEqual([[], []])
  })

  it('can be started again after an abort', async () => {
    const first = new WaitingDevice(emulator)
    await first.code
    await first.client.accounts.abortDevice()
    await expect(first.outcome).rejects.toMatchObject({ code: 'aborted' })
    const second = new WaitingDevice(emulator)
    await emulator.device({ userCode: (await second.code).userCode, as: 'ada' })
    await second.pass(5000)
    expect((await second.outcome).claims?.sub).toBe(findPlayer(emulator, 'ada').id)
  })

  it('rejects with surface_failed and the cause if showing the code fails', async () => {
    const cause = new Error('no screen')
    const client = new Client({ applicationId: emulator.application.id, service: { host: emulator.url } })
    const outcome = client.accounts.getTokenFromDevice(ARGS, {
      onUserCode: () => {
        throw cause
      },
    })
    await expect(outcome).rejects.toMatchObject({ code: 'surface_failed', cause: { message: 'no screen' } })
  })

  it('rejects a missing function for the code before it sends a request', async () => {
    const client = new Client({ applicationId: '1', service: { host: emulator.url } })
    for (const options of [undefined, {}, { onUserCode: 'show' }]) {
      const outcome = client.accounts.getTokenFromDevice(ARGS, options as never)
      await expect(outcome).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringContaining('onUserCode'),
      })
    }
    expect(emulator.requests).toEqual([])
  })

  it.each([
    [{ scopes: '' }, 'scopes'],
    [{ scopes: 'openid', clientId: 'arena' }, 'clientId'],
  ])('rejects the arguments %j before it sends a request', async (args, path) => {
    const client = new Client({ applicationId: '1', service: { host: emulator.url } })
    const outcome = client.accounts.getTokenFromDevice(args, { onUserCode: () => undefined })
    await expect(outcome).rejects.toMatchObject({
      name: 'ValidationError',
      code: 'invalid_argument',
      issues: [{ path }],
    })
    expect(emulator.requests).toEqual([])
  })

  it('logs neither codes nor tokens', async () => {
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
  return new WaitingDevice(emulator, {
    begin: (client, options) => client.accounts.mergeFromDevice(args, options),
  })
}

describe('accounts.mergeFromDevice', () => {
  it('merges the provisional account', async () => {
    const device = merging('emu:sam')
    await device.client.accounts.getToken({ externalAuthType: 'OIDC', externalAuthToken: 'emu:sam' })
    await emulator.device({ userCode: (await device.code).userCode, as: 'chiyo' })
    await device.pass(5000)
    expect((await device.outcome).claims?.sub).toBe(findPlayer(emulator, 'chiyo').id)
    const gone = device.client.accounts.getToken({ externalAuthType: 'OIDC', externalAuthToken: 'emu:sam' })
    await expect(gone).rejects.toMatchObject({ code: 'account_not_provisional' })
  })

  it('retries while the accounts are locked', async () => {
    const device = merging('emu:sam!locked')
    await emulator.device({ userCode: (await device.code).userCode, as: 'chiyo' })
    await device.pass(5000)
    await device.pass(5000)
    expect((await device.outcome).claims?.sub).toBe(findPlayer(emulator, 'chiyo').id)
    expect(device.intervals).toEqual([5000])
  })

  it('rejects with the service’s code if the merge is rejected', async () => {
    const device = merging('emu:sam!banned')
    await emulator.device({ userCode: (await device.code).userCode, as: 'chiyo' })
    await device.pass(5000)
    await expect(device.outcome).rejects.toMatchObject({
      name: 'ApiError',
      code: 'source_banned',
      apiCode: 530_017,
    })
  })
})
