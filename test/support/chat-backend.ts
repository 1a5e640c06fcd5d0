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
  respond: (answer: (interaction: Received) => Reply) => void
  close: () => Promise<void>
}

const FILES = ['picture', 'download'].map((name) => ({ type: 11, name, description: 'A file' }))
const COMMANDS = [
  { name: 'store', description: 'Store files', options: FILES },
  ...['show', 'form'].map((name) => ({ name, description: 'Show a part' })),
]

const STORED: (interaction: Received) => Reply = () => ({ type: 4, data: { content: 'Stored', flags: 64 } })

export async function openChatBackend(): Promise<ChatBackend> {
  const emulator = await createEmulator({ commands: { globalDelay: 0 } })
  let answer = STORED
  const backend = await serveBackend(emulator, (interaction) => answer(interaction))
  await emulator.interactions.connect(backend.url)
  for (const definition of COMMANDS) await register(emulator, definition)
  const values = [upload('field.png', 'image/png', drawPicture()), upload('rules.txt', 'text/plain', Buffer.from('One at a time.'))]
  const options = values.map((value, index) => ({ name: FILES[index]?.name ?? '', value }))
  await emulator.interactions.use({ as: 'zoe', command: 'store', options })
  const stored = Object.values(backend.received.at(-1)?.data.resolved?.['attachments'] ?? {})
  const named = (name: string) => ({ ...stored.find(({ filename }) => filename === name) })
  return {
    emulator,
    files: { picture: named('field.png'), download: named('rules.txt') },
    received: backend.received,
    show: async (data, as = 'ada') => {
      answer = () => ({ type: 4, data: { ...data } })
      return emulator.interactions.use({ as, command: 'show' })
    },
    respond: (next) => {
      answer = next
    },
    close: async () => void (await Promise.all([emulator.close(), backend.close()])),
  }
}

function upload(filename: string, contentType: string, bytes: Buffer) {
  return { filename, content_type: contentType, data: bytes.toString('base64') }
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
