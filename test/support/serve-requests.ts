/** Runs a handler of the Request API behind a real HTTP server. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { listen } from './loopback'

export interface Served {
  url: string
  close: () => Promise<void>
}

export async function serveRequests(handle: (request: Request) => Promise<Response>): Promise<Served> {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const headers = new Headers(
      Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
    )
    const request = new Request('http://localhost/', {
      method: 'POST',
      headers,
      body: await buffer(incoming),
    })
    const { status, headers: own, body } = await handle(request)
    outgoing.writeHead(status, Object.fromEntries(own)).end(body ? await buffer(body) : '')
  }
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing))
  const { port, close } = await listen(server)
  return { url: `http://127.0.0.1:${port}/`, close }
}
