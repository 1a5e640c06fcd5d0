/** Commands as players use them: what reaches a game's backend, and what comes of its answer. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { serveBackend, type Backend, type BackendOptions, type Received, type Reply } from './support/backend'

const tavern = '319560327719026709'
const general = '319562910281203745'
const announcements = '319563225103499297'
const cellar = '319563701934981153'
const bruno = '211842960158326785'

let emulator: Emulator
let backend: Backend | undefined

beforeEach(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
})
afterEach(async () => {
  await emulator.close()
  await backend?.close()
  backend = undefined
})

async function connect(answer: (interaction: Received) => Reply | Promise<Reply>, options?: BackendOptions): Promise<Backend> {
  backend = await serveBackend(emulator, answer, options)
  await emulator.interactions.connect(backend.url)
  return backend
}

function api(method: string, path: string, body?: unknown, authorization?: string): Promise<Response> {
  return fetch(`${emulator.url}/api/v10${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function register(definition: Record<string, unknown>, guild = ''): Promise<{ id: string; version: string }> {
  const place = guild === '' ? '' : `/guilds/${guild}`
  const path = `/applications/${emulator.application.id}${place}/commands`
  const response = await api('POST', path, definition, `Bot ${emulator.application.botToken}`)
  expect(response.status).toBe(201)
  return (await response.json()) as { id: string; version: string }
}

const greet = { name: 'greet', description: 'Say hello' }
const hello: Reply = { type: 4, data: { content: 'hello' } }

describe('the endpoint', () => {
  it('gets a forged request and a PING before anything else, both verifiable by a public library', async () => {
    const { received, forged } = await connect(() => hello)
    expect([forged, received.map(({ type }) => type)]).toEqual([1, [1]])
    expect(emulator.interactions.list().map(({ kind, refused }) => [kind, refused])).toEqual([
      ['forged ping', undefined],
      ['ping', undefined],
    ])
  })

  it.each<[string, BackendOptions, RegExp]>([
    ['believes a wrong signature', { verifies: false }, /answered with 200 instead of 401/],
    ['does not answer PING with PONG', { ping: { type: 4 } }, /not answered with \{ "type": 1 \}/],
    ['answers PING with an error', { ping: { status: 500 } }, /500 instead of 200/],
  ])('is refused when it %s, with the reason', async (_words, options, reason) => {
    const refused = connect(() => hello, options).catch((error: unknown) => error)
    expect(await refused).toMatchObject({ code: 'endpoint_refused', rule: expect.stringMatching(reason) as string })
    expect(emulator.interactions.url).toBeUndefined()
    expect(backend?.received.filter(({ type }) => type !== 1)).toEqual([])
  })

  it('that was named at the start is tested before the first interaction, and gets none when it fails', async () => {
    await emulator.close()
    backend = await serveBackend(emulator, () => hello, { verifies: false })
    emulator = await createEmulator({ interactionsUrl: backend.url })
    await register(greet, tavern)
    const outcome = await emulator.interactions.use({ as: 'ada', command: 'greet' })
    expect(outcome).toMatchObject({ kind: 'failed', because: expect.stringContaining('instead of 401') as string })
    expect(backend.received.map(({ type }) => type)).toEqual([1])
  })
})

describe('a command', () => {
  it('reaches the backend with the player, the place and the options, and its reply is a message in the channel', async () => {
    const { received } = await connect(() => hello)
    const options = [
      { type: 6, name: 'who', description: 'whom', required: true },
      { type: 4, name: 'times', description: 'how often', max_value: 3 },
    ]
    const { id } = await register({ ...greet, options }, tavern)
    const filled = [
      { name: 'who', value: bruno },
      { name: 'times', value: 2 },
    ]
    const outcome = await emulator.interactions.use({ as: 'ada', channel: general, command: 'greet', options: filled })
    expect(outcome).toMatchObject({ kind: 'message', message: { content: 'hello', channel_id: general } })
    expect(received.at(-1)).toMatchObject({
      application_id: emulator.application.id,
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
      'a number is over its bound',
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
  ])('is not sent when %s', async (_words, options, because) => {
    const { received } = await connect(() => hello)
    const known = [
      { type: 6, name: 'who', description: 'whom', required: true },
      { type: 4, name: 'times', description: 'how often', max_value: 3 },
    ]
    await register({ ...greet, options: known }, tavern)
    const outcome = await emulator.interactions.use({ as: 'ada', command: 'greet', options })
    expect(outcome).toMatchObject({ kind: 'refused', because: expect.stringMatching(because) as string })
    expect(received.map(({ type }) => type)).toEqual([1])
  })

  it('of a subcommand carries the way to it', async () => {
    const { received } = await connect(() => hello)
    const say = { type: 1, name: 'say', description: 'say', options: [{ type: 3, name: 'what', description: 'what' }] }
    await register({ ...greet, options: [{ type: 2, name: 'loudly', description: 'loudly', options: [say] }] }, tavern)
    const options = [{ name: 'loudly', options: [{ name: 'say', options: [{ name: 'what', value: 'hi' }] }] }]
    expect(await emulator.interactions.use({ as: 'ada', command: 'greet', options })).toMatchObject({ kind: 'message' })
    expect(received.at(-1)?.data.options).toEqual([
      { type: 2, name: 'loudly', options: [{ type: 1, name: 'say', options: [{ type: 3, name: 'what', value: 'hi' }] }] },
    ])
  })

  it('whose older version the player still sees is rejected, and reloaded for the next time', async () => {
    await connect(() => hello)
    const { id, version } = await register(greet)
    await api(
      'PATCH',
      `/applications/${emulator.application.id}/commands/${id}`,
      { description: 'new' },
      `Bot ${emulator.application.botToken}`,
    )
    expect(await emulator.interactions.use({ as: 'ada', command: id, version })).toMatchObject({ kind: 'refused', code: 40043 })
    expect(await emulator.interactions.use({ as: 'ada', command: id })).toMatchObject({ kind: 'message' })
  })

  it('in a menu of a user carries the target, and needs permission to send messages', async () => {
    const { received } = await connect(() => hello)
    await register({ type: 2, name: 'Challenge' }, tavern)
    expect(await emulator.interactions.use({ as: 'mira.k', channel: general, command: 'Challenge', target: bruno })).toMatchObject({
      kind: 'message',
    })
    expect(received.at(-1)?.data).toMatchObject({ target_id: bruno, resolved: { users: { [bruno]: { id: bruno } } } })
    const denied = await emulator.interactions.use({ as: 'mira.k', channel: announcements, command: 'Challenge', target: bruno })
    expect(denied).toMatchObject({ kind: 'refused', code: 50013 })
  })

  it('in a menu of a message carries that message', async () => {
    const { received } = await connect(() => hello)
    await register({ type: 3, name: 'Report' }, tavern)
    const { id } = emulator.interactions.say({ as: 'bruno', channel: general, content: 'boo' })
    expect(await emulator.interactions.use({ as: 'ada', channel: general, command: 'Report', target: id })).toMatchObject({
      kind: 'message',
    })
    expect(received.at(-1)?.data).toMatchObject({ target_id: id, resolved: { messages: { [id]: { content: 'boo' } } } })
  })

  it('in messages with the app names the player as user, without a member', async () => {
    const { received } = await connect(() => hello)
    await register(greet)
    const state = await emulator.interactions.use({ as: 'ada', channel: directChannel(), command: 'greet' })
    expect(state).toMatchObject({ kind: 'message' })
    expect(received.at(-1)).toMatchObject({ context: 1, user: { username: 'ada' }, authorizing_integration_owners: { '0': '0' } })
    expect(received.at(-1)).not.toHaveProperty('member')
  })

  it('that is age-restricted is for adults in age-restricted channels', async () => {
    await connect(() => hello)
    await register({ ...greet, nsfw: true }, tavern)
    const kinds = async (as: string, channel: string) => (await emulator.interactions.use({ as, channel, command: 'greet' })).kind
    expect([await kinds('bruno', cellar), await kinds('bruno', general), await kinds('zoe', cellar)]).toEqual([
      'message',
      'refused',
      'refused',
    ])
  })
})

/** Where a player's messages with the app are: told by a message that is sent there. */
function directChannel(): string {
  const where = emulator.interactions.channels('ada').find(({ kind, name }) => kind === 'direct' && name === emulator.application.name)
  return where?.id ?? ''
}

describe('an answer', () => {
  it('that does not come within 3 seconds fails, and its token opens nothing', async () => {
    const { received } = await connect(() => 'silence')
    await register(greet, tavern)
    expect(await emulator.interactions.use({ as: 'ada', command: 'greet' })).toEqual({
      kind: 'failed',
      because: 'no answer within 3 seconds',
    })
    const { id, token } = received.at(-1) ?? { id: '', token: '' }
    const late = await api('POST', `/interactions/${id}/${token}/callback`, hello)
    expect([late.status, ((await late.json()) as { code: number }).code]).toEqual([404, 10062])
  })

  it.each<[string, Reply, RegExp]>([
    ['an empty message', { type: 4, data: { content: '' } }, /must hold something/],
    ['a flag that it cannot have', { type: 4, data: { content: 'x', flags: 128 } }, /flags/],
    ['suggestions', { type: 8, data: { choices: [] } }, /type 8 does not answer/],
    ['a changed message', { type: 7, data: { content: 'x' } }, /components and forms only/],
    ['PONG', { type: 1 }, /PING only/],
    ['status 500', { status: 500 }, /500 instead of 200/],
    ['no JSON', { status: 200, body: 'yes' }, /no JSON/],
  ])('is refused when it is %s', async (_words, reply, because) => {
    await connect(() => reply)
    await register(greet, tavern)
    const outcome = await emulator.interactions.use({ as: 'ada', command: 'greet' })
    expect(outcome).toMatchObject({ kind: 'failed', because: expect.stringMatching(because) as string })
    expect(emulator.interactions.messages({ as: 'ada', channel: general })).toEqual([])
    expect(emulator.interactions.list().at(-1)?.refused).toMatch(because)
  })

  it('that is ephemeral is seen by the player alone', async () => {
    await connect(() => ({ type: 4, data: { content: 'psst', flags: 64 } }))
    await register(greet, tavern)
    await emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' })
    const seenBy = (as: string) => emulator.interactions.messages({ as, channel: general }).map(({ content }) => content)
    expect([seenBy('ada'), seenBy('bruno')]).toEqual([['psst'], []])
  })

  it('may be promised and kept later, followed up, edited and deleted, until 15 minutes have passed', async () => {
    const { received } = await connect(() => ({ type: 5 }))
    await register(greet, tavern)
    expect(await emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' })).toMatchObject({ kind: 'deferred' })
    const token = received.at(-1)?.token ?? ''
    const path = `/webhooks/${emulator.application.id}/${token}`
    const texts = () => emulator.interactions.messages({ as: 'bruno', channel: general }).map(({ content, flags }) => [content, flags])
    expect(texts()).toEqual([['', 128]])
    expect((await api('PATCH', `${path}/messages/@original`, { content: 'done' })).status).toBe(200)
    const more = (await (await api('POST', path, { content: 'and more' })).json()) as { id: string }
    expect(texts()).toEqual([
      ['done', 0],
      ['and more', 0],
    ])
    expect((await api('PATCH', `${path}/messages/${more.id}`, { content: 'and less' })).status).toBe(200)
    expect((await api('DELETE', `${path}/messages/@original`)).status).toBe(204)
    expect(texts()).toEqual([['and less', 0]])
    expect((await api('GET', `${path}/messages/@original`)).status).toBe(404)
    emulator.advance(15 * 60_000)
    expect((await api('POST', path, { content: 'too late' })).status).toBe(404)
  })

  it('by a call counts as well as one in the response, once, and 202 waits for it', async () => {
    const calls: number[] = []
    await connect(async ({ id, token }) => {
      for (let call = 0; call < 2; call += 1) {
        const response = await api('POST', `/interactions/${id}/${token}/callback?with_response=true`, hello)
        calls.push(response.status)
        if (call === 0)
          expect(await response.json()).toMatchObject({
            interaction: { id, type: 2 },
            resource: { type: 4, message: { content: 'hello' } },
          })
        else expect(await response.json()).toMatchObject({ code: 40060 })
      }
      return { status: 202 }
    })
    await register(greet, tavern)
    expect(await emulator.interactions.use({ as: 'ada', command: 'greet' })).toMatchObject({ kind: 'message' })
    await expect.poll(() => calls).toEqual([200, 400])
  })

  it('leaves no token in the journal and in the request log', async () => {
    const { received } = await connect(async ({ id, token }) => {
      await api('POST', `/interactions/${id}/${token}/callback`, hello)
      return { status: 202 }
    })
    await register(greet, tavern)
    await emulator.interactions.use({ as: 'ada', command: 'greet' })
    const token = received.at(-1)?.token ?? ''
    await api('POST', `/webhooks/${emulator.application.id}/${token}`, { content: 'x' })
    await expect.poll(() => emulator.requests.some(({ path }) => path.startsWith('/api/v10/webhooks/'))).toBe(true)
    expect(JSON.stringify([emulator.interactions.list(), emulator.requests])).not.toContain(token)
  })
})

describe('autocomplete', () => {
  const options = [
    { type: 3, name: 'map', description: 'map', autocomplete: true, required: true },
    { type: 5, name: 'ranked', description: 'ranked', required: true },
    { type: 4, name: 'size', description: 'size', autocomplete: true },
  ]

  it('sends what is typed with the mark on it, what is filled in without, and lacks what is missing', async () => {
    const { received } = await connect(() => ({ type: 8, data: { choices: [{ name: 'Moon', value: 'moon' }] } }))
    const { version } = await register({ ...greet, options }, tavern)
    const typed = [
      { name: 'map', value: 'mo' },
      { name: 'size', value: 7 },
    ]
    const outcome = await emulator.interactions.type({ as: 'ada', command: 'greet', focused: 'map', options: typed })
    expect(outcome).toEqual({ kind: 'choices', choices: [{ name: 'Moon', value: 'moon' }] })
    expect(received.at(-1)).toMatchObject({ type: 4, data: { name: 'greet', type: 1, version } })
    expect(received.at(-1)?.data.options).toEqual([
      { type: 3, name: 'map', value: 'mo', focused: true },
      { type: 4, name: 'size', value: 7 },
    ])
  })

  it('is asked with nothing typed and with half a text, and not with half a number', async () => {
    const { received } = await connect(() => ({ type: 8, data: { choices: [] } }))
    await register({ ...greet, options }, tavern)
    const kind = async (focused: string, value: string) =>
      (await emulator.interactions.type({ as: 'ada', command: 'greet', focused, options: [{ name: focused, value }] })).kind
    expect([await kind('map', ''), await kind('map', 'm'), await kind('size', '1'), await kind('size', '1x')]).toEqual([
      'choices',
      'choices',
      'choices',
      'refused',
    ])
    expect(received.filter(({ type }) => type === 4)).toHaveLength(3)
  })
})

describe('components and forms', () => {
  const button = { type: 1, components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }] }

  it('press, update, form and submission go round', async () => {
    const { received } = await connect(({ type, data }) => {
      if (type === 2) return { type: 4, data: { content: 'one', components: [button] } }
      if (type === 5) return { type: 4, data: { content: 'thanks' } }
      if (data.custom_id === 'again' && received.filter((one) => one.type === 3).length === 1) return { type: 7, data: { content: 'two' } }
      const input = { type: 1, components: [{ type: 4, custom_id: 'why', style: 1, label: 'Why' }] }
      return { type: 9, data: { custom_id: 'form', title: 'Why?', components: [input] } }
    })
    await register(greet, tavern)
    const { message } = await emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' })
    const order = { as: 'bruno', channel: general, message: message?.id ?? '', component: 'again' }
    expect(await emulator.interactions.press(order)).toMatchObject({ kind: 'updated', message: { id: message?.id, content: 'two' } })
    const { modal } = await emulator.interactions.press(order)
    expect(modal).toMatchObject({ custom_id: 'form', title: 'Why?' })
    const submission = { as: 'bruno', channel: general, modal: modal?.id ?? '', values: { why: 'because' } }
    expect(await emulator.interactions.submit(submission)).toMatchObject({ kind: 'message', message: { content: 'thanks' } })
    expect(received.at(-1)).toMatchObject({
      type: 5,
      message: { id: message?.id },
      data: { custom_id: 'form', components: [{ components: [{ custom_id: 'why', value: 'because' }] }] },
    })
    expect(await emulator.interactions.submit(submission)).toMatchObject({ kind: 'refused' })
  })

  it('a component that the player does not see cannot be pressed', async () => {
    await connect(() => ({ type: 4, data: { content: 'one', flags: 64, components: [button] } }))
    await register(greet, tavern)
    const { message } = await emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' })
    const order = { as: 'bruno', channel: general, message: message?.id ?? '', component: 'again' }
    expect(await emulator.interactions.press(order)).toMatchObject({ kind: 'refused' })
  })
})

describe('an entry point', () => {
  it('with handler 2 launches without a word to the backend', async () => {
    const { received } = await connect(() => hello)
    const outcome = await emulator.interactions.use({ as: 'ada', channel: general, command: 'Launch' })
    expect(outcome).toMatchObject({
      kind: 'activity',
      activity: { instanceId: expect.stringMatching(new RegExp(`^i-\\d+-gc-${tavern}-${general}$`)) as string },
    })
    expect(received.map(({ type }) => type)).toEqual([1])
    expect(emulator.interactions.messages({ as: 'bruno', channel: general })).toMatchObject([
      { content: 'Ada Quinn launched Example Game' },
    ])
  })

  it('with handler 1 asks the backend, which learns the instance that all in the channel share', async () => {
    const instances: unknown[] = []
    const { received } = await connect(async ({ id, token }) => {
      const response = await api('POST', `/interactions/${id}/${token}/callback?with_response=true`, { type: 12 })
      instances.push(await response.json())
      return { status: 202 }
    })
    const path = `/applications/${emulator.application.id}/commands`
    const bot = `Bot ${emulator.application.botToken}`
    const [launch] = (await (await api('GET', path, undefined, bot)).json()) as { id: string }[]
    await api('DELETE', `${path}/${launch?.id}`, undefined, bot)
    await register({ type: 4, name: 'Play', handler: 1 })
    const first = await emulator.interactions.use({ as: 'ada', channel: general, command: 'Play' })
    const second = await emulator.interactions.use({ as: 'bruno', channel: general, command: 'Play' })
    const id = first.activity?.instanceId ?? ''
    expect(second.activity?.instanceId).toBe(id)
    expect(received.at(-1)?.data).toMatchObject({ name: 'Play', type: 4 })
    await expect.poll(() => instances.length).toBe(2)
    expect(instances).toMatchObject(
      [1, 2].map(() => ({ interaction: { activity_instance_id: id }, resource: { type: 12, activity_instance: { id } } })),
    )
    const answer = await api('GET', `/applications/${emulator.application.id}/activity-instances/${id}`, undefined, bot)
    expect(await answer.json()).toMatchObject({
      instance_id: id,
      location: { kind: 'gc', guild_id: tavern, channel_id: general },
      users: [emulator.users[0]?.id, bruno],
    })
    emulator.advance(61_000)
    expect((await api('GET', `/applications/${emulator.application.id}/activity-instances/${id}`, undefined, bot)).status).toBe(404)
  })
})
