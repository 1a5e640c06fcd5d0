/** Signing in on a device without a browser: asking, waiting, being told to slow down, and every way it ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { call, control, json, postForm, refusalOf } from './support/player.js'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

interface Device {
  deviceCode: string
  userCode: string
}

async function begin(): Promise<Device> {
  const device = await json(await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }))
  return { deviceCode: String(device['device_code']), userCode: String(device['user_code']) }
}

function ask({ deviceCode }: Device): Promise<Response> {
  return postForm(emulator, '/oauth2/token', { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode })
}

const errorOf = async (device: Device) => (await refusalOf(await ask(device))).error

describe('a device that waits', () => {
  it('is told how often to ask and for how long, and to ask again', async () => {
    const device = await json(await postForm(emulator, '/oauth2/device/authorize', { scope: 'openid sdk.social_layer' }))
    expect(device).toMatchObject({ verification_uri: `${emulator.url}/activate`, expires_in: 300, interval: 5 })
    expect(device['verification_uri_complete']).toBe(`${emulator.url}/activate?user_code=${String(device['user_code'])}`)
    const answer = await refusalOf(await ask({ deviceCode: String(device['device_code']), userCode: '' }))
    expect(answer).toMatchObject({ status: 400, error: 'authorization_pending', rule: expect.stringMatching(/^nobody has answered/) })
  })

  it('may ask every five seconds', async () => {
    const device = await begin()
    for (let time = 0; time < 4; time++) {
      expect(await errorOf(device)).toBe('authorization_pending')
      emulator.advance(5000)
    }
  })

  it('has to wait five seconds longer each time it asks too soon', async () => {
    const device = await begin()
    const heard = []
    // Real time passes too: each that is too soon is too soon by four seconds.
    for (const pause of [0, 1000, 6000, 11_000, 20_000, 20_000]) {
      emulator.advance(pause)
      heard.push(await errorOf(device))
    }
    const [pending, hurried] = ['authorization_pending', 'slow_down']
    expect(heard).toEqual([pending, hurried, hurried, hurried, pending, pending])
  })

  it('is told the new interval in the rule, and slows no other device down', async () => {
    const [hasty, patient] = [await begin(), await begin()]
    await ask(hasty)
    expect(await refusalOf(await ask(hasty))).toMatchObject({
      status: 400,
      error: 'slow_down',
      rule: expect.stringContaining('10 seconds'),
    })
    expect(await errorOf(patient)).toBe('authorization_pending')
  })

  it('is told when its code is too old, on the page too', async () => {
    const device = await begin()
    emulator.advance(300_000)
    expect(await refusalOf(await ask(device))).toMatchObject({ status: 400, error: 'expired_token', rule: 'device_code is expired' })
    await expect(emulator.device({ ...device, as: 'ada' })).rejects.toMatchObject({ code: 'device_refused', rule: 'the code has expired' })
  })
})

describe('a device that was answered', () => {
  it('gets the tokens of the player who approved, even when it asks too soon, and once only', async () => {
    const device = await begin()
    expect(await errorOf(device)).toBe('authorization_pending')
    await emulator.device({ ...device, as: 'bruno' })
    const tokens = await json(await ask(device))
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 604_800,
      id_token: expect.any(String),
      refresh_token: expect.any(String),
    })
    expect(await json(await call(emulator, '/users/@me', String(tokens['access_token'])))).toMatchObject({ username: 'bruno' })
    expect(await refusalOf(await ask(device))).toMatchObject({
      error: 'invalid_grant',
      rule: expect.stringMatching(/^device_code was used/),
    })
  })

  it('is told when the player denied', async () => {
    const device = await begin()
    await emulator.device({ ...device, as: 'ada', deny: true })
    expect(await refusalOf(await ask(device))).toMatchObject({ status: 400, error: 'access_denied' })
  })

  it('can be answered over the control plane', async () => {
    const device = await begin()
    expect((await control(emulator, '/device', { userCode: device.userCode, as: 'zoe' })).status).toBe(204)
    expect((await ask(device)).status).toBe(200)
    const again = await control(emulator, '/device', { userCode: device.userCode, as: 'zoe' })
    expect([again.status, await json(again)]).toEqual([
      400,
      expect.objectContaining({ code: 'device_refused', rule: 'code has already been used' }),
    ])
  })

  it.each([
    ['an unknown code', { userCode: 'BBBB-BBBB', as: 'ada' }, 'device_refused'],
    ['an unknown player', { userCode: 'BBBB-BBBB', as: 'nobody' }, 'unknown_user'],
    ['a body that is not the agreed one', { as: 'ada' }, 'bad_request'],
  ])('is refused for %s', async (_case, body, code) => {
    const answer = await control(emulator, '/device', body)
    expect([answer.status, (await json(answer))['code']]).toEqual([400, code])
  })
})
