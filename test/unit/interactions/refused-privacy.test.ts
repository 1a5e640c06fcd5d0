/** A text is for the player alone once a call that asked for it was refused: whichever call asked, and whichever call sends the text. */
import { beforeAll, describe, expect, it } from 'vitest'
import { defineCommand, type CommandInteraction } from 'foyer-sdk/server'
import { deliverAfter, hold } from './expected-responses'
import { Sender, Signer, slash } from './signed-sender'

let signer: Signer

beforeAll(async () => {
  signer = await Signer.create()
})

type Interaction = CommandInteraction

/** Every method that can ask for a private message, in a call that is refused when the placeholder is there. */
const WISHES: Record<string, (interaction: Interaction) => Promise<unknown>> = {
  defer: (interaction) => interaction.defer({ ephemeral: true }),
  reply: (interaction) => interaction.reply({ ephemeral: true, content: '' }),
  followUp: (interaction) => interaction.followUp({ ephemeral: true, content: 'x'.repeat(5000) }),
  editReply: (interaction) => interaction.editReply({ flags: 64, content: 'x'.repeat(5000) }),
  'a file that cannot be read': (interaction) =>
    interaction.reply({
      ephemeral: true,
      files: [
        {
          name: 'a.png',
          data: Object.assign(new Blob(), { arrayBuffer: () => Promise.reject(new Error('x')) }),
        },
      ],
    }),
}
const TEXTS: Record<string, (interaction: Interaction) => Promise<unknown>> = {
  editReply: (interaction) => interaction.editReply('secret'),
  reply: (interaction) => interaction.reply('secret'),
  followUp: (interaction) => interaction.followUp('secret'),
  'the result of the handler': async () => 'secret',
}

async function callsOf(
  wish: (interaction: Interaction) => Promise<unknown>,
  text: (interaction: Interaction) => Promise<unknown>,
) {
  const { held, release } = hold()
  const handle = async (interaction: Interaction) => {
    await held
    await wish(interaction).catch(() => undefined)
    const result = await text(interaction)
    return typeof result === 'string' ? result : undefined
  }
  const sender = new Sender(signer, {
    commands: [defineCommand({ name: 'x', description: 'd' }, handle as never, { visibility: 'public' })],
  })
  expect(await deliverAfter(sender, slash('x'), 2600)).toEqual({ status: 200, body: { type: 5 } })
  release()
  await sender.finished()
  return sender.calls
}

describe.each(Object.keys(WISHES))('after a refused wish by %s', (wish) => {
  it.each(Object.keys(TEXTS))('nobody else reads the text of %s', async (text) => {
    const calls = await callsOf(WISHES[wish] as never, TEXTS[text] as never)
    const withText = calls.filter(({ body }) => JSON.stringify(body ?? '').includes('secret'))
    expect(withText).toMatchObject([{ method: 'POST', body: { content: 'secret', flags: 64 } }])
  })
})

const arrayBuffer = () => new Promise<never>((_, reject) => setImmediate(() => reject(new Error('gone'))))

/** What a handler does before it sends a text, and before there is any response. */
const BEFORE: Record<string, (interaction: Interaction) => unknown> = {
  'defer(true)': (interaction) => interaction.defer(true as never),
  'defer with another name': (interaction) => interaction.defer({ private: true } as never),
  'a private deferral that was deleted': async (interaction) => {
    await interaction.defer({ ephemeral: true })
    await interaction.deleteReply()
  },
  'a private reply whose file cannot be read, which it does not await': (interaction) => {
    const data = Object.assign(new Blob(), { arrayBuffer })
    void interaction
      .reply({ ephemeral: true, content: 'a', files: [{ name: 'a.png', data }] })
      .catch(() => undefined)
  },
}

describe.each(Object.entries(BEFORE))('after %s', (_, before) => {
  it.each(['the result of the handler', 'a further message'])('nobody else reads %s', async (text) => {
    const handle = async (interaction: Interaction) => {
      try {
        await before(interaction)
      } catch {}
      if (text === 'the result of the handler') return 'secret'
      await interaction.followUp('secret').catch(() => interaction.reply('secret'))
      return undefined
    }
    const sender = new Sender(signer, {
      commands: [defineCommand({ name: 'x', description: 'd' }, handle as never)],
    })
    const { body } = await sender.deliver(slash('x'))
    await sender.finished()
    const sent = [body, ...sender.calls.map((call) => call.body)].filter((each) =>
      JSON.stringify(each ?? '').includes('secret'),
    )
    const isSent = text === 'a further message' || sent.length > 0
    expect([sent.length, sent.every((each) => JSON.stringify(each).includes('"flags":64'))]).toEqual([
      Number(isSent),
      true,
    ])
  })
})

it('has every method that takes a visibility', () => {
  const methods = ['reply', 'followUp', 'editReply', 'update', 'defer']
  expect(methods.filter((name) => !(name in WISHES))).toEqual(['update'])
})

it('a message that asks to be public still is', async () => {
  const calls = await callsOf(WISHES['defer'] as never, (interaction) =>
    interaction.reply({ content: 'open', ephemeral: false }),
  )
  expect(calls).toMatchObject([{ method: 'PATCH', body: { content: 'open' } }])
})
