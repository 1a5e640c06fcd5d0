/** Forms of a backend built with the SDK, opened by a command or a button and submitted by the emulator's players. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  botToken,
  createInteractionHandler,
  defineCommand,
  defineModal,
  type InteractionError,
} from 'foyer-sdk/server'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Served, serveRequests } from '../support/serve-requests'

const BRUNO = '211842960158326785'
const GENERAL = '319562910281203745'
const MAPS = [
  { value: 'moon', label: 'Moon' },
  { value: 'moor', label: 'Moor' },
] as const

let emulator: Emulator
let backend: Served
const seen: unknown[] = []
const errors: InteractionError[] = []

/** At most five parts. */
const people = defineModal(
  {
    custom_id: 'people',
    title: 'People',
    components: [
      { type: 10, content: 'Whom do you **invite**?' },
      { type: 18, label: 'Note', component: { type: 4, custom_id: 'note', style: 2, required: false } },
      { type: 18, label: 'Players', component: { type: 5, custom_id: 'players', max_values: 2 } },
      { type: 18, label: 'Anybody', component: { type: 7, custom_id: 'anybody', required: false } },
      { type: 18, label: 'Channel', component: { type: 8, custom_id: 'channel' } },
    ],
  },
  async (interaction) => {
    const { note, players, anybody, channel } = interaction.values
    seen.push([note, players.map(({ user }) => user.username), anybody, channel.map(({ id }) => id)])
    await interaction.update({
      content: `Invited: ${players.map(({ user }) => user.username).join(', ')}`,
      components: [],
    })
  },
)

const choices = defineModal(
  {
    custom_id: 'choices',
    title: 'Choices',
    components: [
      { type: 18, label: 'Maps', component: { type: 3, custom_id: 'maps', options: MAPS, max_values: 2 } },
      {
        type: 18,
        label: 'Level',
        component: { type: 21, custom_id: 'level', options: MAPS, required: false },
      },
      { type: 18, label: 'Days', component: { type: 22, custom_id: 'days', options: MAPS } },
      { type: 18, label: 'News', component: { type: 23, custom_id: 'news', default: true } },
      { type: 18, label: 'Proof', component: { type: 19, custom_id: 'proof' } },
    ],
  },
  ({ values: { maps, level, days, news, proof }, customId }) => {
    seen.push([customId, maps, level, days, news, proof.map(({ filename, size }) => [filename, size])])
    return 'Chosen'
  },
)

const button = { type: 1, components: [{ type: 2, style: 1, custom_id: 'invite', label: 'Invite' }] } as const
const named = (name: string) => ({ name, description: 'Opens a form' })
const commands = [
  defineCommand(named('party'), () => ({ content: 'A party', components: [button] })),
  defineCommand(named('invite'), (interaction) => interaction.showModal(people.definition)),
  defineCommand(named('choose'), (interaction) =>
    interaction.showModal({ ...choices.definition, custom_id: 'choices:42' }),
  ),
]

beforeAll(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
  const { id: applicationId, publicKey, botToken: secret } = emulator.application
  const service = { host: emulator.url }
  const client = new ApplicationClient({ applicationId, service, credentials: botToken(secret) })
  await client.commands.global.sync(commands.map(({ definition }) => definition))
  client.close()
  backend = await serveRequests(
    createInteractionHandler({
      publicKey,
      service,
      commands,
      modals: [people, choices],
      onComponent: (interaction) => interaction.showModal(people.definition),
      onError: (error) => errors.push(error),
    }),
  )
  await emulator.interactions.connect(backend.url)
  // The emulator's probe has a forged signature.
  errors.length = 0
})
afterEach(() => {
  seen.length = 0
  errors.length = 0
})
afterAll(async () => {
  await backend.close()
  await emulator.close()
})

const ada = { as: 'ada', channel: GENERAL }

it('a form that a button opened has typed values, and its answer edits the message of the button', async () => {
  const { message } = await emulator.interactions.use({ ...ada, command: 'party' })
  const { modal } = await emulator.interactions.press({
    ...ada,
    message: message?.id ?? '',
    component: 'invite',
  })
  const values = { note: 'Bring dice', players: [BRUNO], anybody: [BRUNO], channel: [GENERAL] }
  const outcome = await emulator.interactions.submit({ ...ada, modal: modal?.id ?? '', values })
  expect(outcome).toMatchObject({
    kind: 'updated',
    message: { id: message?.id, content: 'Invited: bruno', components: [] },
  })
  expect(seen).toEqual([['Bring dice', ['bruno'], [expect.objectContaining({ id: BRUNO })], [GENERAL]]])
  expect(errors).toEqual([])
})

it('a form that a command opened has no message to edit, and its player gets an answer', async () => {
  const { modal } = await emulator.interactions.use({ ...ada, command: 'invite' })
  const values = { players: [BRUNO], channel: [GENERAL] }
  const outcome = await emulator.interactions.submit({ ...ada, modal: modal?.id ?? '', values })
  expect(outcome).toMatchObject({
    kind: 'message',
    message: { content: 'Something went wrong. Please try again.', flags: 64 },
  })
  expect(seen).toEqual([['', ['bruno'], [], [GENERAL]]])
  expect(errors.map(({ code }) => code)).toEqual(['message_missing'])
})

it('choices and files arrive, with what was left as it was', async () => {
  const { modal } = await emulator.interactions.use({ ...ada, command: 'choose' })
  const proof = [
    { filename: 'a.txt', content_type: 'text/plain', data: Buffer.from('one').toString('base64') },
  ]
  const values = { maps: ['moor', 'moon'], days: ['moon'], proof }
  expect(await emulator.interactions.submit({ ...ada, modal: modal?.id ?? '', values })).toMatchObject({
    kind: 'message',
  })
  expect(seen).toEqual([
    ['choices:42', expect.arrayContaining(['moor', 'moon']), undefined, ['moon'], true, [['a.txt', 3]]],
  ])
  expect(errors).toEqual([])
})
