/** Files of replies, follow-ups and edits, encoded by the SDK: read back from the emulator, and parsed by the platform's own parser. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import {
  ApplicationClient,
  botToken,
  createInteractionHandler,
  defineCommand,
  type MessageFile,
} from 'foyer-sdk/server'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { type Served, serveRequests } from '../support/serve-requests'

/** 10 MB, the largest that a message of an interaction may have. */
const SIZES = { empty: 0, small: 1_000_000, large: 10_000_000 }
const FILES: readonly MessageFile[] = Object.entries(SIZES).map(([name, size]) => ({
  name: `${name} "é".bin`,
  data: randomBytes(size),
}))
let emulator: Emulator
let client: ApplicationClient
let backend: Served
/** Bodies of responses, with the type that the SDK gives them. */
const responses: Response[] = []

const command = (name: string) => ({ name, description: 'Sends files' })
const commands = [
  defineCommand(command('reply'), () => ({ content: 'reply', files: FILES })),
  defineCommand(command('follow'), async (interaction) => {
    await interaction.reply('First')
    await interaction.followUp({ content: 'follow', files: FILES })
  }),
  defineCommand(command('edit'), async (interaction) => {
    await interaction.defer()
    await interaction.editReply({ content: 'edit', files: FILES })
  }),
]

beforeAll(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
  const { id: applicationId, publicKey, botToken: secret } = emulator.application
  const service = { host: emulator.url }
  client = new ApplicationClient({ applicationId, service, credentials: botToken(secret) })
  await client.commands.global.sync(commands.map(({ definition }) => definition))
  const handle = createInteractionHandler({ publicKey, commands, service })
  backend = await serveRequests(async (request) => {
    const response = await handle(request)
    responses.push(response.clone())
    return response
  })
  await emulator.interactions.connect(backend.url)
})
afterAll(async () => {
  client.close()
  await backend.close()
  await emulator.close()
})

const messageOf = (content: string) =>
  emulator.interactions.messages({ as: 'ada' }).find((message) => message.content === content)

it.each(['reply', 'follow', 'edit'])(
  'files of 0 B, 1 MB and 10 MB arrive as they were sent, by %s',
  async (name) => {
    // The service waits three seconds for a response. Files of this size take longer on a machine that does other things.
    const deadline = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
    onTestFinished(() => deadline.mockRestore())
    await emulator.interactions.use({ as: 'ada', command: name })
    await expect.poll(() => messageOf(name)?.attachments.length).toBe(FILES.length)
    const attachments = messageOf(name)?.attachments as { filename: string; size: number; url: string }[]
    expect(attachments.map(({ size }) => size)).toEqual(Object.values(SIZES))
    for (const [index, { url }] of attachments.entries()) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
      expect(bytes.equals(FILES[index]?.data as Buffer)).toBe(true)
    }
  },
)

it('the form parser of the platform reads the files of a response', async () => {
  await emulator.interactions.use({ as: 'ada', command: 'reply' })
  const form = await responses.at(-1)?.formData()
  const payload: unknown = form?.get('payload_json')
  expect(JSON.parse(typeof payload === 'string' ? payload : '')).toMatchObject({
    type: 4,
    data: { content: 'reply' },
  })
  for (const [index, { name, data }] of FILES.entries()) {
    const file = form?.get(`files[${index}]`) as File
    expect(file.name).toBe(name)
    expect(Buffer.from(await file.arrayBuffer()).equals(data as Buffer)).toBe(true)
  }
})

it('the bytes of a file are never written as JSON, which takes many times their size', async () => {
  let written = 0
  const data = Object.assign(new Uint8Array(4), { toJSON: () => written++ })
  const bodies: unknown[] = []
  const sender = new ApplicationClient({
    applicationId: '1234567890123456789',
    service: { host: emulator.url },
    credentials: botToken('token'),
    transport: ({ body }) => {
      bodies.push(body)
      const answer = { status: 200, header: () => null, text: '{"id":"1"}' }
      return { answer: Promise.resolve(answer), abort: () => undefined }
    },
  })
  onTestFinished(() => sender.close())
  const interaction = { id: '1' as never, application_id: '1234567890123456789' as never, token: 'token' }
  await sender.interactions.followUp(interaction, { content: 'file', files: [{ name: 'a.bin', data }] })
  expect(bodies).toEqual([expect.any(Uint8Array)])
  expect(written).toBe(0)
})
