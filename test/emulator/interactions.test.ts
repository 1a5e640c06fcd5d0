/** Interactions of players, and their delivery to a game’s backend. */
import { createEmulator } from 'foyer-emulator'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { selfSignedCertificate } from '../support/self-signed-certificate'
import { serveBackend, type BackendOptions } from './support/backend'
import { bruno, general, greet, hello, tavern, useInteractions } from './support/use-interactions'

const announcements = '319563225103499297'
const cellar = '319563701934981153'

const harness = useInteractions()

async function listen(server: Server): Promise<string> {
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the interactions endpoint', () => {
  it('gets a PING with a wrong signature and a valid PING first, both verifiable by a public library', async () => {
    const { received, forged } = await harness.connect(() => hello)
    expect([forged, received.map(({ type }) => type)]).toEqual([1, [1]])
    expect(harness.emulator.interactions.list().map(({ kind, refused }) => [kind, refused])).toEqual([
      ['forged ping', undefined],
      ['ping', undefined],
    ])
  })

  it.each<[string, BackendOptions, RegExp]>([
    ['accepts a wrong signature', { verifies: false }, /answered with 200 instead of 401/],
    ['does not respond to PING with PONG', { ping: { type: 4 } }, /not answered with \{ "type": 1 \}/],
    ['responds to PING with an error', { ping: { status: 500 } }, /500 instead of 200/],
  ])('is rejected with a reason if it %s', async (_words, options, reason) => {
    const refused = harness.connect(() => hello, options).catch((error: unknown) => error)
    expect(await refused).toMatchObject({
      code: 'endpoint_refused',
      rule: expect.stringMatching(reason) as string,
    })
    expect(harness.emulator.interactions.url).toBeUndefined()
    expect(harness.backend?.received.filter(({ type }) => type !== 1)).toEqual([])
  })

  it.each<[string, [number, Record<string, string>], RegExp]>([
    [
      'redirects',
      [308, { location: '/interactions/?token=hidden' }],
      /308 .* redirects to \/interactions\/, .* follows no redirects/,
    ],
    [
      'redirects to another host',
      [301, { location: 'https://u:p@www.game.example/a?b' }],
      /redirects to https:\/\/www\.game\.example\/a,/,
    ],
    ['stands at another path', [404, {}], /404 .* nothing is at this path/],
    ['takes GET only', [405, { allow: 'GET' }], /405 .* takes no POST/],
    ['fails before it verifies', [500, {}], /500 .* fails before it verifies/],
    ['is behind a log-in', [403, {}], /403 .* in front of the endpoint/],
    [
      'is a page',
      [200, { 'content-type': 'text/html; charset=utf-8' }],
      /200 .* a page answers here: is the endpoint at another path\?/,
    ],
    ['accepts everything', [204, {}], /204 .* does not verify signatures/],
  ])('is rejected with the problem named if it %s', async (_words, [status, headers], reason) => {
    const server = createServer(
      (request, response) => void request.resume().on('end', () => response.writeHead(status, headers).end()),
    )
    const url = await listen(server)
    const error: unknown = await harness.emulator.interactions
      .connect(`${url}/interactions`)
      .catch((reason_: unknown) => reason_)
    expect(error).toMatchObject({ code: 'endpoint_refused', rule: expect.stringMatching(reason) as string })
    expect(JSON.stringify(error)).not.toMatch(/hidden|u:p/)
  })

  it.each<[string, string, RegExp]>([
    [
      'has a self-signed certificate',
      'https',
      /certificate of https:\/\/127\.0\.0\.1:\d+ is self-signed .* use http: for a local backend/,
    ],
    ['speaks no TLS', 'http', /https:\/\/127\.0\.0\.1:\d+ does not speak TLS/],
  ])('is rejected with the problem named if it %s', async (_words, kind, reason) => {
    const url = await listen(
      kind === 'https' ? createTlsServer(selfSignedCertificate('127.0.0.1')) : createServer(),
    )
    const refused = await harness.emulator.interactions
      .connect(url.replace(/^http:/, 'https:'))
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'endpoint_refused', rule: expect.stringMatching(reason) as string })
  })

  it('is rejected if its address holds a password, which no error repeats', async () => {
    const { url } = await serveBackend(harness.emulator, () => hello).then(
      (backend) => (harness.backend = backend),
    )
    const error: unknown = await harness.emulator.interactions
      .connect(url.replace('//', '//ada:secret@'))
      .catch((reason: unknown) => reason)
    expect(error).toMatchObject({
      code: 'endpoint_refused',
      rule: expect.stringContaining('user name or a password') as string,
    })
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain('secret')
    expect(harness.backend?.forged).toBe(0)
    const webhooks: unknown = await harness.emulator.webhooks
      .connect(url.replace('//', '//ada:secret@'))
      .catch((reason: unknown) => reason)
    expect(webhooks).toMatchObject({
      code: 'endpoint_refused',
      rule: expect.stringContaining('user name or a password') as string,
    })
  })

  it('given at the start is tested before the first interaction, and gets none if it fails', async () => {
    await harness.emulator.close()
    harness.backend = await serveBackend(harness.emulator, () => hello, { verifies: false })
    harness.emulator = await createEmulator({ interactionsUrl: harness.backend?.url })
    await harness.register(greet, tavern)
    const outcome = await harness.emulator.interactions.use({ as: 'ada', command: 'greet' })
    expect(outcome).toMatchObject({
      kind: 'failed',
      because: expect.stringContaining('instead of 401') as string,
    })
    expect(harness.backend?.received.map(({ type }) => type)).toEqual([1])
  })
})

describe('a command', () => {
  it('reaches the backend with player, channel and options, and its reply is a message in the channel', async () => {
    const { received } = await harness.connect(() => hello)
    const options = [
      { type: 6, name: 'who', description: 'whom', required: true },
      { type: 4, name: 'times', description: 'how often', max_value: 3 },
    ]
    const { id } = await harness.register({ ...greet, options }, tavern)
    const filled = [
      { name: 'who', value: bruno },
      { name: 'times', value: 2 },
    ]
    const outcome = await harness.emulator.interactions.use({
      as: 'ada',
      channel: general,
      command: 'greet',
      options: filled,
    })
    expect(outcome).toMatchObject({ kind: 'message', message: { content: 'hello', channel_id: general } })
    expect(received.at(-1)).toMatchObject({
      application_id: harness.emulator.application.id,
      type: 2,
      version: 1,
      guild_id: tavern,
      channel_id: general,
      locale: 'en-US',
      context: 0,
      member: { user: { username: 'ada' } },
      data: {
        id,
        name: 'greet',
        type: 1,
        guild_id: tavern,
        options: [
          { type: 6, name: 'who', value: bruno },
          { type: 4, name: 'times', value: 2 },
        ],
        resolved: { users: { [bruno]: { username: 'bruno' } }, members: { [bruno]: { pending: false } } },
      },
    })
    expect(received.at(-1)).not.toHaveProperty('user')
  })

  it.each([
    ['a required option is missing', [], /who is required/],
    [
      'a number exceeds its maximum',
      [
        { name: 'who', value: bruno },
        { name: 'times', value: 4 },
      ],
      /times must be a whole number/,
    ],
    [
      'an option is unknown',
      [
        { name: 'who', value: bruno },
        { name: 'why', value: '' },
      ],
      /no option "why"/,
    ],
  ])('is not sent if %s', async (_words, options, because) => {
    const { received } = await harness.connect(() => hello)
    const known = [
      { type: 6, name: 'who', description: 'whom', required: true },
      { type: 4, name: 'times', description: 'how often', max_value: 3 },
    ]
    await harness.register({ ...greet, options: known }, tavern)
    const outcome = await harness.emulator.interactions.use({ as: 'ada', command: 'greet', options })
    expect(outcome).toMatchObject({ kind: 'refused', because: expect.stringMatching(because) as string })
    expect(received.map(({ type }) => type)).toEqual([1])
  })

  it('is not sent with an object of names and values, and says to give a list', async () => {
    await harness.connect(() => hello)
    await harness.register({ ...greet, options: [{ type: 6, name: 'who', description: 'whom' }] }, tavern)
    const input = { as: 'ada', command: 'greet', options: { who: bruno } }
    const { interactions } = harness.emulator
    await expect(
      Reflect.apply(Object(Reflect.get(interactions, 'use')), interactions, [input]),
    ).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('options must be a list. For example: '),
    })
  })

  it('of a subcommand contains its path', async () => {
    const { received } = await harness.connect(() => hello)
    const say = {
      type: 1,
      name: 'say',
      description: 'say',
      options: [{ type: 3, name: 'what', description: 'what' }],
    }
    await harness.register(
      { ...greet, options: [{ type: 2, name: 'loudly', description: 'loudly', options: [say] }] },
      tavern,
    )
    const options = [{ name: 'loudly', options: [{ name: 'say', options: [{ name: 'what', value: 'hi' }] }] }]
    expect(await harness.emulator.interactions.use({ as: 'ada', command: 'greet', options })).toMatchObject({
      kind: 'message',
    })
    expect(received.at(-1)?.data.options).toEqual([
      {
        type: 2,
        name: 'loudly',
        options: [{ type: 1, name: 'say', options: [{ type: 3, name: 'what', value: 'hi' }] }],
      },
    ])
  })

  it('with a channel contains what the player and the application may do there', async () => {
    const { received } = await harness.connect(() => hello)
    await harness.register({ ...greet, options: [{ type: 7, name: 'where', description: 'where' }] }, tavern)
    await harness.emulator.interactions.use({
      as: 'ada',
      command: 'greet',
      options: [{ name: 'where', value: general }],
    })
    const { resolved } = received.at(-1)?.data ?? {}
    const bits = expect.stringMatching(/^\d+$/) as string
    expect(resolved).toMatchObject({
      channels: { [general]: { id: general, permissions: bits, app_permissions: bits } },
    })
  })

  it('in an outdated version is rejected, and reloaded for the next use', async () => {
    await harness.connect(() => hello)
    const { id, version } = await harness.register(greet)
    await harness.bot('PATCH', `/commands/${id}`, { description: 'new' })
    expect(await harness.emulator.interactions.use({ as: 'ada', command: id, version })).toMatchObject({
      kind: 'refused',
      code: 40043,
    })
    expect(await harness.emulator.interactions.use({ as: 'ada', command: id })).toMatchObject({
      kind: 'message',
    })
  })

  it('with a file contains its ID, and the attachment that the backend can fetch', async () => {
    const { received } = await harness.connect(() => hello)
    const options = [
      { type: 11, name: 'proof', description: 'proof', required: true, file_types: ['image', '.txt'] },
    ]
    await harness.register({ ...greet, options }, tavern)
    const use = (value: unknown) =>
      harness.emulator.interactions.use({ as: 'ada', command: 'greet', options: [{ name: 'proof', value }] })
    const data = Buffer.from('a score of 9').toString('base64')
    expect(await use({ filename: 'score 9.txt', content_type: 'text/plain', data })).toMatchObject({
      kind: 'message',
    })
    const { options: [sent] = [], resolved } = received.at(-1)?.data ?? {}
    expect(sent).toMatchObject({ type: 11, name: 'proof', value: expect.stringMatching(/^\d+$/) })
    const attachment = resolved?.['attachments']?.[String(sent?.value)]
    expect(attachment).toMatchObject({
      id: sent?.value,
      filename: 'score 9.txt',
      size: 12,
      content_type: 'text/plain',
    })
    const fetched = await fetch(String(attachment?.['url']))
    expect([fetched.status, fetched.headers.get('content-type'), await fetched.text()]).toEqual([
      200,
      'text/plain',
      'a score of 9',
    ])
    expect((await fetch(`${String(attachment?.['url'])}x`)).status).toBe(404)
  })

  it.each<[string, unknown]>([
    ['no file', undefined],
    ['an ID', '175928847299117063'],
    ['a file without a name', { data: '' }],
    ['a name with a path', { filename: '../score.txt' }],
    ['invalid Base64', { filename: 'score.txt', data: '%' }],
    ['a file of another type', { filename: 'score.pdf', content_type: 'application/pdf' }],
    ['a file over 10 MiB', { filename: 'score.txt', data: Buffer.alloc(10_485_761).toString('base64') }],
  ])('is rejected with %s in an attachment', async (_, value) => {
    const { received } = await harness.connect(() => hello)
    const options = [{ type: 11, name: 'proof', description: 'proof', required: true, file_types: ['.txt'] }]
    await harness.register({ ...greet, options }, tavern)
    const outcome = await harness.emulator.interactions.use({
      as: 'ada',
      command: 'greet',
      options: [{ name: 'proof', value }],
    })
    expect(outcome).toMatchObject({ kind: 'refused', because: expect.stringContaining('proof') })
    expect(received.filter(({ type }) => type === 2)).toEqual([])
  })

  it('on a user contains its target, and requires permission to send messages', async () => {
    const { received } = await harness.connect(() => hello)
    await harness.register({ type: 2, name: 'Challenge' }, tavern)
    expect(
      await harness.emulator.interactions.use({
        as: 'mira.k',
        channel: general,
        command: 'Challenge',
        target: bruno,
      }),
    ).toMatchObject({
      kind: 'message',
    })
    expect(received.at(-1)?.data).toMatchObject({
      target_id: bruno,
      resolved: { users: { [bruno]: { id: bruno } } },
    })
    const denied = await harness.emulator.interactions.use({
      as: 'mira.k',
      channel: announcements,
      command: 'Challenge',
      target: bruno,
    })
    expect(denied).toMatchObject({ kind: 'refused', code: 50013 })
  })

  it('on a message contains that message', async () => {
    const { received } = await harness.connect(() => hello)
    await harness.register({ type: 3, name: 'Report' }, tavern)
    const { id } = harness.emulator.interactions.say({ as: 'bruno', channel: general, content: 'boo' })
    expect(
      await harness.emulator.interactions.use({ as: 'ada', channel: general, command: 'Report', target: id }),
    ).toMatchObject({
      kind: 'message',
    })
    expect(received.at(-1)?.data).toMatchObject({
      target_id: id,
      resolved: { messages: { [id]: { content: 'boo' } } },
    })
  })

  it('in direct messages with the app has a user instead of a member', async () => {
    const { received } = await harness.connect(() => hello)
    await harness.register(greet)
    const state = await harness.emulator.interactions.use({
      as: 'ada',
      channel: directChannel(),
      command: 'greet',
    })
    expect(state).toMatchObject({ kind: 'message' })
    expect(received.at(-1)).toMatchObject({
      context: 1,
      user: { username: 'ada' },
      authorizing_integration_owners: { '0': '0' },
    })
    expect(received.at(-1)).not.toHaveProperty('member')
  })

  it.each(['guild', 'direct'])(
    'that was changed is used in its old version in a %s channel until it is reloaded',
    async (kind) => {
      const { received } = await harness.connect(() => hello)
      const channel = kind === 'guild' ? general : directChannel()
      await setDelay(60_000)
      const { id } = await harness.register(greet)
      const use = () => harness.emulator.interactions.use({ as: 'ada', channel, command: id })
      // A use of a command that is not available yet reloads it.
      expect(await use()).toMatchObject({ kind: 'refused', code: 40_043 })
      expect(await use()).toMatchObject({ kind: 'message' })
      const edited = await harness.bot('PATCH', `/commands/${id}`, { description: 'new' })
      expect(await use()).toMatchObject({ kind: 'refused', code: 40_043 })
      expect(await use()).toMatchObject({ kind: 'message' })
      expect(edited.status).toBe(200)
      await harness.bot('DELETE', `/commands/${id}`)
      expect(await use()).toMatchObject({ kind: 'refused', code: 40_043 })
      expect(await use()).toMatchObject({ kind: 'refused', code: 10_063 })
      expect(received.filter(({ type }) => type === 2)).toHaveLength(2)
    },
  )

  it('that was changed is available in direct messages with the app after the delay', async () => {
    await harness.connect(() => hello)
    await setDelay(60_000)
    await harness.register(greet)
    const use = () =>
      harness.emulator.interactions.use({ as: 'ada', channel: directChannel(), command: 'greet' })
    expect(await use()).toMatchObject({ kind: 'refused', code: 10_063 })
    harness.emulator.advance(60_000)
    expect(await use()).toMatchObject({ kind: 'message' })
  })

  it('that is age-restricted can be used by adults in age-restricted channels', async () => {
    await harness.connect(() => hello)
    await harness.register({ ...greet, nsfw: true }, tavern)
    const kinds = async (as: string, channel: string) =>
      (await harness.emulator.interactions.use({ as, channel, command: 'greet' })).kind
    expect([await kinds('bruno', cellar), await kinds('bruno', general), await kinds('zoe', cellar)]).toEqual(
      ['message', 'refused', 'refused'],
    )
  })
})

/** Sets the delay in ms after which changes of global commands are visible. */
async function setDelay(globalDelay: number): Promise<void> {
  const { url, controlToken } = harness.emulator
  const headers = { authorization: `Bearer ${controlToken}` }
  const response = await fetch(`${url}/_emulator/commands`, {
    method: 'PATCH',
    headers,
    body: JSON.stringify({ globalDelay }),
  })
  expect(response.status).toBe(200)
}

/** Returns the channel of a player’s direct messages with the app. */
function directChannel(): string {
  const where = harness.emulator.interactions
    .channels('ada')
    .find(({ kind, name }) => kind === 'direct' && name === harness.emulator.application.name)
  return where?.id ?? ''
}
