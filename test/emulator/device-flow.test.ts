/** The device flow: request, polling, slow_down, and every outcome. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { call, control, json, postForm, rejectionOf } from './support/sign-in-client.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

interface Device {
  deviceCode: string
  userCode: string
}

async function start(): Promise<Device> {
  const device = await json(
    await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }),
  )
  return { deviceCode: String(device['device_code']), userCode: String(device['user_code']) }
}

function poll({ deviceCode }: Device): Promise<Response> {
  return postForm(emulator, '/oauth2/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
  })
}

const errorOf = async (device: Device) => (await rejectionOf(await poll(device))).error

describe('a device that polls', () => {
  it('gets an interval, an expiry time and authorization_pending', async () => {
    const device = await json(
      await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }),
    )
    expect(device).toMatchObject({
      verification_uri: `${emulator.url}/activate`,
      expires_in: 300,
      interval: 5,
    })
    expect(device['verification_uri_complete']).toBe(
      `${emulator.url}/activate?user_code=${String(device['user_code'])}`,
    )
    const response = await rejectionOf(
      await poll({ deviceCode: String(device['device_code']), userCode: '' }),
    )
    expect(response).toMatchObject({
      status: 400,
      error: 'authorization_pending',
      rule: expect.stringMatching(/^nobody has answered/),
    })
  })

  it('may poll every five seconds', async () => {
    const device = await start()
    for (let time = 0; time < 4; time++) {
      expect(await errorOf(device)).toBe('authorization_pending')
      emulator.advance(5000)
    }
  })

  it('must wait five seconds longer after each poll that is too early', async () => {
    const device = await start()
    const received = []
    // Real time passes, too: each early poll is four seconds early.
    for (const pause of [0, 1000, 6000, 11_000, 20_000, 20_000]) {
      emulator.advance(pause)
      received.push(await errorOf(device))
    }
    const [pending, slowDown] = ['authorization_pending', 'slow_down']
    expect(received).toEqual([pending, slowDown, slowDown, slowDown, pending, pending])
  })

  it('gets the new interval in the rule, without slowing other devices', async () => {
    const [earlyDevice, otherDevice] = [await start(), await start()]
    await poll(earlyDevice)
    expect(await rejectionOf(await poll(earlyDevice))).toMatchObject({
      status: 400,
      error: 'slow_down',
      rule: expect.stringContaining('10 seconds'),
    })
    expect(await errorOf(otherDevice)).toBe('authorization_pending')
  })

  it('gets an error for an expired code, as does the page', async () => {
    const device = await start()
    emulator.advance(300_000)
    expect(await rejectionOf(await poll(device))).toMatchObject({
      status: 400,
      error: 'expired_token',
      rule: 'device_code is expired',
    })
    await expect(emulator.device({ userCode: device.userCode, as: 'ada' })).rejects.toMatchObject({
      code: 'device_refused',
      rule: 'the code has expired',
    })
  })
})

describe('a device with an approved or denied code', () => {
  it('gets the tokens of the approving player, even with an early poll, and once only', async () => {
    const device = await start()
    expect(await errorOf(device)).toBe('authorization_pending')
    await emulator.device({ userCode: device.userCode, as: 'bruno' })
    const tokens = await json(await poll(device))
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: expect.any(String),
    })
    expect(tokens).not.toHaveProperty('id_token')
    expect(await json(await call(emulator, '/users/@me', String(tokens['access_token'])))).toMatchObject({
      username: 'bruno',
    })
    expect(await rejectionOf(await poll(device))).toMatchObject({
      error: 'invalid_grant',
      rule: expect.stringMatching(/^device_code was used/),
    })
  })

  it('gets access_denied if the player denied', async () => {
    const device = await start()
    await emulator.device({ userCode: device.userCode, as: 'ada', deny: true })
    expect(await rejectionOf(await poll(device))).toMatchObject({ status: 400, error: 'access_denied' })
  })

  it('can be approved through the control plane', async () => {
    const device = await start()
    expect((await control(emulator, '/device', { userCode: device.userCode, as: 'zoe' })).status).toBe(204)
    expect((await poll(device)).status).toBe(200)
    const again = await control(emulator, '/device', { userCode: device.userCode, as: 'zoe' })
    expect([again.status, await json(again)]).toEqual([
      400,
      expect.objectContaining({ code: 'device_refused', rule: 'code has already been used' }),
    ])
  })

  it.each([
    ['an unknown code', { userCode: 'BBBB-BBBB', as: 'ada' }, 'device_refused'],
    ['an unknown player', { userCode: 'BBBB-BBBB', as: 'nobody' }, 'unknown_user'],
    ['an invalid body', { as: 'ada' }, 'bad_request'],
  ])('is rejected for %s', async (_case, body, code) => {
    const response = await control(emulator, '/device', body)
    expect([response.status, (await json(response))['code']]).toEqual([400, code])
  })
})
