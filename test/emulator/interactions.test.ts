/** Commands as players use them: what reaches a game's backend. */
import { createEmulator } from 'foyer-emulator'
import { describe, expect, it } from 'vitest'
import { serveBackend, type BackendOptions } from './support/backend'
import { bruno, general, greet, hello, tavern, useInteractions } from './support/interactions'

const announcements = '319563225103499297'
const cellar = '319563701934981153'

const file = useInteractions()

describe('the endpoint', () => {
  it('gets a forged request and a PING before anything else, both verifiable by a public library', async () => {
    const { received, forged } = await file.connect(() => hello)
    expect([forged, received.map(({ type }) => type)]).toEqual([1, [1]])
    expect(file.emulator.interactions.list().map(({ kind, refused }) => [kind, refused])).toEqual([
      ['forged ping', undefined],
      ['ping', undefined],
    ])
  })

  it.each<[string, BackendOptions, RegExp]>([
    ['believes a wrong signature', { verifies: false }, /answered with 200 instead of 401/],
    ['does not answer PING with PONG', { ping: { type: 4 } }, /not answered with \{ "type": 1 \}/],
    ['answers PING with an error', { ping: { status: 500 } }, /500 instead of 200/],
  ])('is refused when it %s, with the reason', async (_words, options, reason) => {
    const refused = file.connect(() => hello, options).catch((error: unknown) => error)
    expect(await refused).toMatchObject({ code: 'endpoint_refused', rule: expect.stringMatching(reason) as string })
    expect(file.emulator.interactions.url).toBeUndefined()
    expect(file.backend?.received.filter(({ type }) => type !== 1)).toEqual([])
  })

  it('that was named at the start is tested before the first interaction, and gets none when it fails', async () => {
    await file.emulator.close()
    file.backend = await serveBackend(file.emulator, () => hello, { verifies: false })
    file.emulator = await createEmulator({ interactionsUrl: file.backend?.url })
    await file.register(greet, tavern)
    const outcome = await file.emulator.interactions.use({ as: 'ada', command: 'greet' })
    expect(outcome).toMatchObject({ kind: 'failed', because: expect.stringContaining('instead of 401') as string })
    expect(file.backend?.received.map(({ type }) => type)).toEqual([1])
  })
})

describe('a command', () => {
  it('reaches the backend with the player, the place and the options, and its reply is a message in the channel', async () => {
    const { received } = await file.connect(() => hello)
    const options = [
      { type: 6, name: 'who', description: 'whom', required: true },
      { type: 4, name: 'times', description: 'how often', max_value: 3 },
    ]
    const { id } = await file.register({ ...greet, options }, tavern)
    const filled = [
      { name: 'who', value: bruno },
      { name: 'times', value: 2 },
    ]
    const outcome = await file.emulator.interactions.use({ as: 'ada', channel: general, command: 'greet', options: filled })
    expect(outcome).toMatchObject({ kind: 'message', message: { content: 'hello', channel_id: general } })
    expect(received.at(-1)).toMatchObject({
      application_id: file.emulator.application.id,
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
    const { received } = await file.connect(() => hello)
    const known = [
      { type: 6, name: 'who', description: 'whom', required: true },
      { type: 4, name: 'times', description: 'how often', max_value: 3 },
    ]
    await file.register({ ...greet, options: known }, tavern)
    const outcome = await file.emulator.interactions.use({ as: 'ada', command: 'greet', options })
    expect(outcome).toMatchObject({ kind: 'refused', because: expect.stringMatching(because) as string })
    expect(received.map(({ type }) => type)).toEqual([1])
  })

  it('of a subcommand carries the way to it', async () => {
    const { received } = await file.connect(() => hello)
    const say = { type: 1, name: 'say', description: 'say', options: [{ type: 3, name: 'what', description: 'what' }] }
    await file.register({ ...greet, options: [{ type: 2, name: 'loudly', description: 'loudly', options: [say] }] }, tavern)
    const options = [{ name: 'loudly', options: [{ name: 'say', options: [{ name: 'what', value: 'hi' }] }] }]
    expect(await file.emulator.interactions.use({ as: 'ada', command: 'greet', options })).toMatchObject({ kind: 'message' })
    expect(received.at(-1)?.data.options).toEqual([
      { type: 2, name: 'loudly', options: [{ type: 1, name: 'say', options: [{ type: 3, name: 'what', value: 'hi' }] }] },
    ])
  })

  it('whose older version the player still sees is rejected, and reloaded for the next time', async () => {
    await file.connect(() => hello)
    const { id, version } = await file.register(greet)
    await file.bot('PATCH', `/commands/${id}`, { description: 'new' })
    expect(await file.emulator.interactions.use({ as: 'ada', command: id, version })).toMatchObject({ kind: 'refused', code: 40043 })
    expect(await file.emulator.interactions.use({ as: 'ada', command: id })).toMatchObject({ kind: 'message' })
  })

  it('in a menu of a user carries the target, and needs permission to send messages', async () => {
    const { received } = await file.connect(() => hello)
    await file.register({ type: 2, name: 'Challenge' }, tavern)
    expect(await file.emulator.interactions.use({ as: 'mira.k', channel: general, command: 'Challenge', target: bruno })).toMatchObject({
      kind: 'message',
    })
    expect(received.at(-1)?.data).toMatchObject({ target_id: bruno, resolved: { users: { [bruno]: { id: bruno } } } })
    const denied = await file.emulator.interactions.use({ as: 'mira.k', channel: announcements, command: 'Challenge', target: bruno })
    expect(denied).toMatchObject({ kind: 'refused', code: 50013 })
  })

  it('in a menu of a message carries that message', async () => {
    const { received } = await file.connect(() => hello)
    await file.register({ type: 3, name: 'Report' }, tavern)
    const { id } = file.emulator.interactions.say({ as: 'bruno', channel: general, content: 'boo' })
    expect(await file.emulator.interactions.use({ as: 'ada', channel: general, command: 'Report', target: id })).toMatchObject({
      kind: 'message',
    })
    expect(received.at(-1)?.data).toMatchObject({ target_id: id, resolved: { messages: { [id]: { content: 'boo' } } } })
  })

  it('in messages with the app names the player as user, without a member', async () => {
    const { received } = await file.connect(() => hello)
    await file.register(greet)
    const state = await file.emulator.interactions.use({ as: 'ada', channel: directChannel(), command: 'greet' })
    expect(state).toMatchObject({ kind: 'message' })
    expect(received.at(-1)).toMatchObject({ context: 1, user: { username: 'ada' }, authorizing_integration_owners: { '0': '0' } })
    expect(received.at(-1)).not.toHaveProperty('member')
  })

  it('that is age-restricted is for adults in age-restricted channels', async () => {
    await file.connect(() => hello)
    await file.register({ ...greet, nsfw: true }, tavern)
    const kinds = async (as: string, channel: string) => (await file.emulator.interactions.use({ as, channel, command: 'greet' })).kind
    expect([await kinds('bruno', cellar), await kinds('bruno', general), await kinds('zoe', cellar)]).toEqual([
      'message',
      'refused',
      'refused',
    ])
  })
})

/** Where a player's messages with the app are: told by a message that is sent there. */
function directChannel(): string {
  const where = file.emulator.interactions
    .channels('ada')
    .find(({ kind, name }) => kind === 'direct' && name === file.emulator.application.name)
  return where?.id ?? ''
}
