/** A backend built with the SDK alone, used by the emulator’s players: registers commands and responds to interactions at once or later. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  botToken,
  createInteractionHandler,
  defineCommand,
  type Interaction,
  verifyInteraction,
} from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Served, serveRequests } from '../support/serve-requests'

const TAVERN = '319560327719026709'
let emulator: Emulator
let client: ApplicationClient
let backend: Served | undefined

beforeEach(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
  const credentials = botToken(emulator.application.botToken)
  client = new ApplicationClient({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    credentials,
  })
})
afterEach(async () => {
  client.close()
  await backend?.close()
  backend = undefined
  await emulator.close()
})

/** Serves a Request handler and connects the emulator to it. */
async function serve(handle: (request: Request) => Promise<Response>): Promise<void> {
  backend = await serveRequests(handle)
  await emulator.interactions.connect(backend.url)
}

const duel = defineCommand(
  {
    name: 'duel',
    description: 'Challenges another player',
    options: [
      { type: 6, name: 'opponent', description: 'Whom', required: true },
      { type: 3, name: 'weapon', description: 'With what', autocomplete: true },
    ],
  },
  {
    run: ({ user, options }) =>
      `${user.username} challenges ${options.opponent.user.username} (${options.weapon ?? 'bare hands'})`,
    autocomplete: { weapon: ({ value }) => ['sword', 'wand'].filter((weapon) => weapon.startsWith(value)) },
  },
)
const play = defineCommand({ type: 4, name: 'Play', handler: 1 }, (interaction) =>
  interaction.launchActivity(),
)

describe('a backend of `createInteractionHandler`', () => {
  beforeEach(async () => {
    await client.commands.global.sync([duel.definition, play.definition])
    await serve(
      createInteractionHandler({
        publicKey: emulator.application.publicKey,
        commands: [duel, play],
        service: { host: emulator.url },
      }),
    )
  })

  it('responds to a command of a player', async () => {
    const bruno = emulator.users.find(({ username }) => username === 'bruno')?.id ?? ''
    const outcome = await emulator.interactions.use({
      as: 'ada',
      command: 'duel',
      options: [{ name: 'opponent', value: bruno }],
    })
    expect(outcome).toMatchObject({
      kind: 'message',
      message: { content: 'ada challenges bruno (bare hands)' },
    })
  })

  it('returns autocomplete choices while a player types', async () => {
    const options = [{ name: 'weapon', value: 'sw' }]
    const outcome = await emulator.interactions.type({
      as: 'ada',
      command: 'duel',
      options,
      focused: 'weapon',
    })
    expect(outcome).toMatchObject({ kind: 'choices', choices: [{ name: 'sword', value: 'sword' }] })
  })

  it('launches the Activity, in one instance for all players in the same channel', async () => {
    const first = await emulator.interactions.use({ as: 'ada', command: 'Play' })
    const second = await emulator.interactions.use({ as: 'bruno', command: 'Play' })
    expect(first).toMatchObject({ kind: 'activity' })
    expect(second.activity?.instanceId).toBe(first.activity?.instanceId)
  })
})

describe('`client.interactions`', () => {
  let received: Interaction[]

  /** An endpoint that records interactions and responds by API calls. */
  async function serveByCalls(response: (interaction: Interaction) => Promise<unknown>): Promise<void> {
    received = []
    await client.commands.guild(TAVERN).create({ name: 'greet', description: 'Says hello' })
    await serve(async (request) => {
      const verified = await verifyInteraction(request, emulator.application.publicKey)
      if (!verified.ok) return new Response(null, { status: 401 })
      if (verified.interaction.type === 1) return Response.json({ type: 1 })
      received.push(verified.interaction)
      await response(verified.interaction)
      return new Response(null, { status: 202 })
    })
  }

  it('replies, adds a follow-up, edits the reply and deletes it', async () => {
    await serveByCalls((interaction) => client.interactions.reply(interaction, 'hello'))
    const { message } = await emulator.interactions.use({ as: 'ada', command: 'greet' })
    expect(message).toMatchObject({ content: 'hello' })
    const [interaction] = received
    if (!interaction) throw new Error('nothing was received')
    expect(
      await client.interactions.followUp(interaction, { content: 'and more', ephemeral: true }),
    ).toMatchObject({ content: 'and more' })
    expect(await client.interactions.editReply(interaction, 'goodbye')).toMatchObject({ content: 'goodbye' })
    await client.interactions.deleteReply(interaction)
    expect(emulator.interactions.messages({ as: 'ada' }).map(({ content }) => content)).toEqual(['and more'])
  })

  it('defers a reply and sends it later', async () => {
    await serveByCalls((interaction) => client.interactions.defer(interaction))
    expect(await emulator.interactions.use({ as: 'ada', command: 'greet' })).toMatchObject({
      kind: 'deferred',
    })
    const [interaction] = received
    if (!interaction) throw new Error('nothing was received')
    expect(await client.interactions.editReply(interaction, 'here it is')).toMatchObject({
      content: 'here it is',
    })
  })

  it('launches the Activity and returns its instance ID', async () => {
    let launch: Promise<{ instanceId: string }> | undefined
    await serveByCalls((interaction) => (launch = client.interactions.launchActivity(interaction)))
    const { activity } = await emulator.interactions.use({ as: 'ada', command: 'greet' })
    expect(await launch).toEqual({ instanceId: activity?.instanceId })
    expect(activity?.instanceId).toMatch(/^i-/)
  })

  it('rejects a second initial response and a follow-up after the token has expired', async () => {
    await serveByCalls((interaction) => client.interactions.reply(interaction, 'hello'))
    await emulator.interactions.use({ as: 'ada', command: 'greet' })
    const [interaction] = received
    if (!interaction) throw new Error('nothing was received')
    await expect(client.interactions.reply(interaction, 'again')).rejects.toMatchObject({
      name: 'ApiError',
      status: 400,
    })
    emulator.advance(15 * 60_000 + 1)
    await expect(client.interactions.followUp(interaction, 'late')).rejects.toMatchObject({
      name: 'ApiError',
    })
  })
})
