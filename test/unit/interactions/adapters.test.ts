/** The endpoint behind a server, joined as docs/interactions.md shows it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { Sender, Signer, PING } from './sender'

const toRequest = (message: IncomingMessage): Request => {
  const init: RequestInit & { duplex: 'half' } = {
    method: message.method ?? 'GET',
    headers: Object.entries(message.headers).flatMap(([name, value]) => [value ?? []].flat().map((each): [string, string] => [name, each])),
    body: message.method === 'GET' || message.method === 'HEAD' ? null : (Readable.toWeb(message) as ReadableStream),
    duplex: 'half',
  }
  return new Request(new URL(message.url ?? '/', 'http://localhost'), init)
}

async function listen(sender: Sender): Promise<string> {
  const listener = async (message: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const response = await sender.handler(toRequest(message))
    answer.writeHead(response.status, Object.fromEntries(response.headers))
    answer.end(await response.text())
  }
  const server = createServer((message, answer) => void listener(message, answer))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/interactions`
}

/** The signed request again, to another address. */
async function send(url: string, request: Request): Promise<{ status: number; body: unknown }> {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => name !== 'content-length'))
  const response = await fetch(url, { method: 'POST', headers, body: await request.text() })
  return { status: response.status, body: await response.json() }
}

it('Node delivers the very bytes that were signed, and refuses what was not', async () => {
  const sender = new Sender(await Signer.create())
  const url = await listen(sender)
  expect(await send(url, await sender.request({ ...PING, note: 'é 日本' }))).toEqual({ status: 200, body: { type: 1 } })
  expect(await send(url, await sender.request(PING, { body: '{"type":1}' }))).toEqual({ status: 401, body: { reason: 'bad_signature' } })
  expect((await fetch(url)).status).toBe(401)
})
