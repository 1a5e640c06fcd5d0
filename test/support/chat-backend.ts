/** An emulator whose backend responds with raw messages and modals, and two files that the emulator serves. */
import { createEmulator, type Emulator, type Outcome } from 'foyer-emulator'
import { crc32, deflateSync } from 'node:zlib'
import { type Received, type Reply, serveBackend } from '../emulator/support/backend'
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
const sentFile = (id: number, { filename, type, bytes }: { filename: string; type: string; bytes: Uint8Array<ArrayBuffer> }) => ({
  described: { id, filename, url: `attachment://${filename}` },
  blob: new Blob([bytes], { type }),
})

const FILES = [
  sentFile(0, { filename: 'field.png', type: 'image/png', bytes: new Uint8Array(drawPicture()) }),
  sentFile(1, { filename: 'rules.txt', type: 'text/plain', bytes: new TextEncoder().encode('One at a time.') }),
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
  const described = attachments.map(({ id: index }) => FILES[index]?.described).map((file) => ({ id: file?.id, filename: file?.filename }))
  const form = new FormData()
  form.set('payload_json', JSON.stringify({ type: 4, data: { ...data, attachments: described } }))
  for (const { described: file, blob } of FILES.slice(0, described.length)) form.set(`files[${file.id}]`, blob, file.filename)
  const response = await fetch(`${url}/api/v10/interactions/${id}/${token}/callback`, { method: 'POST', body: form })
  if (!response.ok) throw new Error(`The message was refused: ${await response.text()}`)
  return { status: 202 }
}

async function register({ url, application }: Emulator, definition: object): Promise<void> {
  const headers = { authorization: `Bot ${application.botToken}`, 'content-type': 'application/json' }
  const body = JSON.stringify(definition)
  const response = await fetch(`${url}/api/v10/applications/${application.id}/commands`, { method: 'POST', headers, body })
  if (!response.ok) throw new Error(`The command was refused with ${response.status}.`)
}

/** A gradient of 320 by 180 pixels, as PNG. */
function drawPicture(): Buffer {
  const [width, height] = [320, 180]
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: width }, (_column, x) => [60 + x / 4, 150 - y / 2, 80 + y / 3]).flat()]),
  )
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width, 0)
  size.writeUInt32BE(height, 4)
  size.set([8, 2], 8)
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', size),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
