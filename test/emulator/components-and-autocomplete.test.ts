/** Autocomplete, components, forms and entry points. */
import { describe, expect, it } from 'vitest'
import { bruno, general, greet, hello, tavern, useInteractions } from './support/use-interactions'

const harness = useInteractions()

describe('autocomplete', () => {
  const options = [
    { type: 3, name: 'map', description: 'map', autocomplete: true, required: true },
    { type: 5, name: 'ranked', description: 'ranked', required: true },
    { type: 4, name: 'size', description: 'size', autocomplete: true },
  ]

  it('sends the focused option, the options filled in, and no missing ones', async () => {
    const { received } = await harness.connect(() => ({
      type: 8,
      data: { choices: [{ name: 'Moon', value: 'moon' }] },
    }))
    const { version } = await harness.register({ ...greet, options }, tavern)
    const typed = [
      { name: 'map', value: 'mo' },
      { name: 'size', value: 7 },
    ]
    const outcome = await harness.emulator.interactions.type({
      as: 'ada',
      command: 'greet',
      focused: 'map',
      options: typed,
    })
    expect(outcome).toEqual({ kind: 'choices', choices: [{ name: 'Moon', value: 'moon' }] })
    expect(received.at(-1)).toMatchObject({ type: 4, data: { name: 'greet', type: 1, version } })
    expect(received.at(-1)?.data.options).toEqual([
      { type: 3, name: 'map', value: 'mo', focused: true },
      { type: 4, name: 'size', value: 7 },
    ])
  })

  it('is requested for empty and partial strings, and not for a partial number', async () => {
    const { received } = await harness.connect(() => ({ type: 8, data: { choices: [] } }))
    await harness.register({ ...greet, options }, tavern)
    const kind = async (focused: string, value: string) =>
      (
        await harness.emulator.interactions.type({
          as: 'ada',
          command: 'greet',
          focused,
          options: [{ name: focused, value }],
        })
      ).kind
    expect([
      await kind('map', ''),
      await kind('map', 'm'),
      await kind('size', '1'),
      await kind('size', '1x'),
    ]).toEqual(['choices', 'choices', 'choices', 'refused'])
    expect(received.filter(({ type }) => type === 4)).toHaveLength(3)
  })
})

describe('half-typed input', () => {
  const size = { type: 4, name: 'size', description: 'size', autocomplete: true }

  it.each(['-', '1e', '0x10', '7x'])(
    '%j of an integer is held back, and sent as typed with `unchecked`',
    async (value) => {
      const { received } = await harness.connect(() => ({ type: 8, data: { choices: [] } }))
      await harness.register({ ...greet, options: [size] }, tavern)
      const typing = { as: 'ada', command: 'greet', focused: 'size', options: [{ name: 'size', value }] }
      const outcomes = [
        await harness.emulator.interactions.type(typing),
        await harness.emulator.interactions.type({ ...typing, unchecked: true }),
      ]
      expect(outcomes.map(({ kind }) => kind)).toEqual(['refused', 'choices'])
      const sent = received.filter(({ type }) => type === 4).map(({ data }) => data.options)
      expect(sent).toEqual([[{ type: 4, name: 'size', value, focused: true }]])
    },
  )
})

describe('components and forms', () => {
  const button = { type: 1, components: [{ type: 2, style: 1, label: 'Again', custom_id: 'again' }] }

  it('complete a cycle of press, update, form and submission', async () => {
    const { received } = await harness.connect(({ type, data }) => {
      if (type === 2) return { type: 4, data: { content: 'one', components: [button] } }
      if (type === 5) return { type: 4, data: { content: 'thanks' } }
      if (data.custom_id === 'again' && received.filter((one) => one.type === 3).length === 1)
        return { type: 7, data: { content: 'two' } }
      const input = { type: 1, components: [{ type: 4, custom_id: 'why', style: 1, label: 'Why' }] }
      return { type: 9, data: { custom_id: 'form', title: 'Why?', components: [input] } }
    })
    await harness.register(greet, tavern)
    const { message } = await harness.emulator.interactions.use({
      as: 'ada',
      channel: general,
      command: 'greet',
    })
    const order = { as: 'bruno', channel: general, message: message?.id ?? '', component: 'again' }
    expect(await harness.emulator.interactions.press(order)).toMatchObject({
      kind: 'updated',
      message: { id: message?.id, content: 'two' },
    })
    const { modal } = await harness.emulator.interactions.press(order)
    expect(modal).toMatchObject({ custom_id: 'form', title: 'Why?' })
    const submission = { as: 'bruno', channel: general, modal: modal?.id ?? '', values: { why: 'because' } }
    expect(await harness.emulator.interactions.submit(submission)).toMatchObject({
      kind: 'message',
      message: { content: 'thanks' },
    })
    expect(received.at(-1)).toMatchObject({
      type: 5,
      message: { id: message?.id },
      data: { custom_id: 'form', components: [{ components: [{ custom_id: 'why', value: 'because' }] }] },
    })
    expect(await harness.emulator.interactions.submit(submission)).toMatchObject({ kind: 'refused' })
  })

  it.each([
    ['7', { type: 7, data: { content: 'edited' } }],
    ['6', { type: 6 }],
  ])('type %s answers a form that a button opened, and none that a command opened', async (type, update) => {
    const input = { type: 18, label: 'Why', component: { type: 4, custom_id: 'why', style: 1 } }
    const form = { type: 9, data: { custom_id: 'form', title: 'Why?', components: [input] } }
    let opens = true
    await harness.connect((interaction) => {
      if (interaction.type === 5) return update
      return interaction.type === 2 && !opens
        ? { type: 4, data: { content: 'one', components: [button] } }
        : form
    })
    await harness.register(greet, tavern)
    const ada = { as: 'ada', channel: general }
    const submit = (modal = '') =>
      harness.emulator.interactions.submit({ ...ada, modal, values: { why: 'because' } })
    const fromCommand = await harness.emulator.interactions.use({ ...ada, command: 'greet' })
    const refused = await submit(fromCommand.modal?.id)
    expect(refused).toMatchObject({ kind: 'failed' })
    expect(refused.because).toContain(`${type} answers components, and forms that a component opened`)
    opens = false
    const { message } = await harness.emulator.interactions.use({ ...ada, command: 'greet' })
    const fromButton = await harness.emulator.interactions.press({
      ...ada,
      message: message?.id ?? '',
      component: 'again',
    })
    expect(await submit(fromButton.modal?.id)).toMatchObject({ kind: 'updated' })
  })

  it('are named to who presses one by its label', async () => {
    await harness.connect(() => ({ type: 4, data: { content: 'one', components: [button] } }))
    await harness.register(greet, tavern)
    const at = { as: 'ada', channel: general }
    const { message } = await harness.emulator.interactions.use({ ...at, command: 'greet' })
    const press = { ...at, message: message?.id ?? '', component: 'Again' }
    expect((await harness.emulator.interactions.press(press)).because).toContain(
      'component takes its custom_id, and there are: again',
    )
  })

  it('cannot be pressed by a player who does not see them', async () => {
    await harness.connect(() => ({ type: 4, data: { content: 'one', flags: 64, components: [button] } }))
    await harness.register(greet, tavern)
    const { message } = await harness.emulator.interactions.use({
      as: 'ada',
      channel: general,
      command: 'greet',
    })
    const order = { as: 'bruno', channel: general, message: message?.id ?? '', component: 'again' }
    expect(await harness.emulator.interactions.press(order)).toMatchObject({ kind: 'refused' })
  })
})

describe('an entry point', () => {
  it('with handler 2 launches without a request to the backend', async () => {
    const { received } = await harness.connect(() => hello)
    const outcome = await harness.emulator.interactions.use({
      as: 'ada',
      channel: general,
      command: 'Launch',
    })
    expect(outcome).toMatchObject({
      kind: 'activity',
      activity: {
        instanceId: expect.stringMatching(new RegExp(`^i-\\d+-gc-${tavern}-${general}$`)) as string,
      },
    })
    expect(received.map(({ type }) => type)).toEqual([1])
    expect(harness.emulator.interactions.messages({ as: 'bruno', channel: general })).toMatchObject([
      { content: 'Ada Quinn launched Example Game' },
    ])
  })

  it('with handler 1 calls the backend, which receives the instance that all in the channel share', async () => {
    const instances: unknown[] = []
    const { received } = await harness.connect(async ({ id, token }) => {
      const response = await harness.api('POST', `/interactions/${id}/${token}/callback?with_response=true`, {
        body: { type: 12 },
      })
      instances.push(await response.json())
      return { status: 202 }
    })
    const [launch] = (await (await harness.bot('GET', '/commands')).json()) as { id: string }[]
    await harness.bot('DELETE', `/commands/${launch?.id}`)
    await harness.register({ type: 4, name: 'Play', handler: 1 })
    const first = await harness.emulator.interactions.use({ as: 'ada', channel: general, command: 'Play' })
    const second = await harness.emulator.interactions.use({ as: 'bruno', channel: general, command: 'Play' })
    const id = first.activity?.instanceId ?? ''
    expect(second.activity?.instanceId).toBe(id)
    expect(received.at(-1)?.data).toMatchObject({ name: 'Play', type: 4 })
    await expect.poll(() => instances.length).toBe(2)
    expect(instances).toMatchObject(
      [1, 2].map(() => ({
        interaction: { activity_instance_id: id },
        resource: { type: 12, activity_instance: { id } },
      })),
    )
    const reply = await harness.bot('GET', `/activity-instances/${id}`)
    expect(await reply.json()).toMatchObject({
      instance_id: id,
      location: { kind: 'gc', guild_id: tavern, channel_id: general },
      users: [harness.emulator.users[0]?.id, bruno],
    })
    harness.emulator.advance(61_000)
    expect((await harness.bot('GET', `/activity-instances/${id}`)).status).toBe(404)
  })
})
