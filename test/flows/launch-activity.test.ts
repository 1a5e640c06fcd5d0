/** An Activity launched by each interaction that may answer so, in the response or by a call, and refused for the others with the rule. */
import { createEmulator, type Emulator, type Outcome } from 'foyer-emulator'
import {
  type Addressed,
  ApplicationClient,
  botToken,
  createInteractionHandler,
  defineCommand,
  type Interaction,
  type Launchable,
  verifyInteraction,
} from 'foyer-sdk/server'
import { afterEach, describe, expect, it } from 'vitest'
import { type Served, serveRequests } from '../support/serve-requests'

const TAVERN = '319560327719026709'
const GENERAL = '319562910281203745'
const BRUNO = '211842960158326785'
/** The emulator's outcome may precede the end of the handler by a moment. */
const soon = { timeout: 10_000 }
const closing: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

type Launch = (interaction: Launchable & { raw: Addressed }) => Promise<unknown>

/** Buttons for the component and the modal. */
const components = ['launch', 'ask'].map(
  (custom_id) => ({ type: 1, components: [{ type: 2, style: 1, label: custom_id, custom_id }] }) as const,
)
const input = { type: 4, style: 1, custom_id: 'why', label: 'Why?' } as const
const modal = { custom_id: 'form', title: 'Ready?', components: [{ type: 1, components: [input] }] } as const

/** Each kind of interaction, caused by a player in the general channel. */
const KINDS: [kind: string, cause: (emulator: Emulator) => Promise<Outcome>][] = [
  ['an entry point', ({ interactions }) => interactions.use({ as: 'ada', command: 'Play' })],
  ['a slash command', ({ interactions }) => interactions.use({ as: 'ada', command: 'play' })],
  [
    'a user command',
    ({ interactions }) => interactions.use({ as: 'ada', command: 'Play with', target: BRUNO }),
  ],
  [
    'a message command',
    ({ interactions }) =>
      interactions.use({
        as: 'ada',
        command: 'Play about',
        target: interactions.say({ as: 'bruno', content: 'A game?' }).id,
      }),
  ],
  [
    'a component',
    async (emulator) =>
      emulator.interactions.press({ as: 'ada', message: await menuOf(emulator), component: 'launch' }),
  ],
  [
    'a modal',
    async (emulator) => {
      const opened = await emulator.interactions.press({
        as: 'ada',
        message: await menuOf(emulator),
        component: 'ask',
      })
      return emulator.interactions.submit({
        as: 'ada',
        modal: opened.modal?.id ?? '',
        values: { why: 'fun' },
      })
    },
  ],
]

async function menuOf({ interactions }: Emulator): Promise<string> {
  return (await interactions.use({ as: 'ada', command: 'menu' })).message?.id ?? ''
}

interface Place {
  emulator: Emulator
  client: ApplicationClient
}

async function open(application?: { activities: boolean }): Promise<Place> {
  const emulator = await createEmulator({
    commands: { globalDelay: 0 },
    ...(application && { seed: { application } }),
  })
  const { id: applicationId, botToken: token } = emulator.application
  const client = new ApplicationClient({
    applicationId,
    service: { host: emulator.url },
    credentials: botToken(token),
  })
  closing.push(
    () => emulator.close(),
    () => client.close(),
  )
  return { emulator, client }
}

/** Registers a command of each type; all of them, the button and the modal launch. */
async function serveHandler({ emulator, client }: Place, launch: Launch): Promise<void> {
  const play = defineCommand(
    { name: 'play', description: 'Plays' },
    async (interaction) => void (await launch(interaction)),
  )
  const menu = defineCommand({ name: 'menu', description: 'Shows buttons' }, () => ({
    content: 'Play?',
    components,
  }))
  const withUser = defineCommand(
    { type: 2, name: 'Play with' },
    async (interaction) => void (await launch(interaction)),
  )
  const about = defineCommand(
    { type: 3, name: 'Play about' },
    async (interaction) => void (await launch(interaction)),
  )
  const entry = defineCommand(
    { type: 4, name: 'Play', handler: 1 },
    async (interaction) => void (await launch(interaction)),
  )
  const guild = [play.definition, menu.definition, withUser.definition, about.definition]
  for (const definition of guild) await client.commands.guild(TAVERN).create(definition)
  await client.commands.global.sync([entry.definition])
  await serve(
    emulator,
    createInteractionHandler({
      publicKey: emulator.application.publicKey,
      service: { host: emulator.url },
      commands: [play, menu, withUser, about, entry],
      onComponent: async (interaction) => {
        if (interaction.customId === 'ask') await interaction.showModal(modal)
        else await launch(interaction)
      },
      onModal: async (interaction) => void (await launch(interaction)),
    }),
  )
}

async function serve(emulator: Emulator, handle: (request: Request) => Promise<Response>): Promise<void> {
  const backend: Served = await serveRequests(handle)
  closing.push(() => backend.close())
  await emulator.interactions.connect(backend.url)
}

describe.each(KINDS)('%s launches the Activity', (_kind, cause) => {
  const instance = expect.stringMatching(new RegExp(`^i-\\d+-gc-${TAVERN}-${GENERAL}$`)) as string

  it('in the response of the handler', async () => {
    const place = await open()
    await serveHandler(place, (interaction) => interaction.launchActivity())
    const outcome = await cause(place.emulator)
    expect(outcome).toMatchObject({ kind: 'activity', activity: { instanceId: instance } })
    const said = place.emulator.interactions.messages({ as: 'bruno' })
    expect(said.at(-1)).toMatchObject({
      content: 'Ada Quinn launched Example Game',
      activity_instance_id: outcome.activity?.instanceId,
    })
  })

  it('by a call, whose response has the instance ID', async () => {
    const place = await open()
    const launched: unknown[] = []
    await serveHandler(place, async (interaction) =>
      launched.push(await interaction.launchActivity({ withResponse: true })),
    )
    const { activity } = await cause(place.emulator)
    expect(activity).toMatchObject({ instanceId: instance })
    await expect.poll(() => launched, soon).toEqual([{ instanceId: activity?.instanceId }])
    const { instance_id } = (await place.client.activityInstances.get(activity?.instanceId ?? '')) ?? {}
    expect(instance_id).toBe(activity?.instanceId)
  })

  it('only once: a second response is refused', async () => {
    const place = await open()
    const refused: unknown[] = []
    await serveHandler(place, async (interaction) => {
      await interaction.launchActivity({ withResponse: true })
      refused.push(
        await place.client.interactions.launchActivity(interaction.raw).catch((error: unknown) => error),
      )
    })
    expect(await cause(place.emulator)).toMatchObject({ kind: 'activity' })
    await expect.poll(() => refused, soon).toMatchObject([{ name: 'ApiError', status: 400, apiCode: 40_060 }])
  })
})

/** Uses a command that launches, of an application without Activities. */
async function useWithoutActivities(launch: Launch): Promise<Outcome> {
  const { emulator, client } = await open({ activities: false })
  const play = defineCommand(
    { name: 'play', description: 'Plays' },
    async (interaction) => void (await launch(interaction)),
  )
  await client.commands.guild(TAVERN).create(play.definition)
  const { publicKey } = emulator.application
  await serve(
    emulator,
    createInteractionHandler({ publicKey, service: { host: emulator.url }, commands: [play] }),
  )
  return emulator.interactions.use({ as: 'ada', command: 'play' })
}

/** Types into an option; returns the outcome, and the Activities that run afterwards. */
async function typeOption(respond: (interaction: Interaction, place: Place) => Promise<Response>) {
  const place = await open()
  const { emulator, client } = place
  const option = { type: 3, name: 'map', description: 'Which map', autocomplete: true } as const
  await client.commands.guild(TAVERN).create({ name: 'play', description: 'Plays', options: [option] })
  await serve(emulator, async (request) => {
    const verified = await verifyInteraction(request, emulator.application.publicKey)
    if (!verified.ok) return new Response(null, { status: 401 })
    return verified.interaction.type === 1 ? Response.json({ type: 1 }) : respond(verified.interaction, place)
  })
  const typed = { as: 'ada', command: 'play', options: [{ name: 'map', value: 'h' }], focused: 'map' }
  return { outcome: await emulator.interactions.type(typed), instances: emulator.activity.instances() }
}

describe('an application without Activities', () => {
  const rule = 'type 12 needs an application with Activities'

  it('launches none by its response', async () => {
    expect(await useWithoutActivities((interaction) => interaction.launchActivity())).toEqual({
      kind: 'failed',
      because: rule,
    })
  })

  it('launches none by a call', async () => {
    const refused: unknown[] = []
    const outcome = await useWithoutActivities((interaction) =>
      interaction.launchActivity({ withResponse: true }).catch((error) => refused.push(error)),
    )
    expect(outcome).toEqual({ kind: 'failed', because: rule })
    await expect
      .poll(() => refused, soon)
      .toMatchObject([{ status: 400, apiCode: 50_035, message: expect.stringContaining(rule) as string }])
  })
})

describe('autocomplete', () => {
  const rule = 'type 12 does not answer an interaction of type 4'

  it('launches none by its response', async () => {
    const { outcome, instances } = await typeOption(async () => Response.json({ type: 12 }))
    expect(outcome).toEqual({ kind: 'failed', because: rule })
    expect(instances).toEqual([])
  })

  it('launches none by a call, and may still respond', async () => {
    const refused: unknown[] = []
    const { outcome, instances } = await typeOption(async (interaction, { client }) => {
      await client.interactions.launchActivity(addressed(interaction)).catch((error) => refused.push(error))
      return Response.json({ type: 8, data: { choices: [] } })
    })
    expect(outcome).toEqual({ kind: 'choices', choices: [] })
    expect(instances).toEqual([])
    expect(refused).toMatchObject([
      { status: 400, apiCode: 50_035, message: expect.stringContaining(rule) as string },
    ])
  })
})

it('an entry point in direct messages launches an instance of the private channel', async () => {
  const place = await open()
  await serveHandler(place, (interaction) => interaction.launchActivity())
  const direct = place.emulator.interactions.channels('ada').find(({ kind }) => kind === 'direct')?.id ?? ''
  const { activity } = await place.emulator.interactions.use({ as: 'ada', channel: direct, command: 'Play' })
  expect(activity?.instanceId).toMatch(new RegExp(`^i-\\d+-pc-${direct}$`))
})

function addressed(interaction: Interaction): Addressed {
  if (interaction.type === 1) throw new Error('a PING has no response')
  return interaction
}
