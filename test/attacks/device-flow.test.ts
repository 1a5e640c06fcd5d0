/** Attacks through the device flow: the user code, the verification page, and the polling interval. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client } from 'foyer-sdk'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import { WaitingDevice } from '../support/waiting-device'

const HOST = 'https://service.test'
const HONEST = {
  device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS',
  user_code: 'WDJB-MJHT',
  verification_uri: `${HOST}/activate`,
  verification_uri_complete: `${HOST}/activate?user_code=WDJB-MJHT`,
  expires_in: 300,
  interval: 5,
}
let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
beforeEach(() => emulator.reset())
afterAll(() => emulator.close())

/** The prompt that the game receives and the outcome of the sign-in for this device response. */
async function responded(changes: Record<string, unknown>, host = HOST) {
  const shown: unknown[] = []
  const client = new Client({
    applicationId: '1',
    service: { host },
    clock: new ManualClock(),
    fetch: async () => Response.json({ ...HONEST, ...changes }),
  })
  const stop = new AbortController()
  const onUserCode = (code: unknown) => {
    shown.push(code)
    stop.abort()
  }
  const outcome = client.accounts.getTokenFromDevice(
    { scopes: 'openid' },
    { onUserCode, signal: stop.signal },
  )
  const error = await outcome.catch((reason: unknown) => reason)
  return { shown, error }
}

describe('the verification page', () => {
  it('attack/142 is shown if it is a page of the service', async () => {
    const { shown } = await responded({})
    expect(shown).toMatchObject([{ userCode: 'WDJB-MJHT', verificationUri: `${HOST}/activate` }])
  })

  it.each([
    'https://evil.test/activate',
    'https://service.test.evil.test/activate',
    'https://service.test@evil.test/activate',
    'https://sеrvice.test/activate',
    'https://xn--srvice-2of.test/activate',
    'http://service.test/activate',
    'https://service.test:8443/activate',
    'javascript:alert(1)//https://service.test/',
    '//service.test/activate',
    `${HOST}/${'a'.repeat(600)}`,
    `${HOST}/activate\n`,
    7,
    undefined,
  ])('attack/142 is never %s', async (page) => {
    for (const field of ['verification_uri', 'verification_uri_complete'] as const) {
      if (page === undefined && field === 'verification_uri_complete') continue
      const { shown, error } = await responded({ [field]: page })
      expect(error).toMatchObject({ name: 'ProtocolError', code: 'malformed_response', path: field })
      expect(shown).toEqual([])
    }
  })

  it('attack/142 may be plain http on loopback only', async () => {
    const host = 'http://127.0.0.1:4320'
    const page = `${host}/activate`
    expect(
      (await responded({ verification_uri: page, verification_uri_complete: page }, host)).shown,
    ).toHaveLength(1)
    expect((await responded({ verification_uri: page })).shown).toEqual([])
  })

  it('attack/142 replaces a missing complete link', async () => {
    const { shown } = await responded({ verification_uri_complete: undefined })
    expect(shown).toMatchObject([{ verificationUriComplete: `${HOST}/activate` }])
  })
})

describe('the user code', () => {
  it.each([
    'A'.repeat(1_000_000),
    'AB\u001B[2J',
    'АВСD-EFGH',
    'wdjb-mjht',
    'A B C D',
    'ABC',
    '<b>ABCD</b>',
    'A'.repeat(17),
    '',
    12_345,
    null,
  ])('attack/144 is never %.20s', async (userCode) => {
    const { shown, error } = await responded({ user_code: userCode })
    expect(error).toMatchObject({ name: 'ProtocolError' })
    expect(shown).toEqual([])
  })

  it.each([
    ['device_code', 'a code with spaces'],
    ['device_code', undefined],
    ['expires_in', -1],
    ['expires_in', undefined],
    ['expires_in', 'soon'],
    ['expires_in', '300'],
  ])('attack/144 is not shown with %s %j', async (field, value) => {
    const { shown, error } = await responded({ [field]: value })
    expect(error).toMatchObject({ code: 'malformed_response', path: field })
    expect(shown).toEqual([])
  })

  it('needs an application ID, of the client or of the call', async () => {
    const sent: string[] = []
    const fetch = async (url: string) => (sent.push(url), Response.json(HONEST))
    const client = new Client({ service: { host: HOST }, clock: new ManualClock(), fetch })
    await expect(
      client.accounts.getTokenFromDevice({ scopes: 'openid' }, { onUserCode() {} }),
    ).rejects.toMatchObject({
      code: 'missing_application_id',
    })
    expect(sent).toEqual([])
    const shown = new Promise((resolve) => {
      client.accounts
        .getTokenFromDevice({ scopes: 'openid', clientId: '1' }, { onUserCode: resolve })
        .catch(() => undefined)
    })
    expect(await shown).toMatchObject({ userCode: HONEST.user_code })
    client.close()
  })

  it('attack/143 expires after at most an hour', async () => {
    const now = new ManualClock().now()
    expect((await responded({ expires_in: 1e12 })).shown).toMatchObject([{ expiresAt: now + 3_600_000 }])
  })
})

describe('the polling interval', () => {
  it('attack/143 grows by five seconds with each slow_down', async () => {
    const device = new WaitingDevice(emulator)
    await device.code
    // The service’s clock stands still: every poll comes too soon.
    const received = async (ms: number) => {
      const before = device.intervals.length
      device.clock.advance(ms)
      await expect.poll(() => device.intervals.length).toBe(before + 1)
    }
    for (const ms of [5000, 5000, 10_000]) await received(ms)
    expect(device.intervals).toEqual([5000, 10_000, 15_000])
    device.clock.advance(14_999)
    expect(device.tokenRequests).toBe(3)
    emulator.advance(60_000)
    await received(1)
    expect(device.intervals.at(-1)).toBe(15_000)
    await device.client.accounts.abortDevice()
    await expect(device.outcome).rejects.toMatchObject({ code: 'aborted' })
  })

  it.each([
    [0, 5000],
    [-1, 5000],
    [undefined, 5000],
    ['1', 5000],
    [1, 5000],
    [8, 8000],
    [1e9, 60_000],
  ])(
    'attack/143 is at least five seconds and a minute at most, and otherwise what the service requests: %s',
    async (interval, wait) => {
      const clock = new ManualClock()
      let requested = 0
      const client = new Client({
        applicationId: '1',
        service: { host: HOST },
        clock,
        fetch: async (url) => {
          if (url.endsWith('/authorize')) return Response.json({ ...HONEST, interval })
          requested++
          return Response.json({ error: 'authorization_pending' }, { status: 400 })
        },
      })
      const outcome = new Promise((resolve, reject) => {
        client.accounts.getTokenFromDevice({ scopes: 'openid' }, { onUserCode: resolve }).catch(reject)
      })
      await outcome
      clock.advance(wait - 1)
      await new Promise(setImmediate)
      expect(requested).toBe(0)
      clock.advance(1)
      await expect.poll(() => requested).toBe(1)
      client.close()
    },
  )

  it.each([
    [
      200,
      { access_token: 'a', token_type: 'Bearer', expires_in: 60, scope: 'openid', id_token: 'a.b.c' },
      'invalid_id_token',
    ],
    [400, { code: 1, message: 'Something else' }, 'http_400'],
    [403, { error: 'authorization_pending' }, 'authorization_failed'],
  ])('attack/143 does not go on after an answer that means no waiting: %d %j', async (status, body, code) => {
    const clock = new ManualClock()
    const client = new Client({
      applicationId: '1',
      service: { host: HOST },
      clock,
      fetch: async (url) =>
        url.endsWith('/authorize') ? Response.json(HONEST) : Response.json(body, { status }),
    })
    const outcome = client.accounts.getTokenFromDevice(
      { scopes: 'openid' },
      { onUserCode: () => setImmediate(() => clock.advance(5000)) },
    )
    await expect(outcome).rejects.toMatchObject({ code })
    client.close()
  })

  it('attack/143 ends when the service reports an expired code', async () => {
    const device = new WaitingDevice(emulator)
    await device.code
    emulator.advance(300_000)
    device.clock.advance(5000)
    await expect(device.outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'timed_out' })
  })
})
