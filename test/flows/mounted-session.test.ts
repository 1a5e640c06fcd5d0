/** A session handler in applications of Express, Fastify and Koa: mounted at a path, behind body parsers, and asked with a slash at the end. */
import { createServer, type Server } from 'node:http'
import { bodyParser } from '@koa/bodyparser'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { type NodeListener, type SessionHandlerOptions, toNodeListener } from 'foyer-sdk/server'
import express, { type RequestHandler, Router } from 'express'
import fastify, { type FastifyInstance } from 'fastify'
import Koa from 'koa'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { findPlayer } from '../support/find-player'
import { listen } from '../support/loopback'
import { createHandlerOf, type PageOfBackend } from '../support/page-of-backend'
import { pageOfServer } from '../support/page-of-server'
import { codeFor, GAME } from '../support/session-browser'

let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator({
    seed: { application: { publicClient: false } },
    idTokens: { forEveryGrant: true },
  })
})
beforeEach(() => emulator.reset())
afterAll(() => emulator.close())

type Serve = (listener: NodeListener) => Promise<Server>

const inExpress =
  (...before: RequestHandler[]): Serve =>
  async (listener) => {
    const app = express()
    for (const each of before) app.use(each)
    return createServer(app.use('/session', listener))
  }

const inFastify =
  (prepare: (app: FastifyInstance) => void): Serve =>
  async (listener) => {
    const app = fastify()
    prepare(app)
    app.all('/session/*', async (request, reply) => {
      reply.hijack()
      await listener(request.raw, reply.raw)
    })
    await app.ready()
    return app.server
  }

const inKoa =
  (...before: Koa.Middleware[]): Serve =>
  async (listener) => {
    const app = new Koa()
    for (const each of before) app.use(each)
    app.use(async (context) => {
      context.respond = false
      await listener(context.req, context.res)
    })
    return createServer((request, response) => void app.callback()(request, response))
  }

/** Starts the server. Returns its port. */
async function start(serve: Serve, options: Partial<SessionHandlerOptions> = {}): Promise<number> {
  const server = await serve(toNodeListener(createHandlerOf(emulator, options)))
  const { port, close } = await listen(server)
  onTestFinished(close)
  return port
}

function openPage(port: number): PageOfBackend {
  const page = pageOfServer(emulator, port, { origin: GAME })
  onTestFinished(() => page.close())
  return page
}

const MOUNTS: [string, Serve, path?: string][] = [
  ['at its path in Express', inExpress()],
  ['behind all paths in Express', async (listener) => createServer(express().use(listener))],
  [
    'in a router of a router',
    async (listener) => createServer(express().use('/play', Router().use('/session', listener))),
    '/play/session',
  ],
  ['behind a parser of forms', inExpress(express.urlencoded({ extended: true }))],
  ['behind a parser that keeps a text', inExpress(express.text({ type: '*/*' }))],
  ['behind a parser that keeps bytes', inExpress(express.raw({ type: '*/*' }))],
  [
    'behind a parser of JSON that keeps the bytes',
    inExpress(
      express.json({ verify: (request, _, bytes) => void Object.assign(request, { rawBody: bytes }) }),
    ),
  ],
  [
    'in Fastify, whose parser leaves the body unread',
    inFastify((app) => {
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', (_request, _payload, done) => done(null))
    }),
  ],
  ['in Koa', inKoa()],
]

describe.each(MOUNTS)('a handler %s', (_, serve, path = '/session') => {
  it.each(['short', 'none'] as const)('signs a player in and out, with tokens: %s', async (tokens) => {
    const page = openPage(await start(serve, { path, tokens }))
    const createClient = () => page.createClient({ backendSession: GAME + path })
    const client = createClient()
    const { userId } = await client.signIn()
    expect([userId, (await client.fetchCurrentUser()).id]).toEqual(
      Array(2).fill(findPlayer(emulator, 'ada').id),
    )
    expect(await createClient().resume()).toMatchObject({ userId })
    await client.signOut()
    expect(await createClient().resume()).toBeNull()
  })
})

describe.each<[string, Serve]>([
  ['express.json()', inExpress(express.json())],
  ['the parser of Fastify', inFastify(() => undefined)],
  ['a body parser of Koa', inKoa(bodyParser())],
])('behind %s', (_, serve) => {
  it('a handler says where to put it', async () => {
    const port = await start(serve)
    const headers = { origin: GAME, 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}/session/token`, {
      method: 'POST',
      headers,
      body: '{}',
    })
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'body_consumed', message: expect.stringContaining('put createSessionHandler before it') },
    ])
    const refused = {
      code: 'invalid_argument',
      message: expect.stringContaining('Put createSessionHandler before the body parser'),
    }
    const client = openPage(port).createClient()
    await expect(client.resume()).rejects.toMatchObject(refused)
    await expect(client.signIn()).rejects.toMatchObject(refused)
  })
})

describe('a page that the origins do not list', () => {
  it.each(['OPTIONS', 'POST'])('is named in the log of the handler, for %s', async (method) => {
    const entries: unknown[] = []
    const handler = createHandlerOf(emulator, { logger: (...entry) => void entries.push(entry) })
    const headers = { origin: 'http://localhost:3000', 'content-type': 'application/json' }
    await handler(new Request('https://game.test/session/token', { method, headers }))
    expect(entries).toContainEqual([
      'warn',
      'session.foreign_origin',
      { origin: 'http://localhost:3000', remedy: expect.stringContaining('List it in origins') },
    ])
  })
})

/** Answers 404 for what the session handler has below `/api`, as an application does that names each route. */
const withoutRelay: Record<string, Serve> = {
  Express: async (listener) => createServer(express().all(['/session/token', '/session/sign-in'], listener)),
  Koa: async (listener) => {
    const app = new Koa()
    app.use(async (context, next) => {
      if (context.path.startsWith('/session/api/')) {
        await next()
        return
      }
      context.respond = false
      await listener(context.req, context.res)
    })
    return createServer((request, response) => void app.callback()(request, response))
  },
}

describe.each(Object.entries(withoutRelay))('a page without tokens, in %s', (_, serve) => {
  it('says which path the application does not hand over', async () => {
    const client = openPage(await start(serve, { tokens: 'none' })).createClient()
    await client.signIn()
    await expect(client.fetchCurrentUser()).rejects.toMatchObject({
      code: 'http_404',
      message: expect.stringMatching(/\/session\/api\/users\/@me\. No createSessionHandler answers there/),
    })
  })
})

it('a handler that Koa gets without toNodeListener is named in the terminal, and the page says to look there', async () => {
  const logged: unknown[] = []
  const app = new Koa()
  app.on('error', (error) => logged.push(error))
  const unwrapped: unknown = createHandlerOf(emulator)
  app.use((context) => Reflect.apply(Object(unwrapped), undefined, [context]))
  const { port, close } = await listen(
    createServer((request, response) => void app.callback()(request, response)),
  )
  onTestFinished(close)
  await expect(openPage(port).createClient().signIn()).rejects.toMatchObject({
    code: 'http_500',
    message: expect.stringContaining('toNodeListener'),
  })
  expect(String(logged[0])).toContain('In Node, Express and Koa give the handler to toNodeListener')
})

describe.each<[string, Serve]>([
  ['Express', inExpress()],
  ['Koa', inKoa()],
])('a slash at the end of a path, in %s', (_, serve) => {
  it.each([
    ['sign-in', 200],
    ['token', 401],
    ['sign-out', 200],
    ['revoke', 401],
  ])('changes nothing: %s', async (name, status) => {
    const port = await start(serve)
    const headers = { origin: GAME, 'content-type': 'application/json' }
    const body = JSON.stringify(name === 'sign-in' ? await codeFor(emulator) : {})
    const response = await fetch(`http://127.0.0.1:${port}/session/${name}/`, {
      method: 'POST',
      headers,
      body,
    })
    expect(response.status).toBe(status)
  })
})

const atAnotherPath: Serve = async (listener) => createServer(express().use('/api/session', listener))

it('a handler at another path than its own says in the terminal and to the page what to set', async () => {
  const entries: object[] = []
  const port = await start(atAnotherPath, {
    logger: (level, step, data) => entries.push({ level, step, ...data }),
  })
  const response = await fetch(`http://127.0.0.1:${port}/api/session/sign-in`, { method: 'POST' })
  const message =
    "createSessionHandler is reached at /api/session, and its path is /session: set path: '/api/session'"
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ error: 'not_found', message })
  expect(entries).toEqual([{ level: 'warn', step: 'session.wrong_path', message }])
})

it('a listener that Koa does not wait for says so', async () => {
  const app = new Koa()
  const errors: unknown[] = []
  const listener = toNodeListener(async () => Response.json({}))
  app.use((context) => void listener(context.req, context.res, (error) => errors.push(error)))
  const { port, close } = await listen(
    createServer((request, response) => void app.callback()(request, response)),
  )
  onTestFinished(close)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
  await vi.waitFor(() =>
    expect(errors).toEqual([
      expect.objectContaining({
        code: 'unsupported',
        message: expect.stringContaining('in Koa set context.respond = false') as string,
      }),
    ]),
  )
})
