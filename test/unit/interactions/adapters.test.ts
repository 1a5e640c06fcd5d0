/** The endpoint behind Node's server, by `toNodeListener`. */
import { createServer, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer, json, text } from 'node:stream/consumers'
import { type InteractionHandler, toNodeListener } from 'foyer-sdk/server'
import { expect, it, onTestFinished } from 'vitest'
import { Sender, Signer, PING } from './sender'

type Middleware = (message: IncomingMessage) => Promise<void>

/** A server of Node's with the listener, behind what `before` does to each request. */
async function listen(handler: InteractionHandler, before: Middleware = async () => undefined): Promise<number> {
  const listener = toNodeListener(handler)
  const server = createServer((message, answer) => void before(message).then(() => listener(message, answer)))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** As `express.json()` does. */
const parseFirst: Middleware = async (message) => void Object.assign(message, { body: await json(message) })
/** As `express.raw()` does. */
const keepFirst: Middleware = async (message) => void Object.assign(message, { body: await buffer(message) })

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
  const port = await listen(sender.handler)
  expect(await send(port, await sender.request({ ...PING, note: 'é 日本' }))).toEqual({ status: 200, body: { type: 1 } })
  expect(await send(port, await sender.request(PING, { body: '{"type":1}' }))).toEqual({ status: 401, body: { reason: 'bad_signature' } })
})

it.each(['GET / HTTP/1.1', 'HEAD / HTTP/1.1', 'TRACE / HTTP/1.1', 'GET // HTTP/1.1', 'POST http://[ HTTP/1.1'])(
  'a stranger who says %j is refused like any other, and ends nothing',
  async (line) => {
    const port = await listen(new Sender(await Signer.create()).handler)
    expect(await say(port, `${line}\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 40[01] /)
  },
)

it('what is refused before it was read closes its connection, so that nothing waits behind it', async () => {
  const port = await listen(new Sender(await Signer.create()).handler)
  const length = 1_000_000
  expect(await say(port, `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length / 2)}`)).toMatch(
    /^HTTP\/1.1 401 /,
  )
})

it('a body parser that was first is named, and nothing is believed', async () => {
  const sender = new Sender(await Signer.create())
  const port = await listen(sender.handler, parseFirst)
  expect(await send(port, await sender.request(PING))).toEqual({ status: 401, body: { reason: 'body_consumed' } })
  expect(sender.errors).toMatchObject([{ code: 'body_consumed', message: expect.stringContaining('express.json()') as string }])
})

it('the bytes that a body parser kept are as good as the request', async () => {
  const sender = new Sender(await Signer.create())
  const port = await listen(sender.handler, keepFirst)
  expect(await send(port, await sender.request(PING))).toEqual({ status: 200, body: { type: 1 } })
})

it('any handler of the Fetch API gets method, address and headers, and its answer arrives whole', async () => {
  const headers = new Headers([
    ['content-type', 'text/plain'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ])
  const port = await listen(async (request) => {
    const { pathname, search } = new URL(request.url)
    return new Response(`${request.method} ${pathname}${search} ${request.headers.get('x-game')} ${await request.text()}`, {
      status: 201,
      headers,
    })
  })
  const response = await fetch(`http://127.0.0.1:${port}/a?b=c`, { method: 'PUT', headers: { 'x-game': 'duel' }, body: 'hello' })
  expect([response.status, await response.text()]).toEqual([201, 'PUT /a?b=c duel hello'])
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

it('what a handler throws goes to the next one, and ends nothing', async () => {
  const failure = new Error('of the handler')
  const listener = toNodeListener(() => Promise.reject(failure))
  const passed: unknown[] = []
  const server = createServer((message, answer) => {
    void listener(message, answer, (error) => {
      passed.push(error)
      answer.writeHead(503).end()
    })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const response = await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  expect([response.status, passed]).toEqual([503, [failure]])
})
