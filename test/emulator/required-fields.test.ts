/** Fields that a description requires: every message that an application sees has them, whatever it responds to. */
import { describe, expect, it } from 'vitest'
import { readDescription } from '../support/emulator-internals'
import type { Received } from './support/backend'
import { general, greet, tavern, useInteractions } from './support/use-interactions'

const file = useInteractions()
const description = await readDescription('docs/interface/openapi.json')

/** The first field that is missing or of another type; undefined if there is none. */
const faultOf = (schema: string, value: unknown) =>
  description.faultOf(`/components/schemas/${schema}`, value)

const row = (component: object) => ({ type: 1, components: [component] })
const button = { type: 2, style: 1, label: 'More', custom_id: 'more' }
const modal = {
  custom_id: 'form',
  title: 'Form',
  components: [row({ type: 4, custom_id: 'name', label: 'Name', style: 1, required: false })],
}

/** Messages with everything that the service adds fields to. */
const MESSAGES: readonly [what: string, data: object][] = [
  ['a text', { content: 'hello' }],
  ['an embed', { embeds: [{ title: 'hello' }] }],
  ['a button', { content: 'hello', components: [row(button)] }],
  [
    'a select',
    {
      content: 'hello',
      components: [row({ type: 3, custom_id: 's', options: [{ label: 'a', value: 'a' }] })],
    },
  ],
  ['a poll', { poll: { question: { text: 'Which?' }, answers: [{ poll_media: { text: 'This' } }] } }],
  [
    'components of version 2',
    {
      flags: 32_768,
      components: [
        {
          type: 17,
          components: [
            { type: 9, components: [{ type: 10, content: 'hello' }], accessory: { ...button, id: 1 } },
            row({ ...button, custom_id: 'other' }),
          ],
        },
      ],
    },
  ],
]

/** Follow-ups and edits of an interaction that was answered, as the application sees them. */
async function messagesOf({ token }: Received, data: object): Promise<unknown[]> {
  const path = `/webhooks/${file.emulator.application.id}/${token}`
  const read = async (method: string, at: string, body?: unknown): Promise<unknown> =>
    (await file.api(method, path + at, { body })).json()
  return [
    await read('GET', '/messages/@original'),
    await read('POST', '', data),
    await read('PATCH', '/messages/@original', { content: null, embeds: [], ...data }),
  ]
}

describe('a message', () => {
  it.each(MESSAGES)('with %s has every field that the description requires', async (_, data) => {
    let received: Received | undefined
    await file.connect((interaction) => {
      received = interaction
      return { type: 4, data }
    })
    await file.register(greet, tavern)
    await file.emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' })
    const messages = await messagesOf(Object(received), { ...data, poll: undefined, content: 'text' })
    const flags = 'flags' in data ? [messages[0]] : messages
    expect(flags.map((message) => faultOf('Message', message))).toEqual(flags.map(() => undefined))
  })

  it('that answers a component or a form says which one, and who installed the application', async () => {
    const received: Received[] = []
    await file.connect((interaction) => {
      received.push(interaction)
      if (interaction.type === 2) return { type: 4, data: { content: 'hello', components: [row(button)] } }
      return interaction.type === 3 ? { type: 9, data: modal } : { type: 4, data: { content: 'thanks' } }
    })
    await file.register(greet, tavern)
    const at = { as: 'ada', channel: general }
    const { interactions } = file.emulator
    await interactions.use({ ...at, command: 'greet' })
    const [shown] = interactions.messages(at)
    const press = { ...at, message: shown?.id ?? '', component: 'more' }
    const outcome = await interactions.press(press)
    if (outcome.modal === undefined) throw new Error(outcome.because)
    await interactions.submit({ ...at, modal: outcome.modal.id, values: { name: 'Ada' } })
    const all = interactions.messages(at)
    expect(all.map((message) => faultOf('Message', message))).toEqual([undefined, undefined])
    expect(received.map(({ message }) => message && faultOf('Message', message))).toEqual(
      received.map(() => undefined),
    )
    expect(all[1]?.interaction_metadata).toMatchObject({
      type: 5,
      authorizing_integration_owners: { 0: tavern },
      triggering_interaction_metadata: { type: 3, interacted_message_id: shown?.id },
    })
    expect(faultOf('InteractionMetadata', all[1]?.interaction_metadata)).toBeUndefined()
  })

  it('lacks something if one of its fields is taken away: the description can fail', async () => {
    await file.connect(() => ({ type: 4, data: { content: 'hello', components: [row(button)] } }))
    await file.register(greet, tavern)
    await file.emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' })
    const [message] = file.emulator.interactions.messages({ as: 'ada', channel: general })
    for (const name of ['mentions', 'mention_roles', 'mention_everyone', 'pinned', 'tts', 'components'])
      expect(faultOf('Message', { ...message, [name]: undefined })).toMatchObject({
        message: expect.stringContaining('required'),
      })
    const { authorizing_integration_owners: _, ...rest } = message?.interaction_metadata ?? {}
    expect(faultOf('InteractionMetadata', rest)).toBeDefined()
  })
})
