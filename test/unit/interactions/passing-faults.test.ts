/** Passing faults of the service at every call: the player reads the handler's answer once. In virtual time. */
import { createServer } from 'node:http'
import {
  type CommandInteraction,
  createInteractionHandler,
  defineCommand,
  type InteractionError,
} from 'foyer-sdk/server'
import { beforeAll, describe, expect, it } from 'vitest'
import { listen } from '../../support/loopback'
import { ChannelModel, type Fault, JumpingClock } from './channel-model'
import { Sender, Signer, slash } from './signed-sender'

type Act = (interaction: CommandInteraction) => unknown

let signer: Signer
beforeAll(async () => {
  signer = await Signer.create()
})

const FAULTS: readonly Fault[] = ['429', '502', '503', 'closed', 'timeout', 'lost']
const TIMES = FAULTS.flatMap((fault) => [1, 2].map((times): [Fault, number] => [fault, times]))
/** The service has said that it did nothing, or its answer comes from before it. */
const KNOWN: ReadonlySet<Fault> = new Set(['429', '502', '503'])

async function outcomeOf(act: Act, method: string, list: Fault[]) {
  const clock = new JumpingClock()
  const model = new ChannelModel(clock, { callDelay: 20, faults: { method, list } })
  const errors: InteractionError[] = []
  const handler = createInteractionHandler({
    publicKey: signer.publicKey,
    commands: [
      defineCommand({ name: 'x', description: 'd' }, async (interaction) => void (await act(interaction))),
    ],
    service: { host: 'https://service.example' },
    errorMessage: () => 'Something went wrong.',
    onError: (error) => errors.push(error),
    clock,
    fetch: model.fetch,
  })
  await model.deliver(handler, await new Sender(signer, { clock }).request(slash('x')))
  return { shown: model.current, codes: errors.map(({ code }) => code), calls: model.calls }
}

const deferThenReply: Act = async (interaction) => {
  await interaction.defer()
  await interaction.reply('the answer')
}
const deferThenFollowUp: Act = async (interaction) => {
  await interaction.defer()
  await interaction.followUp('the answer')
}
const replyThenEdit: Act = async (interaction) => {
  await interaction.reply('one')
  await interaction.editReply('the answer')
}
const replyThenDelete: Act = async (interaction) => {
  await interaction.reply('one')
  await interaction.deleteReply()
}
const replyThenFollowUp: Act = async (interaction) => {
  await interaction.reply('one')
  await interaction.followUp('the answer')
}
const privately: Act = async (interaction) => {
  await interaction.defer()
  await interaction.reply({ content: 'the answer', ephemeral: true })
}

describe.each(TIMES)('%s, %i times', (fault, times) => {
  const list = () => Array.from({ length: times }, () => fault)

  it('at a reply after a deferral: the player reads it once', async () => {
    expect(await outcomeOf(deferThenReply, 'PATCH', list())).toMatchObject({
      shown: ['the answer'],
      codes: [],
    })
  })

  it('at a follow-up that completes a deferral: the player reads it once', async () => {
    expect(await outcomeOf(deferThenFollowUp, 'PATCH', list())).toMatchObject({
      shown: ['the answer'],
      codes: [],
    })
  })

  it('at an edit: the player reads it once', async () => {
    expect(await outcomeOf(replyThenEdit, 'PATCH', list())).toMatchObject({
      shown: ['the answer'],
      codes: [],
    })
  })

  it('at a deletion: the message is gone, also that of a placeholder before a private reply', async () => {
    expect(await outcomeOf(replyThenDelete, 'DELETE', list())).toMatchObject({ shown: [], codes: [] })
    expect(await outcomeOf(privately, 'DELETE', list())).toMatchObject({ shown: ['the answer'], codes: [] })
  })

  it('at a further message: never twice, and once if the service did not take it', async () => {
    const { shown, codes, calls } = await outcomeOf(replyThenFollowUp, 'POST', list())
    const isKnown = KNOWN.has(fault)
    expect(shown).toEqual(isKnown || fault === 'lost' ? ['one', 'the answer'] : ['one'])
    expect(codes).toEqual(isKnown ? [] : ['handler_failed'])
    expect(calls).toHaveLength(isKnown ? times + 1 : 1)
  })
})

it('a further message over a real connection that is closed rejects, and is not sent again', async () => {
  let received = 0
  const server = createServer((request) => {
    received += 1
    request.socket.destroy()
  })
  const { port, close } = await listen(server)
  const failures: unknown[] = []
  const x = defineCommand({ name: 'x', description: 'd' }, async (interaction) => {
    await interaction.reply('one')
    await interaction.followUp('two').catch((error: unknown) => failures.push(error))
  })
  const sender = new Sender(signer, {
    commands: [x],
    service: { host: `http://127.0.0.1:${port}` },
    fetch: globalThis.fetch,
  })
  try {
    await sender.send(slash('x'))
    await sender.finished()
    expect(failures).toEqual([expect.objectContaining({ name: 'NetworkError', code: 'connection_failed' })])
    expect(received).toBe(1)
  } finally {
    await close()
  }
})

it('an answer whose confirmation never comes is not overwritten by an error', async () => {
  const lost: Fault[] = ['lost', 'lost', 'lost']
  expect(await outcomeOf(deferThenReply, 'PATCH', lost)).toMatchObject({
    shown: ['the answer'],
    codes: ['handler_failed'],
  })
})

it('an answer that never arrived is replaced by the error message', async () => {
  const closed: Fault[] = ['closed', 'closed', 'closed']
  expect(await outcomeOf(deferThenReply, 'PATCH', closed)).toMatchObject({
    shown: ['Something went wrong.'],
    codes: ['handler_failed'],
  })
})

it('a wait beyond the 15 minutes of the token ends at once', async () => {
  const sender = new Sender(signer, {
    commands: [
      defineCommand({ name: 'x', description: 'd' }, async (interaction) => {
        await interaction.defer()
        await interaction.reply('the answer')
      }),
    ],
  })
  sender.answers.push(() =>
    Response.json({ retry_after: 901 }, { status: 429, headers: { 'retry-after': '901' } }),
  )
  await sender.deliver(slash('x'))
  await sender.finished()
  expect(sender.errors[0]).toMatchObject({
    code: 'handler_failed',
    cause: { code: 'rate_limited', retryAfter: 901_000 },
  })
})
