/** Endpoint of a backend that answers later: it hands over each interaction, whose response then is an API call of its own. */
import { createPublicKey, verify } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { fieldsOf, textOf } from '../../foundation/values.js'

export interface InteractionEndpoint {
  url: string
  /** Resolves with id and token of the next interaction. */
  next: () => Promise<OpenInteraction>
  close: () => void
}

export interface OpenInteraction {
  id: string
  token: string
}

/** @param publicKey returns the application's key in hexadecimal, once it is known. */
export async function startInteractionEndpoint(publicKey: () => string): Promise<InteractionEndpoint> {
  let take: ((interaction: OpenInteraction) => void) | undefined
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming)
    if (!isSigned(incoming, body, publicKey())) return void outgoing.writeHead(401).end()
    const { type, id, token } = fieldsOf(JSON.parse(body.toString()))
    if (type === 1)
      return void outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{"type":1}')
    outgoing.writeHead(202).end()
    take?.({ id: textOf(id) ?? '', token: textOf(token) ?? '' })
  }
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : address}/interactions`,
    next: () =>
      new Promise((resolve) => {
        take = resolve
      }),
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isSigned({ headers }: IncomingMessage, body: Buffer, publicKey: string): boolean {
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') },
    format: 'jwk',
  })
  const signed = Buffer.concat([Buffer.from(String(headers['x-signature-timestamp'])), body])
  return verify(null, signed, key, Buffer.from(String(headers['x-signature-ed25519']), 'hex'))
}
