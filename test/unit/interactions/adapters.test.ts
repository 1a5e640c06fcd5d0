/** The endpoint behind Node's server, with the very code that docs/interactions.md shows. */
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { InteractionHandler } from 'foyer-sdk/server'
import { expect, it, onTestFinished } from 'vitest'
import { Sender, Signer, PING } from './sender'

/** The listener as it stands in the docs, for a handler of the test's. */
async function documentedListener(handler: InteractionHandler): Promise<RequestListener> {
  const docs = readFileSync(new URL('../../../docs/interactions.md', import.meta.url), 'utf8')
  const [, block] = /```js\n\/\/ Node\n(.*?)createServer\(listener\)/s.exec(docs) ?? []
  if (block === undefined) throw new Error('The docs show no listener.')
  const module = `export let handle; export const use = (given) => void (handle = given)\n${block}`
  const { listener, use } = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(module)}`)
  use(handler)
  return listener
}

async function listen(sender: Sender): Promise<number> {
  const server = createServer(await documentedListener(sender.handler))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** The signed request again, to another address. */
async function send(port: number, request: Request): Promise<{ status: number; body: unknown }> {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => name !== 'content-length'))
  const response = await fetch(`http://127.0.0.1:${port}/interactions`, { method: 'POST', headers, body: await request.text() })
  return { status: response.status, body: await response.json() }
}

/** Everything that the server answers until it closes the connection. */
async function say(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  return text(socket)
}

it('Node delivers the very bytes that were signed, and refuses what was not', async () => {
  const sender = new Sender(await Signer.create())
  const port = await listen(sender)
  expect(await send(port, await sender.request({ ...PING, note: 'é 日本' }))).toEqual({ status: 200, body: { type: 1 } })
  expect(await send(port, await sender.request(PING, { body: '{"type":1}' }))).toEqual({ status: 401, body: { reason: 'bad_signature' } })
})

it.each(['GET / HTTP/1.1', 'HEAD / HTTP/1.1', 'TRACE / HTTP/1.1', 'GET // HTTP/1.1', 'POST http://[ HTTP/1.1'])(
  'a stranger who says %j is refused like any other, and ends nothing',
  async (line) => {
    const port = await listen(new Sender(await Signer.create()))
    expect(await say(port, `${line}\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 401 /)
  },
)

it('what is refused before it was read closes its connection, so that nothing waits behind it', async () => {
  const port = await listen(new Sender(await Signer.create()))
  const length = 1_000_000
  expect(await say(port, `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length / 2)}`)).toMatch(
    /^HTTP\/1.1 401 /,
  )
})
