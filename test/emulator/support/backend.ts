/** A game’s backend that verifies with a public interactions library, and responds as a test configures it. */
import { verifyKey } from 'discord-interactions'
import type { Emulator } from 'foyer-emulator'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An interaction as received. */
export interface Received {
  id: string
  type: number
  token: string
  locale: string
  context: number
  guild_id?: string
  channel_id: string
  member?: { user: { id: string; username: string }; permissions: string }
  user?: { id: string }
  data: {
    id: string
    name: string
    type: number
    version?: string
    guild_id?: string
    target_id?: string
    custom_id?: string
    options?: { name: string; type: number; value?: unknown; focused?: boolean; options?: unknown[] }[]
    resolved?: Record<string, Record<string, Record<string, unknown>>>
    components?: unknown[]
  }
  message?: { id: string }
  authorizing_integration_owners: Record<string, string>
}

/** JSON for a response with 200; a status; or no response at all. */
export type Reply =
  Record<string, unknown> | { status: number; body?: string; contentType?: string } | 'silence'

export interface Backend {
  url: string
  /** Everything with a valid signature, including PINGs. */
  received: Received[]
  /** Requests with an invalid signature. */
  forged: number
  close: () => Promise<void>
}

export interface BackendOptions {
  /** False for a backend that accepts any signature. */
  verifies?: boolean
  ping?: Reply
}

export async function serveBackend(
  { application }: Pick<Emulator, 'application'>,
  answer: (interaction: Received) => Reply | Promise<Reply>,
  { verifies = true, ping = { type: 1 } }: BackendOptions = {},
): Promise<Backend> {
  const backend: Backend = { url: '', received: [], forged: 0, close: async () => undefined }
  const server = createServer((request, response) => {
    const take = async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const [signature, timestamp] = [
        String(request.headers['x-signature-ed25519']),
        String(request.headers['x-signature-timestamp']),
      ]
      if (!(await verifyKey(body, signature, timestamp, application.publicKey))) {
        backend.forged += 1
        if (verifies) return response.writeHead(401).end()
      }
      const interaction = JSON.parse(body.toString()) as Received
      backend.received.push(interaction)
      const reply = interaction.type === 1 ? ping : await answer(interaction)
      if (reply === 'silence') return undefined
      if (typeof reply['status'] === 'number') {
        const type = reply['contentType']
        return response
          .writeHead(reply['status'], typeof type === 'string' ? { 'content-type': type } : {})
          .end(reply['body'])
      }
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
    }
    take().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  backend.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/interactions`
  backend.close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections()
      server.close(() => resolve())
    })
  return backend
}
