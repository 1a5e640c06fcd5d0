/** The emulator and messages, over HTTP: refuses the wrong ones with the service's error, and reads the right ones back. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { errorPaths } from '../emulator/commands/command-client.js'
import { serveBackend, type Backend, type Received } from '../emulator/support/backend'
import { general, hello, tavern } from '../emulator/support/use-interactions'
import { type MessageCase, RIGHT, WRONG, type WrongCase } from './messages'

let emulator: Emulator
let backend: Backend
/** What the backend does with an interaction; true if it was answered by a call. */
let act: (interaction: Received) => Promise<boolean> = async () => false

beforeAll(async () => {
  emulator = await createEmulator({ commands: { globalDelay: 0 } })
  backend = await serveBackend(emulator, async (interaction) =>
    (await act(interaction)) ? { status: 202 } : hello,
  )
  await emulator.interactions.connect(backend.url)
  const { id, botToken } = emulator.application
  await fetch(`${emulator.url}/api/v10/applications/${id}/guilds/${tavern}/commands`, {
    method: 'POST',
    headers: { authorization: `Bot ${botToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'greet', description: 'Say hello' }),
  })
})
afterAll(async () => {
  await emulator.close()
  await backend.close()
})

/** The platform's own encoding of a form, which shares nothing with the SDK's. */
function bodyOf(value: unknown, files: MessageCase['files'] = []): RequestInit {
  if (files.length === 0)
    return { body: JSON.stringify(value), headers: { 'content-type': 'application/json' } }
  const form = new FormData()
  form.set('payload_json', JSON.stringify(value))
  for (const [index, { name, data }] of files.entries()) form.set(`files[${index}]`, new Blob([data]), name)
  return { body: form }
}

const send = (method: string, path: string, init: RequestInit) =>
  fetch(`${emulator.url}/api/v10${path}`, { method, ...init })
const TYPES = { create: 4, edit: 7, modal: 9 }

interface Answer {
  status: number
  body: unknown
}

/** Runs a command whose backend does this, and waits for both: the player sees the answer before the call has returned. */
async function run(work: (interaction: Received) => Promise<Answer>): Promise<Answer & { outcome: unknown }> {
  const answered = new Promise<Answer>((resolve, reject) => {
    act = async (interaction) => {
      const answer = await work(interaction).catch(reject)
      if (answer) resolve(answer)
      return answer !== undefined && answer.status < 400
    }
  })
  const outcome = await emulator.interactions.use({ as: 'ada', channel: general, command: 'greet' })
  return { ...(await answered), outcome }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Sends a case as the first response. */
const respond = ({ kind, body, files }: MessageCase) =>
  run(async ({ id, token }) =>
    answerOf(
      await send(
        'POST',
        `/interactions/${id}/${token}/callback`,
        bodyOf({ type: TYPES[kind], data: body }, files),
      ),
    ),
  )

/** Sends a case as an edit of a deferred response, or as a follow-up. */
const later = ({ kind, body, files }: MessageCase) =>
  run(async ({ id, token }) => {
    await send('POST', `/interactions/${id}/${token}/callback`, bodyOf({ type: 5 }))
    const path = `/webhooks/${emulator.application.id}/${token}`
    if (kind === 'edit')
      return answerOf(await send('PATCH', `${path}/messages/@original`, bodyOf(body, files)))
    await send('PATCH', `${path}/messages/@original`, bodyOf({ content: 'x' }))
    return answerOf(await send('POST', path, bodyOf(body, files)))
  })

/** `$.data.embeds[0]` in the notation of the SDK. */
const plain = (path: string) => path.replace(/^\$\.?/, '')

/** Status, error code, and whether the error is at this place. */
const refusalOf = ({ status, body }: Answer, path: string) => {
  const { code } = body as { code: number }
  return { status, code, isAtPlace: path === '' || errorPaths(body).map(plain).includes(path) }
}

const refusedAs = ({ path }: WrongCase) => ({
  status: 400,
  code: path === '' ? 50_006 : 50_035,
  isAtPlace: true,
})

describe('the emulator', () => {
  it.each(WRONG.filter(({ kind }) => kind !== 'edit'))(
    'refuses $rule as a response, with the rule',
    async (wrong) => {
      expect(refusalOf(await respond(wrong), wrong.path && `data.${wrong.path}`)).toEqual(refusedAs(wrong))
    },
  )

  it.each(WRONG.filter(({ kind }) => kind !== 'modal'))(
    'refuses $rule as a follow-up or an edit, with the rule',
    async (wrong) => {
      expect(refusalOf(await later(wrong), wrong.path)).toEqual(refusedAs(wrong))
    },
  )

  it.each(RIGHT.filter(({ kind }) => kind === 'modal'))('opens $rule', async (right) => {
    expect(await respond(right)).toMatchObject({ status: 204, outcome: { kind: 'modal', modal: right.body } })
  })

  it.each(RIGHT.filter(({ kind }) => kind === 'create'))(
    'accepts $rule, and reads it back',
    async (right) => {
      const { status, outcome } = await respond(right)
      const [message] = emulator.interactions.messages({ as: 'ada', channel: general }).slice(-1)
      expect([status, outcome]).toMatchObject([204, { kind: 'message', message: { id: message?.id } }])
      expect(readBack(message)).toMatchObject(expectedOf(right))
      const sent = await Promise.all(
        ((message?.attachments ?? []) as { url: string }[]).map(async ({ url }) =>
          Buffer.from(await (await fetch(url)).arrayBuffer()),
        ),
      )
      expect(
        sent.map((bytes, index) => Buffer.compare(bytes, right.files?.[index]?.data ?? Buffer.from('?'))),
      ).toEqual((right.files ?? []).map(() => 0))
    },
  )

  it.each(RIGHT.filter(({ kind }) => kind !== 'modal'))('accepts $rule later', async (right) => {
    expect(await later(right)).toMatchObject({
      status: 200,
      body: { id: expect.stringMatching(/^\d+$/) as string },
    })
  })
})

/** Addresses of files instead of references to them. */
function readBack(message: unknown): unknown {
  return JSON.parse(
    JSON.stringify(message).replaceAll(/http:\/\/[^"]+\/attachments\/\d+\/\d+\/([^"]+)/g, 'attachment://$1'),
  )
}

function expectedOf({ body, files = [] }: MessageCase): object {
  const {
    allowed_mentions: _mentions,
    attachments = [],
    poll: _poll,
    ...message
  } = body as Record<string, unknown>
  const described = attachments as { id: number; description: string }[]
  return {
    ...message,
    attachments: files.map(({ name, data }, index) => {
      const description = described.find(({ id }) => id === index)?.description
      return { filename: name, size: data.length, ...(description !== undefined && { description }) }
    }),
  }
}
