/** An emulator whose backend responds with raw messages and modals, and two files that the emulator serves. */
import { createEmulator, type Emulator, type Outcome } from 'foyer-emulator'
import { type Received, type Reply, serveBackend } from '../emulator/support/backend'
import { drawPng } from './draw-png'
import type { ServedFiles } from './screens/chat-parts'

export interface ChatBackend {
  emulator: Emulator
  files: ServedFiles
  received: Received[]
  /** Uses a command as a player, and responds with this message. */
  show: (data: object, as?: string) => Promise<Outcome>
  /** Responds so to further interactions. */
  respond: (answer: Answer) => void
  close: () => Promise<void>
}

type Answer = (interaction: Received) => Reply | Promise<Reply>

const COMMANDS = ['show', 'form'].map((name) => ({ name, description: 'Show a part' }))

const STORED: Answer = () => ({ type: 4, data: { content: 'Stored', flags: 64 } })

/** A file with the fields by which a message refers to it. */
const sentFile = (
  id: number,
  { filename, type, bytes }: { filename: string; type: string; bytes: Uint8Array<ArrayBuffer> },
) => ({
  described: { id, filename, url: `attachment://${filename}` },
  blob: new Blob([bytes], { type }),
})

/** A gradient. */
const PICTURE = drawPng({ width: 320, height: 180, colour: (x, y) => [60 + x / 4, 150 - y / 2, 80 + y / 3] })

const FILES = [
  sentFile(0, { filename: 'field.png', type: 'image/png', bytes: new Uint8Array(PICTURE) }),
  sentFile(1, {
    filename: 'rules.txt',
    type: 'text/plain',
    bytes: new TextEncoder().encode('One at a time.'),
  }),
] as const

export async function openChatBackend(): Promise<ChatBackend> {
  const emulator = await createEmulator({ commands: { globalDelay: 0 } })
  let answer: Answer = STORED
  const backend = await serveBackend(emulator, (interaction) => answer(interaction))
  await emulator.interactions.connect(backend.url)
  for (const definition of COMMANDS) await register(emulator, definition)
  return {
    emulator,
    files: { picture: FILES[0].described, download: FILES[1].described },
    received: backend.received,
    show: async (data, as = 'ada') => {
      answer = (interaction) => respondWithFiles(emulator, interaction, data)
      return emulator.interactions.use({ as, command: 'show' })
    },
    respond: (next) => {
      answer = next
    },
    close: async () => void (await Promise.all([emulator.close(), backend.close()])),
  }
}

/** Responds by a call, with the files that the message describes. */
async function respondWithFiles({ url }: Emulator, { id, token }: Received, data: object): Promise<Reply> {
  const { attachments = [] } = data as { attachments?: { id: number }[] }
  const described = attachments
    .map(({ id: index }) => FILES[index]?.described)
    .map((file) => ({ id: file?.id, filename: file?.filename }))
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ type: 4, data: { ...data, attachments: described } }))
  for (const { described: file, blob } of FILES.slice(0, described.length))
    form.set(`files[${file.id}]`, blob, file.filename)
  const response = await fetch(`${url}/api/v10/interactions/${id}/${token}/callback`, {
    method: 'POST',
    body: form,
  })
  if (!response.ok) throw new Error(`The message was refused: ${await response.text()}`)
  return { status: 202 }
}

async function register({ url, application }: Emulator, definition: object): Promise<void> {
  const headers = { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify(definition)
  const response = await fetch(`${url}/api/v10/applications/${application.id}/commands`, {
    method: 'POST',
    headers,
    body,
  })
  if (!response.ok) throw new Error(`The command was refused with ${response.status}.`)
}
