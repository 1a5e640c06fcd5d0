/** The protocol between an Activity’s host window and a game, without a browser. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier } from 'oauth4webapi'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { getCode, postForm, redirectUri } from './support/sign-in-client.js'

let emulator: Emulator
let ended: AbortController

beforeEach(async () => {
  emulator = await createEmulator({ activityUrl: 'http://localhost:9/game/', activityPort: 0 })
  ended = new AbortController()
})
afterEach(async () => {
  ended.abort()
  await emulator.close()
})

interface HostMessage {
  frame: string
  message?: [
    number,
    {
      cmd?: string
      evt?: string | null
      nonce?: string | null
      data?: Record<string, unknown>
      code?: number
    },
  ]
  consent?: { id: string; scopes: { name: string }[] }
}

/** A host window of one player, as the host page opens it. */
async function openWindow(as = 'ada') {
  const { instanceId } = emulator.activity.launch({ as })
  const opened = (await (await post('windows', { instance_id: instanceId, as })).json()) as {
    window: string
    frames: { id: string; src: string }[]
  }
  const [frame] = opened.frames
  const received: HostMessage[] = []
  const stream = await fetch(`${emulator.activity.url}windows/${opened.window}/events`, {
    signal: ended.signal,
  })
  void read(stream, received).catch(() => undefined)
  const path = `windows/${opened.window}/frames/${frame?.id}`
  const send = (message: unknown) => post(path, { message })
  /** The next response with this nonce, or the next matching message. */
  const answer = async (fits: (message: NonNullable<HostMessage['message']>) => boolean) => {
    await expect.poll(() => received.some(({ message }) => message !== undefined && fits(message))).toBe(true)
    return received.find(({ message }) => message !== undefined && fits(message))?.message?.[1]
  }
  const command = async (cmd: string, args: unknown = {}, evt?: string) => {
    const nonce = crypto.randomUUID()
    await send([1, { cmd, args, evt, nonce }])
    return answer(([, payload]) => payload.nonce === nonce)
  }
  const handshake = (changes: object = {}) =>
    send([0, { v: 1, encoding: 'json', client_id: emulator.application.id, frame_id: frame?.id, ...changes }])
  return {
    instanceId,
    src: frame?.src ?? '',
    received,
    send,
    answer,
    command,
    handshake,
    leave: () => fetch(emulator.activity.url + path, { method: 'DELETE', headers: { origin: origin() } }),
  }
}

/** Headers of the host page, whose script sends these requests. */
function origin(): string {
  return new URL(emulator.activity.url ?? '').origin
}

function post(path: string, body: unknown): Promise<Response> {
  return fetch(`${emulator.activity.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: origin() },
    body: JSON.stringify(body),
  })
}

async function read({ body }: Response, received: HostMessage[]): Promise<void> {
  let text = ''
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString()
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.+)$/m.exec(event)?.[1]
      if (data !== undefined && data !== '') received.push(JSON.parse(data) as HostMessage)
    }
  }
}

describe('the handshake of an Activity', () => {
  it('responds with READY and the player, and the URL of the frame contains the launch location', async () => {
    const { handshake, answer, src, instanceId } = await openWindow()
    await handshake()
    expect(await answer(([, { evt }]) => evt === 'READY')).toMatchObject({
      cmd: 'DISPATCH',
      nonce: null,
      data: { v: 1, user: { username: 'ada' } },
    })
    const query = new URL(src).searchParams
    const [, , , guild, channel] = instanceId.split('-')
    expect([query.get('instance_id'), query.get('guild_id'), query.get('channel_id')]).toEqual([
      instanceId,
      guild,
      channel,
    ])
    expect([query.get('platform'), query.get('location_id')]).toEqual(['desktop', `gc-${guild}-${channel}`])
  })

  it.each([
    ['another version', { v: 2 }, 4004],
    ['another encoding', { encoding: 'etf' }, 4005],
    ['another application', { client_id: '1' }, 4000],
    ['the ID of another frame', { frame_id: 'x' }, 4001],
  ])('with %s is closed with a matching code', async (_words, changes, code) => {
    const { handshake, answer } = await openWindow()
    await handshake(changes)
    expect(await answer(([op]) => op === 2)).toMatchObject({ code })
    expect(emulator.activity.instances()[0]?.participants).toEqual([])
  })

  it('must precede every command', async () => {
    const { command } = await openWindow()
    expect(await command('GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS')).toMatchObject({
      evt: 'ERROR',
      data: { code: 4000 },
    })
  })
})

describe('a command of an Activity', () => {
  it.each<[string, string, unknown, string | undefined, number]>([
    ['that nobody knows', 'MAKE_COFFEE', {}, undefined, 4002],
    ['named like a property of every object', '__proto__', {}, undefined, 4002],
    ['that is not for Activities', 'GET_GUILDS', {}, undefined, 4006],
    ['without its scope', 'SET_ACTIVITY', { activity: {} }, undefined, 4006],
    ['of another platform', 'SET_ORIENTATION_LOCK_STATE', { lock_state: 1 }, undefined, 4002],
    ['with a wrong argument', 'SHARE_LINK', { message: 7 }, undefined, 4000],
    ['for an event without its scope', 'SUBSCRIBE', { channel_id: '1' }, 'VOICE_STATE_UPDATE', 4006],
    ['for an event named like a property of every object', 'SUBSCRIBE', {}, 'constructor', 4004],
    ['for an event that nobody knows', 'SUBSCRIBE', {}, 'COFFEE_READY', 4004],
    [
      'to authorize another application',
      'AUTHORIZE',
      { client_id: '1', scope: ['identify'] },
      undefined,
      4007,
    ],
    ['to authorize without scopes', 'AUTHORIZE', 'own client', undefined, 4000],
    ['to authenticate with an invalid token', 'AUTHENTICATE', { access_token: 'x' }, undefined, 4009],
    ['for the locale without the scope', 'USER_SETTINGS_GET_LOCALE', {}, undefined, 4006],
  ])('%s is rejected with a code', async (...[, cmd, args, evt, code]) => {
    const { handshake, command } = await openWindow()
    await handshake()
    const given = args === 'own client' ? { client_id: emulator.application.id, scope: [] } : args
    expect(await command(cmd, given, evt)).toMatchObject({ evt: 'ERROR', data: { code } })
  })

  it.each([
    ['text'],
    [null],
    [{ 0: 1 }],
    [[]],
    [['1', {}]],
    [[1]],
    [[1, null]],
    [[9, {}]],
    [[1, { cmd: 7, nonce: {} }]],
  ])('with payload %j is rejected and breaks nothing', async (message) => {
    const { handshake, send, command } = await openWindow()
    await handshake()
    expect((await send(message)).status).toBe(202)
    expect(await command('GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS')).toMatchObject({
      data: { participants: [{ username: 'ada' }] },
    })
  })
})

function exchange(fields: Record<string, string>): Promise<Response> {
  return postForm(emulator, '/oauth2/token', {
    grant_type: 'authorization_code',
    client_id: emulator.application.id,
    ...fields,
  })
}

/** The participants of the instance at each notification of the game. */
function rosters(received: HostMessage[]): string[][] {
  const updates = received.flatMap(({ message }) =>
    message?.[1].evt === 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE' ? [message[1].data] : [],
  )
  return updates.map((data) =>
    ((data?.['participants'] ?? []) as { username: string }[]).map(({ username }) => username),
  )
}

/** Approves as the player, and returns the code. */
async function approve(
  window: Awaited<ReturnType<typeof openWindow>>,
  changes: object = {},
): Promise<string> {
  const scope = ['identify', 'openid']
  const pendingCode = window.command('AUTHORIZE', {
    client_id: emulator.application.id,
    response_type: 'code',
    scope,
    ...changes,
  })
  await expect.poll(() => window.received.some(({ consent }) => consent !== undefined)).toBe(true)
  await post(`consents/${window.received.find(({ consent }) => consent !== undefined)?.consent?.id}`, {
    approve: true,
  })
  return String((await pendingCode)?.data?.['code'])
}

describe('an authorization inside an Activity', () => {
  it('returns a code that is redeemed once, with the verifier and without a redirect URI', async () => {
    const window = await openWindow()
    await window.handshake()
    const verifier = generateRandomCodeVerifier()
    const challenge = {
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    const given = await approve(window, challenge)
    expect((await exchange({ code: given, code_verifier: generateRandomCodeVerifier() })).status).toBe(400)
    expect((await exchange({ code: given })).status).toBe(400)
    expect((await exchange({ code: given, code_verifier: verifier, redirect_uri: redirectUri })).status).toBe(
      400,
    )
    const tokens = await exchange({ code: given, code_verifier: verifier })
    expect(tokens.status).toBe(200)
    const { access_token: token } = (await tokens.json()) as { access_token: string }
    expect(await window.command('AUTHENTICATE', { access_token: token })).toMatchObject({
      data: { user: { username: 'ada' }, application: { id: emulator.application.id } },
    })
    expect(await window.command('USER_SETTINGS_GET_LOCALE')).toMatchObject({ data: { locale: 'en-US' } })
    expect((await exchange({ code: given, code_verifier: verifier })).status).toBe(400)
  })

  it('without a challenge returns a code that requires the client secret', async () => {
    const window = await openWindow()
    await window.handshake()
    const given = await approve(window)
    expect((await exchange({ code: given })).status).toBe(400)
    expect((await exchange({ code: given, client_secret: emulator.application.clientSecret })).status).toBe(
      200,
    )
  })

  it('with prompt none skips the consent page after the first approval', async () => {
    const window = await openWindow()
    await window.handshake()
    await approve(window)
    const again = await window.command('AUTHORIZE', {
      client_id: emulator.application.id,
      scope: ['identify'],
      prompt: 'none',
    })
    expect(again?.data?.['code']).toEqual(expect.any(String))
  })

  it('rejects the token of another player', async () => {
    const { code: given, verifier } = await getCode(emulator, 'bruno')
    const tokens = await exchange({ code: given, code_verifier: verifier, redirect_uri: redirectUri })
    const { access_token: token } = (await tokens.json()) as { access_token: string }
    const window = await openWindow('ada')
    await window.handshake()
    expect(await window.command('AUTHENTICATE', { access_token: token })).toMatchObject({
      evt: 'ERROR',
      data: { code: 4009 },
    })
  })

  it('does not affect codes of the consent page, which require their redirect URI', async () => {
    const { code: given, verifier } = await getCode(emulator, 'bruno')
    expect((await exchange({ code: given, code_verifier: verifier })).status).toBe(400)
  })
})

describe('an Activity instance', () => {
  it('notifies subscribers of joins and leaves, and ends with its last participant', async () => {
    const ada = await openWindow('ada')
    await ada.handshake()
    await ada.command('SUBSCRIBE', {}, 'ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE')
    const bruno = await openWindow('bruno')
    expect(bruno.instanceId).toBe(ada.instanceId)
    await bruno.handshake()
    const names = () => rosters(ada.received)
    await expect.poll(names).toEqual([['ada', 'bruno']])
    await bruno.leave()
    await expect.poll(names).toEqual([['ada', 'bruno'], ['ada']])
    await ada.leave()
    await expect.poll(() => emulator.activity.instances()).toEqual([])
    expect((await post('windows', { instance_id: ada.instanceId, as: 'ada' })).status).toBe(404)
  })

  it('ends if nobody joins within a minute', () => {
    const { instanceId } = emulator.activity.launch({ as: 'ada' })
    emulator.advance(30_000)
    expect(emulator.activity.instances()).toHaveLength(1)
    emulator.advance(30_000)
    expect(emulator.activity.instances()).toEqual([])
    expect(emulator.activity.launch({ as: 'ada' }).instanceId).not.toBe(instanceId)
  })

  it('is available to the bot of its application only', async () => {
    const { instanceId } = emulator.activity.launch({ as: 'ada', channel: '319563701934981153' })
    const ask = (application: string, authorization: string) =>
      fetch(`${emulator.url}/api/v10/applications/${application}/activity-instances/${instanceId}`, {
        headers: { authorization },
      })
    const { id, botToken } = emulator.application
    expect(await (await ask(id, `Bot ${botToken}`)).json()).toMatchObject({
      instance_id: instanceId,
      location: { kind: 'gc' },
    })
    expect((await ask(id, 'Bot nobody')).status).toBe(401)
    expect((await ask('1', `Bot ${botToken}`)).status).toBe(403)
  })

  it('is launched only in channels that the player sees', () => {
    expect(() => emulator.activity.launch({ as: 'zoe', channel: '319563408822321185' })).toThrow(
      'sees no channel',
    )
  })

  it('is not available to other pages and host names', async () => {
    const other = { 'sec-fetch-site': 'same-site', 'content-type': 'application/json' }
    const { instanceId } = emulator.activity.launch({ as: 'ada' })
    const body = JSON.stringify({ instance_id: instanceId, as: 'ada' })
    expect(
      (await fetch(`${emulator.activity.url}windows`, { method: 'POST', headers: other, body })).status,
    ).toBe(403)
    const { port } = new URL(emulator.activity.url ?? '')
    expect((await fetch(`http://127.0.0.1:${port}/_activity/`)).status).toBe(403)
    expect((await fetch(`http://127.0.0.1:${port}/game/`)).status).toBe(403)
  })
})

/** Ada, in the Activity, sets a presence and invites Bruno. Resolves with the invitation. */
async function invitation(presence: object): Promise<string> {
  const ada = await openWindow('ada')
  await ada.handshake()
  const given = await approve(ada, { scope: ['identify', 'relationships.read', 'rpc.activities.write'] })
  const tokens = await exchange({ code: given, client_secret: emulator.application.clientSecret })
  await ada.command('AUTHENTICATE', (await tokens.json()) as object)
  await ada.command('SET_ACTIVITY', { activity: { party: { id: 'moon' }, ...presence } })
  await ada.command('INVITE_USER_EMBEDDED', { user_id: emulator.users[1]?.id })
  return emulator.activity.invitations('bruno')[0]?.id ?? ''
}

async function restart(joinUrl: string): Promise<void> {
  await emulator.close()
  emulator = await createEmulator({
    activityUrl: 'http://localhost:9/game/',
    activityPort: 0,
    seed: { application: { joinUrl } },
  })
}

describe('an accepted invitation', () => {
  it.each([
    ['https://game.example', 'https://game.example/_service/join?secret=moon%264711'],
    ['http://localhost:5173/play/', 'http://localhost:5173/play/_service/join?secret=moon%264711'],
  ])('opens the game at %s for a player who is not in the Activity', async (joinUrl, url) => {
    await restart(joinUrl)
    const sent = await invitation({ secrets: { join: 'moon&4711' } })
    expect(emulator.activity.accept({ as: 'bruno', invitation: sent })).toMatchObject({ url, opens: 'game' })
    expect(emulator.activity.instances()[0]?.users).toEqual([emulator.users[0]?.id])
  })

  it('opens the Activity for a player who is in it, and without a join secret', async () => {
    await restart('https://game.example')
    const sent = await invitation({})
    expect(emulator.activity.accept({ as: 'bruno', invitation: sent })).toMatchObject({ opens: 'activity' })
    const bruno = await openWindow('bruno')
    await bruno.handshake()
    await expect.poll(() => emulator.activity.instances()[0]?.participants.length).toBe(2)
    const other = await invitation({ secrets: { join: 'moon-4711' } })
    const { url } = emulator.activity.accept({ as: 'bruno', invitation: other })
    expect(url.startsWith(String(emulator.activity.url))).toBe(true)
  })
})

it.each([
  ['ws://localhost:443/?token=x', 'leave out server.hmr in the Vite config'],
  ['wss://scores.example/live', 'map a prefix to scores.example'],
  ['https://cdn.example/a.png', 'map a prefix to cdn.example'],
])('a notice about the blocked address %s says: %s', async (blocked, says) => {
  const notices: string[] = []
  const proxying = await createEmulator({
    activityUrl: 'http://localhost:9/game/',
    activityPort: 0,
    activityMappings: [],
    onNotice: (notice) => notices.push(notice),
  })
  onTestFinished(() => proxying.close())
  await fetch(new URL('/.proxy/_policy-report', proxying.activity.url), {
    method: 'POST',
    body: JSON.stringify({ 'csp-report': { 'blocked-uri': blocked } }),
  })
  await expect.poll(() => notices).toEqual([expect.stringContaining(says)])
  expect(notices.join().includes('server.hmr')).toBe(blocked.includes('localhost'))
})
