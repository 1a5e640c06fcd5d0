/** Order and time of responses: which may follow which, what completes a deferral, and when a later call is repeated. */
import { beforeAll, describe, expect, it } from 'vitest'
import { defineCommand, type InteractionHandlerOptions } from 'foyer-sdk/server'
import { deliverAfter, hold, message, settle, SORRY, typing } from './expected-responses'
import { invocation, Sender, Signer, slash } from './signed-sender'

type OnComponent = NonNullable<InteractionHandlerOptions['onComponent']>
type Act = (interaction: Parameters<OnComponent>[0]) => Promise<unknown>

let signer: Signer

beforeAll(async () => {
  signer = await Signer.create()
})

const make = (options: Partial<InteractionHandlerOptions>) => new Sender(signer, options)
const click = () => ({ ...invocation({}), type: 3, data: { custom_id: 'again', component_type: 2 } })

/** Delivers a click; returns the response, the methods of the later calls, and the codes of all errors. */
async function outcomeOf(act: Act) {
  const sender = await senderAfter(act)
  return { response: sender.response, methods: sender.calls.map(({ method }) => method), codes: sender.codes }
}

async function senderAfter(act: Act) {
  const sender = make({ onComponent: async (interaction) => void (await act(interaction)) })
  const response = await sender.deliver(click())
  await sender.finished()
  return Object.assign(sender, { response })
}

const MODAL = { custom_id: 'm', title: 'Name', components: [] }

describe('a response', () => {
  it.each<[string, Act]>([
    ['reply', (interaction) => interaction.reply('two')],
    ['update', (interaction) => interaction.update('two')],
    ['defer', (interaction) => interaction.defer()],
    ['showModal', (interaction) => interaction.showModal(MODAL)],
    ['launchActivity', (interaction) => interaction.launchActivity()],
    ['launchActivity with its response', (interaction) => interaction.launchActivity({ withResponse: true })],
  ])('by %s is refused after the first one, and nothing is sent', async (_, act) => {
    const outcome = await outcomeOf(async (interaction) => {
      await interaction.reply('one')
      await act(interaction)
    })
    expect(outcome).toEqual({ response: message('one'), methods: [], codes: ['already_answered'] })
  })

  it.each<[string, Act]>([
    ['followUp', (interaction) => interaction.followUp('two')],
    ['editReply', (interaction) => interaction.editReply('two')],
    ['deleteReply', (interaction) => interaction.deleteReply()],
  ])('by %s is refused before the first one, and nothing is sent', async (_, act) => {
    expect(await outcomeOf(act)).toEqual({ response: SORRY, methods: [], codes: ['no_answer'] })
  })

  it.each<[string, Act]>([
    ['editReply', (interaction) => interaction.editReply('two')],
    ['deleteReply', (interaction) => interaction.deleteReply()],
  ])(
    'that is missing before %s is reported with the name of the call, and without a cause',
    async (name, act) => {
      const [error] = (await senderAfter(act)).errors
      expect(error?.message).toContain(name)
      expect(Object.hasOwn(error ?? {}, 'cause')).toBe(false)
    },
  )

  it('of each press of one button is its own, also while the first one is still open', async () => {
    const { held, release } = hold()
    const running = hold()
    let presses = 0
    const sender = new Sender(signer, {
      async onComponent(interaction) {
        const count = ++presses
        running.release()
        if (count === 1) await held
        await interaction.update(`press ${count}`)
      },
    })
    const press = () =>
      sender.deliver(
        invocation({ custom_id: 'a', component_type: 2 }, { type: 3, message: { id: '9', content: '' } }),
      )
    const first = press()
    await running.held
    expect(await press()).toEqual({ status: 200, body: { type: 7, data: { content: 'press 2' } } })
    release()
    expect(await first).toEqual({ status: 200, body: { type: 7, data: { content: 'press 1' } } })
    expect(sender.codes).toEqual([])
  })

  it('by update replaces the message of the component', async () => {
    const { response } = await outcomeOf((interaction) => interaction.update('new'))
    expect(response).toEqual({ status: 200, body: { type: 7, data: { content: 'new' } } })
  })
})

describe('a deferral', () => {
  it.each<[string, Act, string]>([
    ['followUp', (interaction) => interaction.followUp('here'), 'PATCH'],
    ['editReply', (interaction) => interaction.editReply('here'), 'PATCH'],
    ['deleteReply', (interaction) => interaction.deleteReply(), 'DELETE'],
  ])('is completed by %s, and by nothing else after it', async (_, act, method) => {
    const completed = await outcomeOf(async (interaction) => {
      await interaction.defer()
      await act(interaction)
    })
    expect(completed).toMatchObject({ methods: [method], codes: [] })
    const again = await outcomeOf(async (interaction) => {
      await interaction.defer()
      await act(interaction)
      await interaction.reply('again')
    })
    expect(again).toMatchObject({ methods: [method], codes: ['already_answered'] })
  })

  it('of a slow component keeps its message: a reply is a new one', async () => {
    const { held, release } = hold()
    const sender = make({ onComponent: () => held.then(() => 'late') })
    expect(await deliverAfter(sender, click(), 2000)).toEqual({ status: 200, body: { type: 6 } })
    release()
    await sender.finished()
    expect(sender.calls).toMatchObject([{ method: 'POST', body: { content: 'late' } }])
    expect(sender.codes).toEqual([])
  })

  it('comes two seconds after the request arrived, however long its verification took', async () => {
    const { held, release } = hold()
    const sender: Sender = make({
      commands: [defineCommand({ name: 'slow', description: 'd' }, () => held.then(() => 'here'))],
      replays: { seen: () => (sender.clock.advance(1500), false) },
    })
    const seen: unknown[] = []
    const delivered = sender.deliver(slash('slow')).then(({ body }) => seen.push(body))
    while (sender.clock.waiting === 0) await settle()
    sender.clock.advance(499)
    await settle()
    expect(seen).toEqual([])
    sender.clock.advance(1)
    await delivered
    expect(seen).toEqual([{ type: 5, data: { flags: 64 } }])
    release()
    await sender.finished()
  })

  it('of a launch that nothing confirms comes 2.8 seconds after the request arrived', async () => {
    const sender: Sender = make({
      onComponent: async (interaction) => void (await interaction.launchActivity({ withResponse: true })),
      replays: { seen: () => (sender.clock.advance(1000), false) },
    })
    sender.answers.push(() => new Promise<Response>(() => {}))
    const seen: unknown[] = []
    const delivered = sender.deliver(click()).then(({ body }) => seen.push(body))
    while (sender.calls.length === 0) await settle()
    sender.clock.advance(1799)
    await settle()
    expect(seen).toEqual([])
    sender.clock.advance(1)
    await delivered
    expect(seen).toEqual([{ type: 6 }])
  })

  it('that is not needed leaves no timer', async () => {
    const reply = defineCommand({ name: 'reply', description: 'd' }, () => 'here')
    const search = defineCommand(
      {
        name: 'airhorn',
        description: 'd',
        options: [{ type: 3, name: 'a', description: 'd', autocomplete: true }],
      },
      { run: () => 'x', autocomplete: { a: () => ['y'] } },
    )
    const sender = make({ commands: [reply, search] })
    await sender.deliver(slash('reply'))
    await sender.deliver(typing([{ type: 3, name: 'a', value: '', focused: true }]))
    await sender.finished()
    expect(sender.clock.waiting).toBe(0)
  })
})

const missing = () => Response.json({ code: 10_015, message: 'Unknown Webhook' }, { status: 404 })

/** A component that replies, and follows up after `release`. */
function followingUp() {
  const { held, release } = hold()
  const sender = make({
    onComponent: async (interaction) => {
      await interaction.reply('one')
      await held
      await interaction.followUp('two')
    },
  })
  return { sender, release }
}

describe('a later call', () => {
  it('that arrives before the first response is repeated until the three seconds for that are over', async () => {
    const { sender, release } = followingUp()
    sender.answers.push(...Array.from({ length: 6 }, () => missing))
    await sender.deliver(click())
    release()
    const received = sender.clock.now()
    const at: number[] = []
    for (let ms = 0; ms <= 4000; ms += 50) {
      for (let turn = 0; turn < 3; turn++) await settle()
      while (at.length < sender.calls.length) at.push(sender.clock.now() - received)
      sender.clock.advance(50)
    }
    await sender.finished()
    expect(at).toEqual([0, 200, 600, 1400, 2200, 3000])
    expect(sender.codes).toEqual(['handler_failed'])
  })

  it.each([
    [2999, 2],
    [3000, 1],
  ])('that finds nothing %i ms after the request is sent %i times', async (ms, times) => {
    const { sender, release } = followingUp()
    sender.answers.push(missing)
    await sender.deliver(click())
    sender.clock.advance(ms)
    release()
    await expect.poll(() => sender.calls.length).toBe(1)
    await settle()
    sender.clock.advance(200)
    await sender.finished()
    expect(sender.calls).toHaveLength(times)
  })

  it('that is refused otherwise is not repeated', async () => {
    const { sender, release } = followingUp()
    sender.answers.push(() => Response.json({ code: 50_035, message: 'no' }, { status: 400 }))
    await sender.deliver(click())
    release()
    await sender.finished()
    expect(sender.calls).toHaveLength(1)
    expect(sender.codes).toEqual(['handler_failed'])
  })

  it('is sent until the last moment of the interaction token', async () => {
    const { sender, release } = followingUp()
    await sender.deliver(click())
    sender.clock.advance(15 * 60_000 - 1)
    release()
    await sender.finished()
    expect(sender.calls).toHaveLength(1)
    expect(sender.codes).toEqual([])
  })
})
