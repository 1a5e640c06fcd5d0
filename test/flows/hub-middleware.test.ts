/** Streams of a lobby hub behind middleware that people use: they begin at once, or are refused with a word, and none is left over. */
import { createServer, type ServerResponse } from 'node:http'
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { cors } from 'hono/cors'
import { etag } from 'hono/etag'
import { prettyJSON } from 'hono/pretty-json'
import { secureHeaders } from 'hono/secure-headers'
import { timeout } from 'hono/timeout'
import { timing } from 'hono/timing'
import { createLobbyHub, type LobbyHub, toNodeListener } from 'foyer-sdk/server'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { listen } from '../support/loopback'

const LOBBY = '901'
const lobby = {
  id: LOBBY,
  application_id: '1',
  metadata: { map: 'moon' },
  members: [{ id: '11', metadata: null, flags: 0 }],
}
const verify = async () => ({ id: '11' as never, expiresAt: Date.now() + 60_000, claims: {} })
let hub: LobbyHub

beforeEach(() => {
  const lobbies = {
    get: async () => lobby as never,
    removeMember: async () => undefined,
    onChanged: () => () => undefined,
  }
  hub = createLobbyHub({ client: { lobbies }, verify })
})
afterEach(() => hub.close())

/** Reads until the lobby has arrived, then leaves. */
async function beginning(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const part of response.body ?? []) {
    text += decoder.decode(part, { stream: true })
    if (text.includes('"map":"moon"')) break
  }
  return text
}

const STREAM = `http://game.test/lobbies?lobbies=${LOBBY}`
const withBrowser = { headers: { 'accept-encoding': 'gzip, deflate, br', accept: 'text/event-stream' } }

function honoApp(...middleware: MiddlewareHandler[]): Hono {
  const app = new Hono()
  for (const each of middleware) app.use(each)
  return app.all('/lobbies', (context) => hub(context.req.raw))
}

it.each<[string, MiddlewareHandler[]]>([
  ['etag()', [etag()]],
  ['etag({ weak: true })', [etag({ weak: true })]],
  ['etag with a digest of its own', [etag({ generateDigest: (body) => body.slice().buffer })]],
  ['compress()', [compress()]],
  ['etag() and compress() and secureHeaders()', [etag(), compress(), secureHeaders()]],
  ['cors() before etag()', [cors(), etag()]],
  ['timing(), prettyJSON() and etag()', [timing(), prettyJSON(), etag()]],
  ['timeout() and bodyLimit()', [timeout(5000), bodyLimit({ maxSize: 4096 })]],
])("a stream behind Hono's %s begins at once, and ends with its reader", async (_, middleware) => {
  const response = await honoApp(...middleware).request(STREAM, withBrowser)
  expect([response.status, response.headers.get('content-encoding')]).toEqual([200, null])
  expect(await beginning(response)).toContain('event: lobby.updated')
  expect(hub.streams).toBe(0)
})

it("a stream behind Hono's etag() reaches a client over the network", async () => {
  const listener = toNodeListener(async (request) => honoApp(etag()).fetch(request))
  const server = await listen(createServer((request, response) => void listener(request, response)))
  onTestFinished(() => server.close())
  const response = await fetch(`http://127.0.0.1:${server.port}/lobbies?lobbies=${LOBBY}`)
  expect(await beginning(response)).toContain('event: lobby.updated')
  await expect.poll(() => hub.streams).toBe(0)
})

it('middleware that wants a copy of the whole stream is told why there is none, and no stream is left over', async () => {
  const errors: unknown[] = []
  const app = honoApp(async (context, next) => {
    await next()
    await context.res.clone().text()
  }).onError((error, context) => {
    errors.push(error)
    return context.text('failed', 500)
  })
  const response = await app.request(STREAM, withBrowser)
  expect([response.status, hub.streams]).toEqual([500, 0])
  expect(errors).toMatchObject([
    { code: 'unsupported', message: expect.stringMatching(/exclude it from middleware/i) },
  ])
})

it('every stream has a tag of its own, and refusals have none', async () => {
  const tags = await Promise.all([1, 2].map(async () => (await hub(new Request(STREAM))).headers.get('etag')))
  expect(new Set(tags).size).toBe(2)
  for (const tag of tags) expect(tag).toMatch(/^W\/"[\w-]{43}"$/)
  hub.close()
  expect((await hub(new Request(STREAM))).headers.get('etag')).toBeNull()
})

it.each<[string, (response: ServerResponse) => void]>([
  ['has answered meanwhile', (response) => void response.writeHead(503).end()],
  ['has begun to answer meanwhile', (response) => void response.write('busy')],
  ['has closed the connection meanwhile', (response) => void response.destroy()],
])('no stream is left over behind middleware that %s, such as a time limit', async (_, answer) => {
  const errors: unknown[] = []
  let target: ServerResponse | undefined
  const listener = toNodeListener(async (request) => {
    const response = await hub(request)
    if (target) answer(target)
    return response
  })
  const server = createServer((request, response) => {
    target = response
    void listener(request, response, (error) => (errors.push(error), response.destroy()))
  })
  const { port, close } = await listen(server)
  onTestFinished(() => close())
  await fetch(`http://127.0.0.1:${port}/lobbies?lobbies=${LOBBY}`).then(
    (response) => response.text(),
    () => '',
  )
  await expect.poll(() => hub.streams).toBe(0)
})
