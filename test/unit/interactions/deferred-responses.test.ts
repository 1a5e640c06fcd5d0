/** Responses that are deferred, launch an Activity, suggest values or open a form. */
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { defineCommand, type InteractionHandlerOptions, launchActivity } from 'foyer-sdk/server'
import {
  message,
  SORRY,
  UNAVAILABLE,
  ORIGINAL,
  hold,
  settle,
  deliverAfter,
  callback,
  typing,
} from './expected-responses'
import { APPLICATION, invocation, slash, TOKEN, Sender, Signer } from './signed-sender'

let signer: Signer

beforeAll(async () => {
  signer = await Signer.create()
})

const make = (options: Partial<InteractionHandlerOptions>) => new Sender(signer, options)

it('a runtime without waitUntil gets the response all the same', async () => {
  const sender = make({ commands: [defineCommand({ name: 'x', description: 'd' }, () => 'here')] })
  expect((await sender.handler(await sender.request(slash('x')), {})).status).toBe(200)
  expect((await sender.handler(await sender.request(slash('x')))).status).toBe(200)
})

it.each([
  ['the environment', {}],
  ['nothing', undefined],
])('a Worker that passes %s in place of its context is told what to pass', async (_, given) => {
  vi.stubGlobal('navigator', { userAgent: 'Cloudflare-Workers' })
  onTestFinished(() => void vi.unstubAllGlobals())
  const sender = make({ commands: [defineCommand({ name: 'x', description: 'd' }, () => 'x')] })
  const response = await sender.handler(await sender.request(slash('x')), given)
  expect(response.status).toBe(200)
  expect(sender.errors).toMatchObject([
    {
      code: 'handler_failed',
      message: expect.stringContaining('(request, env, context) => handle(request, context)') as string,
    },
  ])
})

it('a waitUntil without its object loses no answer, and is reported with what to pass', async () => {
  class Runtime {
    readonly #work: Promise<unknown>[] = []

    waitUntil(work: Promise<unknown>): void {
      this.#work.push(work)
    }
  }
  const sender = make({ commands: [defineCommand({ name: 'x', description: 'd' }, () => 'here')] })
  const unbound = { waitUntil: Runtime.prototype['waitUntil'] }
  const response = await sender.handler(await sender.request(slash('x')), unbound)
  expect([response.status, await response.json()]).toEqual([200, message('here').body])
  expect(sender.errors).toMatchObject([
    { code: 'handler_failed', message: expect.stringContaining('context.waitUntil(work)') as string },
  ])
})

describe('a slow handler', () => {
  it('is deferred before the service times out, and its reply replaces the placeholder', async () => {
    const { held, release } = hold()
    const slow = defineCommand({ name: 'slow', description: 'd' }, () => held.then(() => 'here'), {
      visibility: 'public',
    })
    const sender = make({ commands: [slow] })
    expect(await deliverAfter(sender, slash('slow'), 2000)).toEqual({ status: 200, body: { type: 5 } })
    release()
    await sender.finished()
    expect(sender.calls).toEqual([
      { method: 'PATCH', path: ORIGINAL, body: { content: 'here' }, authorization: null },
    ])
    expect(sender.codes).toEqual([])
    expect(sender.clock.waiting).toBe(0)
  })

  it('that fails replaces the placeholder with an error message', async () => {
    const { held, release } = hold()
    const slow = defineCommand({ name: 'slow', description: 'd' }, () =>
      held.then(() => Promise.reject(new Error('x'))),
    )
    const sender = make({ commands: [slow] })
    await deliverAfter(sender, slash('slow'), 2000)
    release()
    await sender.finished()
    expect(sender.calls).toMatchObject([
      { method: 'PATCH', body: { content: 'Something went wrong. Please try again.' } },
    ])
    expect(sender.codes).toEqual(['handler_failed'])
  })

  it('whose error message cannot be delivered either reports both failures', async () => {
    const { held, release } = hold()
    const slow = defineCommand({ name: 'slow', description: 'd' }, () =>
      held.then(() => Promise.reject(new Error('x'))),
    )
    const sender = make({ commands: [slow] })
    await deliverAfter(sender, slash('slow'), 2000)
    sender.answers.push(() => Response.json({ code: 50_001, message: 'Missing Access' }, { status: 403 }))
    release()
    await sender.finished()
    expect(sender.codes).toHaveLength(2)
    expect(sender.codes[0]).toBe('handler_failed')
  })

  it('gets an error reply if there is no service to call', async () => {
    const { held, release } = hold()
    const slow = defineCommand({ name: 'slow', description: 'd' }, () => held.then(() => 'late'))
    const sender = new Sender(signer, { commands: [slow] }, 'alone')
    expect(await deliverAfter(sender, slash('slow'), 2000)).toEqual(SORRY)
    release()
    await sender.finished()
    expect(sender.codes).toEqual(['too_slow'])
    expect(sender.errors[0]?.message).toContain('Pass service: { host } to createInteractionHandler')
  })

  it.each(['reply', 'defer', 'launchActivity'] as const)(
    'without a service is no mistake of a late %s',
    async (call) => {
      const { held, release } = hold()
      const slow = defineCommand({ name: 'slow', description: 'd' }, (interaction) =>
        held.then(() => (call === 'reply' ? interaction.reply('late') : interaction[call]())),
      )
      const sender = new Sender(signer, { commands: [slow] }, 'alone')
      await deliverAfter(sender, slash('slow'), 2000)
      release()
      await sender.finished()
      expect(sender.codes).toEqual(['too_slow'])
    },
  )

  it('of a component keeps the message until there is a new one', async () => {
    const { held, release } = hold()
    const sender = make({
      onComponent: async (interaction) => held.then(() => interaction.update('clicked')),
    })
    const click = { ...invocation({}), type: 3, data: { custom_id: 'again', component_type: 2 } }
    expect(await deliverAfter(sender, click, 2000)).toEqual({ status: 200, body: { type: 6 } })
    release()
    await sender.finished()
    expect(sender.calls).toMatchObject([{ method: 'PATCH', path: ORIGINAL, body: { content: 'clicked' } }])
  })

  it('has ended only when the calls that it did not await have their responses', async () => {
    const { held, release } = hold()
    const x = defineCommand({ name: 'x', description: 'd' }, (interaction) => {
      void interaction.reply('first').then(() => interaction.followUp('second'))
    })
    const sender = make({ commands: [x] })
    sender.answers.push(() => held.then(() => Response.json({ id: '1', content: 'second' })))
    await sender.deliver(slash('x'))
    const ended = sender.finished().then(() => 'ended')
    await expect.poll(() => sender.calls).toHaveLength(1)
    expect(await Promise.race([ended, settle().then(() => 'running')])).toBe('running')
    release()
    expect(await ended).toBe('ended')
  })

  it('cannot reply twice after a deferral, but may retry a failed reply', async () => {
    const x = defineCommand({ name: 'x', description: 'd' }, async (interaction) => {
      await interaction.defer()
      await interaction.reply('lost').catch(() => undefined)
      void interaction.reply('one')
      void interaction.reply('two')
    })
    const sender = make({ commands: [x] })
    sender.answers.push(() => Response.json({ code: 0, message: 'no' }, { status: 500 }))
    await sender.deliver(slash('x'))
    await sender.finished()
    expect(sender.calls.map(({ body }) => body)).toEqual([{ content: 'lost' }, { content: 'one' }])
    expect(sender.codes).toEqual(['handler_failed', 'already_answered'])
  })

  it('may defer by itself, visible to the player only', async () => {
    const x = defineCommand({ name: 'x', description: 'd' }, async (interaction) => {
      await interaction.defer({ ephemeral: true })
      return { content: 'here', embeds: [] }
    })
    const sender = make({ commands: [x] })
    expect(await sender.deliver(slash('x'))).toEqual({ status: 200, body: { type: 5, data: { flags: 64 } } })
    await sender.finished()
    expect(sender.calls).toMatchObject([
      { method: 'PATCH', path: ORIGINAL, body: { content: 'here', embeds: [] } },
    ])
  })
})

describe('later responses', () => {
  const talk = defineCommand({ name: 'talk', description: 'd' }, async (interaction) => {
    await interaction.reply('one')
    await interaction.followUp({ content: 'two', ephemeral: true })
    await interaction.editReply('three')
    await interaction.deleteReply()
  })

  it('follow up, edit and delete with the interaction token alone', async () => {
    const sender = make({ commands: [talk] })
    expect(await sender.deliver(slash('talk'))).toEqual(message('one'))
    await sender.finished()
    expect(sender.calls).toEqual([
      {
        method: 'POST',
        path: `/api/v10/webhooks/${APPLICATION}/${TOKEN}`,
        body: { content: 'two', flags: 64 },
        authorization: null,
      },
      { method: 'PATCH', path: ORIGINAL, body: { content: 'three' }, authorization: null },
      { method: 'DELETE', path: ORIGINAL, body: undefined, authorization: null },
    ])
    expect(sender.codes).toEqual([])
  })

  it('may be the last action of a handler, and keep the token inside its path segment', async () => {
    const x = defineCommand({ name: 'x', description: 'd' }, async (interaction) => {
      await interaction.launchActivity({ withResponse: true })
      return interaction.followUp('two')
    })
    const sender = make({ commands: [x] })
    sender.answers.push(() => Response.json({ interaction: { activity_instance_id: 'i-1' } }))
    const interaction = { ...slash('x'), token: 'a/../b?c' }
    await sender.deliver(interaction)
    await sender.finished()
    expect(sender.calls.map(({ path }) => path)).toEqual([
      `/api/v10/interactions/${interaction.id}/a%2F..%2Fb%3Fc/callback?with_response=true`,
      `/api/v10/webhooks/${APPLICATION}/a%2F..%2Fb%3Fc`,
    ])
    expect(sender.codes).toEqual([])
  })

  it('wait for the initial response', async () => {
    const sender = make({ commands: [talk] })
    sender.answers.push(() => Response.json({ code: 10_015, message: 'Unknown Webhook' }, { status: 404 }))
    await sender.deliver(slash('talk'))
    await settle()
    expect(sender.calls).toHaveLength(1)
    sender.clock.advance(200)
    await sender.finished()
    expect(sender.calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'PATCH', 'DELETE'])
    expect(sender.codes).toEqual([])
  })

  it('end after 15 minutes', async () => {
    const { held, release } = hold()
    const x = defineCommand({ name: 'x', description: 'd' }, async (interaction) => {
      await interaction.reply('one')
      await held
      await interaction.followUp('two')
    })
    const sender = make({ commands: [x] })
    await sender.deliver(slash('x'))
    sender.clock.advance(15 * 60_000)
    release()
    await sender.finished()
    expect(sender.calls).toEqual([])
    expect(sender.codes).toEqual(['token_expired'])
  })
})

describe('an Activity', () => {
  const entry = invocation({ name: 'Launch', type: 4 })

  it('is launched by the entry point', async () => {
    const sender = make({
      commands: [
        defineCommand({ type: 4, name: 'Launch', handler: 1 }, (interaction) => interaction.launchActivity()),
      ],
    })
    expect(await sender.deliver(entry)).toEqual({ status: 200, body: { type: 12 } })
    expect(sender.calls).toEqual([])
  })

  it.each([
    [
      'the callback of the response',
      { interaction: { id: '1', type: 2, activity_instance_id: 'i-1-gc-2-3' } },
    ],
    [
      'the resource of the response',
      { interaction: { id: '1', type: 2 }, resource: { type: 12, activity_instance: { id: 'i-1-gc-2-3' } } },
    ],
  ])('has its instance ID read from %s', async (_, response) => {
    const seen: string[] = []
    const launch = defineCommand({ type: 4, name: 'Launch', handler: 1 }, async (interaction) => {
      const { instanceId } = await launchActivity(interaction, { withResponse: true })
      seen.push(instanceId)
    })
    const sender = make({ commands: [launch] })
    sender.answers.push(() => Response.json(response))
    expect(await sender.deliver(entry)).toEqual({ status: 202, body: undefined })
    expect(seen).toEqual(['i-1-gc-2-3'])
    expect(sender.calls).toEqual([
      { method: 'POST', path: callback(entry.id), body: { type: 12 }, authorization: null },
    ])
  })

  it('may be the whole return value of its handler', async () => {
    const launch = defineCommand({ type: 4, name: 'Launch', handler: 1 }, (i) =>
      i.launchActivity({ withResponse: true }),
    )
    const sender = make({ commands: [launch] })
    sender.answers.push(() => Response.json({ interaction: { activity_instance_id: 'i-1' } }))
    expect(await sender.deliver(entry)).toEqual({ status: 202, body: undefined })
    await sender.finished()
    expect(sender.codes).toEqual([])
  })

  it('that the service rejects becomes an error reply', async () => {
    const launch = defineCommand({ type: 4, name: 'Launch', handler: 1 }, async (interaction) => {
      await interaction.launchActivity({ withResponse: true })
    })
    const sender = make({ commands: [launch] })
    sender.answers.push(() => Response.json({ code: 50_035, message: 'no Activity' }, { status: 400 }))
    expect(await sender.deliver(entry)).toEqual(SORRY)
    expect(sender.codes).toEqual(['handler_failed'])
  })

  it('that the service does not confirm in time is deferred while the handler continues', async () => {
    const { held, release } = hold()
    const launch = defineCommand({ type: 4, name: 'Launch', handler: 1 }, async (interaction) => {
      const { code } = await launchActivity(interaction, { withResponse: true }).catch((error) => error)
      await held
      return `not now: ${code}`
    })
    const sender = make({ visibility: 'public', commands: [launch] })
    sender.answers.push(() => new Promise<Response>(() => {}))
    expect(await deliverAfter(sender, entry, 2800)).toEqual({ status: 200, body: { type: 5 } })
    release()
    await sender.finished()
    expect(sender.calls.at(-1)).toMatchObject({
      method: 'PATCH',
      path: ORIGINAL,
      body: { content: 'not now: timed_out' },
    })
  })

  it('is launched from a command, a component and a form', async () => {
    const play = defineCommand({ name: 'play', description: 'd' }, (interaction) =>
      launchActivity(interaction),
    )
    const sender = make({
      commands: [play],
      onComponent: (i) => launchActivity(i),
      onModal: (i) => i.launchActivity(),
    })
    const LAUNCHED = { status: 200, body: { type: 12 } }
    expect(await sender.deliver(slash('play'))).toEqual(LAUNCHED)
    expect(
      await sender.deliver({ ...invocation({}), type: 3, data: { custom_id: 'a', component_type: 2 } }),
    ).toEqual(LAUNCHED)
    expect(
      await sender.deliver({ ...invocation({}), type: 5, data: { custom_id: 'a', components: [] } }),
    ).toEqual(LAUNCHED)
  })

  it('that the service launches itself has and needs no handler', async () => {
    const configured = defineCommand({ type: 4, name: 'Launch', handler: 2 })
    expect(configured.routes.size).toBe(0)
    const sender = make({ commands: [configured] })
    expect(await sender.deliver(entry)).toEqual(UNAVAILABLE)
  })
})

describe('autocomplete', () => {
  const search = defineCommand(
    {
      name: 'airhorn',
      description: 'd',
      options: [
        { type: 3, name: 'variant', description: 'd', required: true, autocomplete: true },
        { type: 4, name: 'count', description: 'd', autocomplete: true },
        { type: 6, name: 'who', description: 'd' },
      ],
    },
    {
      run: ({ options }) => options.variant,
      autocomplete: {
        variant: async ({ value, options }) => [
          `${value}!`,
          { name: 'who', value: options.who?.id ?? 'nobody' },
        ],
        count: ({ value, options }) => (value === undefined ? [] : [value * 2, options.variant?.length ?? 0]),
      },
    },
  )

  it('suggests values for the focused option', async () => {
    const sender = make({ commands: [search] })
    const typed = [
      { type: 3, name: 'variant', value: 'data a', focused: true },
      { type: 6, name: 'who', value: '5' },
    ]
    const choices = [
      { name: 'data a!', value: 'data a!' },
      { name: 'who', value: '5' },
    ]
    expect(await sender.deliver(typing(typed))).toEqual({ status: 200, body: { type: 8, data: { choices } } })
    const count = [{ type: 4, name: 'count', value: 21, focused: true }]
    expect(await sender.deliver(typing(count))).toMatchObject({
      body: { data: { choices: [{ name: '42', value: 42 }, { value: 0 }] } },
    })
    const nothing = [{ type: 4, name: 'count', value: '', focused: true }]
    expect(await sender.deliver(typing(nothing))).toMatchObject({ body: { data: { choices: [] } } })
    expect(sender.codes).toEqual([])
  })

  it('suggests nothing if it fails, is late, or has no focused option', async () => {
    const NOTHING = { status: 200, body: { type: 8, data: { choices: [] } } }
    const options = [{ type: 3, name: 'a', description: 'd', autocomplete: true }] as const
    const definition = { name: 'airhorn', description: 'd', options } as const
    const focused = typing([{ type: 3, name: 'a', value: '', focused: true }])
    const failing = make({
      commands: [
        defineCommand(definition, {
          run: () => 'x',
          autocomplete: { a: (): Promise<string[]> => Promise.reject(new Error('x')) },
        }),
      ],
    })
    expect(await failing.deliver(focused)).toEqual(NOTHING)
    expect(await failing.deliver(typing([]))).toEqual(NOTHING)
    expect(await failing.deliver({ ...focused, data: { ...focused.data, name: 'other' } })).toEqual(NOTHING)
    expect(failing.codes).toEqual(['handler_failed', 'missing_option', 'unknown_command'])
    const late = make({
      commands: [
        defineCommand(definition, {
          run: () => 'x',
          autocomplete: { a: () => new Promise<string[]>(() => {}) },
        }),
      ],
    })
    expect(await deliverAfter(late, focused, 2500)).toEqual(NOTHING)
    expect(late.codes).toEqual(['too_slow'])
  })

  it('suggests values up to two and a half seconds after it was received', async () => {
    const { held, release } = hold()
    const options = [{ type: 3, name: 'a', description: 'd', autocomplete: true }] as const
    const slow = defineCommand(
      { name: 'airhorn', description: 'd', options },
      { run: () => 'x', autocomplete: { a: () => held.then(() => ['b']) } },
    )
    const sender = make({ commands: [slow] })
    const response = deliverAfter(sender, typing([{ type: 3, name: 'a', value: '', focused: true }]), 2499)
    await expect.poll(() => sender.clock.waiting).toBe(1)
    await settle()
    await settle()
    release()
    expect(await response).toMatchObject({ body: { data: { choices: [{ name: 'b' }] } } })
    expect(sender.codes).toEqual([])
  })

  it('drops suggestions beyond the service’s limits, since one of them invalidates all', async () => {
    const letters = 'x'.repeat(100)
    const suggestions = [
      '',
      `${letters}x`,
      { name: `${'😀'.repeat(100)}!`, value: letters },
      ...Array.from({ length: 40 }, (_, i) => `${i}`),
    ]
    const many = defineCommand(
      {
        name: 'airhorn',
        description: 'd',
        options: [{ type: 3, name: 'a', description: 'd', autocomplete: true }],
      },
      { run: () => 'x', autocomplete: { a: () => suggestions } },
    )
    const { body } = await make({ commands: [many] }).deliver(
      typing([{ type: 3, name: 'a', value: '', focused: true }]),
    )
    const { choices } = (body as { data: { choices: unknown[] } }).data
    expect(choices).toHaveLength(25)
    expect(choices.slice(0, 2)).toEqual([
      { name: '😀'.repeat(100), value: letters },
      { name: '0', value: '0' },
    ])
  })
})

describe('a form', () => {
  it('opens as the initial response', async () => {
    const modal = { custom_id: 'm', title: 'Name', components: [{ type: 10, content: 'Who?' }] } as const
    const ask = defineCommand({ name: 'ask', description: 'd' }, (interaction) =>
      interaction.showModal(modal),
    )
    expect(await make({ commands: [ask] }).deliver(slash('ask'))).toEqual({
      status: 200,
      body: { type: 9, data: modal },
    })
  })

  it('without a handler is an unknown route', async () => {
    const sender = make({})
    await sender.deliver({ ...invocation({}), type: 5, data: { custom_id: 'm', components: [] } })
    expect(sender.codes).toEqual(['unknown_route'])
  })
})
