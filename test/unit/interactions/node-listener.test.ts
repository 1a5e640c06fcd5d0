/** An interaction endpoint in a Node server, through `toNodeListener`. */
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { connect } from 'node:net'
import { buffer, json, text } from 'node:stream/consumers'
import { bodyParser } from '@koa/bodyparser'
import express from 'express'
import fastify from 'fastify'
import fastifyRawBody from 'fastify-raw-body'
import { type NodeListener, toNodeListener } from 'foyer-sdk/server'
import Koa from 'koa'
import { expect, it, onTestFinished } from 'vitest'
import { Sender, Signer, PING } from './signed-sender'

type Middleware = (message: IncomingMessage) => Promise<void>

/** A Node server with the listener, after `before` has processed each request. */
async function listen(
  handler: (request: Request) => Promise<Response>,
  before: Middleware = async () => undefined,
): Promise<number> {
  const listener = toNodeListener(handler)
  const server = createServer((message, reply) => void before(message).then(() => listener(message, reply)))
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

/** Parses like `express.json()`. */
const parseFirst: Middleware = async (message) => void Object.assign(message, { body: await json(message) })
/** Parses like `express.raw()`. */
const keepFirst: Middleware = async (message) => void Object.assign(message, { body: await buffer(message) })

/** The signed request, sent to another URL. */
async function send(port: number, request: Request): Promise<{ status: number; body: unknown }> {
  const headers = Object.fromEntries([...request.headers].filter(([name]) => name !== 'content-length'))
  const response = await fetch(`http://127.0.0.1:${port}/interactions`, {
    method: 'POST',
    headers,
    body: await request.text(),
  })
  return { status: response.status, body: await response.json() }
}

/** Everything that the server sends until it closes the connection. */
async function sendRaw(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  return text(socket)
}

it('toNodeListener delivers the signed bytes unchanged and rejects other bytes', async () => {
  const sender = new Sender(await Signer.create())
  const port = await listen(sender.handler)
  expect(await send(port, await sender.request({ ...PING, note: 'é 日本' }))).toEqual({
    status: 200,
    body: { type: 1 },
  })
  expect(await send(port, await sender.request(PING, { body: '{"type":1}' }))).toEqual({
    status: 401,
    body: { reason: 'bad_signature' },
  })
})

it.each([
  'GET / HTTP/1.1',
  'HEAD / HTTP/1.1',
  'TRACE / HTTP/1.1',
  'GET // HTTP/1.1',
  'POST http://[ HTTP/1.1',
])('toNodeListener rejects an unsigned request with body %j and keeps the server running', async (line) => {
  const port = await listen(new Sender(await Signer.create()).handler)
  expect(await sendRaw(port, `${line}\r\nhost: x\r\nconnection: close\r\n\r\n`)).toMatch(/^HTTP\/1.1 40[01] /)
})

it('toNodeListener closes the connection of a request that is rejected before its body is read', async () => {
  const port = await listen(new Sender(await Signer.create()).handler)
  const length = 1_000_000
  expect(
    await sendRaw(
      port,
      `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n${'x'.repeat(length / 2)}`,
    ),
  ).toMatch(/^HTTP\/1.1 401 /)
})

it('toNodeListener rejects a request whose body was parsed before, and names the body parser', async () => {
  const sender = new Sender(await Signer.create())
  const port = await listen(sender.handler, parseFirst)
  expect(await send(port, await sender.request(PING))).toEqual({
    status: 401,
    body: { reason: 'body_consumed' },
  })
  expect(sender.errors).toMatchObject([
    { code: 'body_consumed', message: expect.stringContaining('express.json()') as string },
  ])
})

it('toNodeListener verifies the raw bytes that a body parser kept', async () => {
  const sender = new Sender(await Signer.create())
  const port = await listen(sender.handler, keepFirst)
  expect(await send(port, await sender.request(PING))).toEqual({ status: 200, body: { type: 1 } })
})

/** Starts a server of a framework; returns its port. */
type Serve = (listener: NodeListener) => Promise<Server>

const keepText = (message: IncomingMessage, _response: unknown, bytes: Buffer): void =>
  void Object.assign(message, { rawBody: bytes.toString() })

const whenStarted = async (server: Server): Promise<Server> =>
  server.listening ? server : once(server, 'listening').then(() => server)

const FRAMEWORKS: [string, Serve][] = [
  [
    'Express with express.raw()',
    async (listener) =>
      whenStarted(
        express()
          .post('/interactions', express.raw({ type: '*/*' }), listener)
          .listen(0),
      ),
  ],
  [
    'Express with express.text()',
    async (listener) =>
      whenStarted(
        express()
          .post('/interactions', express.text({ type: '*/*' }), listener)
          .listen(0),
      ),
  ],
  [
    'Express with express.json({ verify }) that keeps a text',
    async (listener) =>
      whenStarted(
        express()
          .use(express.json({ verify: keepText }))
          .post('/interactions', listener)
          .listen(0),
      ),
  ],
  [
    'Fastify with fastify-raw-body',
    async (listener) => {
      const app = fastify()
      await app.register(fastifyRawBody)
      app.post('/interactions', async (request, reply) => {
        reply.hijack()
        await listener(Object.assign(request.raw, { rawBody: request.rawBody }), reply.raw)
      })
      await app.listen({ port: 0, host: '127.0.0.1' })
      return app.server
    },
  ],
  [
    'Fastify with a content type parser that leaves the body unread',
    async (listener) => {
      const app = fastify()
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', (_request, _payload, done) => done(null))
      app.post('/interactions', async (request, reply) => {
        reply.hijack()
        await listener(request.raw, reply.raw)
      })
      await app.listen({ port: 0, host: '127.0.0.1' })
      return app.server
    },
  ],
  [
    'Koa with @koa/bodyparser',
    async (listener) => {
      const app = new Koa().use(bodyParser()).use(async (context) => {
        context.respond = false
        await listener(Object.assign(context.req, { rawBody: context.request.rawBody }), context.res)
      })
      return whenStarted(app.listen(0))
    },
  ],
]

it.each(FRAMEWORKS)('toNodeListener verifies the body that a framework kept: %s', async (_, serve) => {
  const sender = new Sender(await Signer.create())
  const server = await serve(toNodeListener(sender.handler))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const unusual = `{ "type":1,\n"id":"1", "application_id":"2","token":"t", "version":1, "note":"日本 \\u00e9 é"}`
  expect(await send(port, await sender.request(unusual))).toEqual({ status: 200, body: { type: 1 } })
  expect(await send(port, await sender.request(PING, { body: '{"type":1}' }))).toEqual({
    status: 401,
    body: { reason: 'bad_signature' },
  })
})

it('toNodeListener passes method, URL and headers to any Fetch API handler, and returns its whole response', async () => {
  const headers = new Headers([
    ['content-type', 'text/plain'],
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ])
  const port = await listen(async (request) => {
    const { pathname, search } = new URL(request.url)
    return new Response(
      `${request.method} ${pathname}${search} ${request.headers.get('x-game')} ${await request.text()}`,
      {
        status: 201,
        headers,
      },
    )
  })
  const response = await fetch(`http://127.0.0.1:${port}/a?b=c`, {
    method: 'PUT',
    headers: { 'x-game': 'duel' },
    body: 'hello',
  })
  expect([response.status, await response.text()]).toEqual([201, 'PUT /a?b=c duel hello'])
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

it('toNodeListener passes an error of the handler to next() and keeps the server running', async () => {
  const failure = new Error('of the handler')
  const listener = toNodeListener(() => Promise.reject(failure))
  const passed: unknown[] = []
  const server = createServer((message, reply) => {
    void listener(message, reply, (error) => {
      passed.push(error)
      reply.writeHead(503).end()
    })
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const response = await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`)
  expect([response.status, passed]).toEqual([503, [failure]])
})

it('toNodeListener cancels an event stream whose client has gone while the handler was running', async () => {
  const steps = new EventEmitter()
  const [started, gone, cancelled] = ['started', 'gone', 'cancelled'].map((step) => once(steps, step))
  const listener = toNodeListener(async () => {
    steps.emit('started')
    await gone
    return new Response(new ReadableStream({ cancel: () => void steps.emit('cancelled') }), {
      headers: { 'content-type': 'text/event-stream' },
    })
  })
  const server = createServer((message, reply) => {
    reply.on('close', () => steps.emit('gone'))
    void listener(message, reply)
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const socket = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await started
  socket.destroy()
  expect(await cancelled).toEqual([])
})

it.each([
  ['GET / HTTP/1.1', 'game.example/admin?'],
  ['GET / HTTP/1.1', 'game.example/admin#'],
  ['GET / HTTP/1.1', 'user@game.example'],
  ['GET / HTTP/1.1', 'game.example\\admin'],
  ['GET / HTTP/1.1', 'game.example:80/admin'],
  ['GET .evil.example/x HTTP/1.1', 'game.example'],
  ['GET @evil.example/x HTTP/1.1', 'game.example'],
  ['GET /hub/../admin HTTP/1.1', 'game.example'],
  ['GET /hub/%2e%2E/admin HTTP/1.1', 'game.example'],
  ['GET /hub\\..\\admin HTTP/1.1', 'game.example'],
  ['GET http://evil.example/x HTTP/1.1', 'game.example'],
  ['GET http://game.example/a/../b HTTP/1.1', 'game.example'],
])(
  'toNodeListener answers %j with the host %j with 400: the handler would see another URL',
  async (line, host) => {
    const port = await listen(() => expect.fail('handled'))
    expect(await sendRaw(port, `${line}\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 400 /,
    )
  },
)

it.each([
  ['GET /a?b=../c HTTP/1.1', 'game.example', 'http://game.example/a?b=../c'],
  ['GET /a/..b/.c HTTP/1.1', 'game.example:8080', 'http://game.example:8080/a/..b/.c'],
  ['GET //a HTTP/1.1', '[::1]:8080', 'http://[::1]:8080//a'],
  ['GET http://game.example/a HTTP/1.1', 'game.example', 'http://game.example/a'],
])('toNodeListener passes %j with the host %j', async (line, host, url) => {
  const port = await listen(async (request) => Response.json(request.url))
  expect(await sendRaw(port, `${line}\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).toContain(
    JSON.stringify(url),
  )
})
