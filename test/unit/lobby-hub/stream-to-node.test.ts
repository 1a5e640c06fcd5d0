/** Streams of a hub in a Node server, which receives the parts directly, and on other platforms, which read the body of the response. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createLobbyHub, type LobbyHub, toNodeListener } from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEventStreamResponse, PlayerStream, takeEventSource } from '../../support/internals'
import { listen } from '../../support/loopback'

const PLAYER = '11'
const LOBBY = '901'
const lobby = {
  id: LOBBY,
  application_id: '1',
  metadata: { map: 'moon' },
  members: [{ id: PLAYER, metadata: null, flags: 0 }],
}
const verify = async () => ({ id: PLAYER as never, expiresAt: Date.now() + 60_000, claims: {} })
let hub: LobbyHub
/** Connections that the server holds. */
let connections: () => Promise<number>

beforeEach(() => {
  const lobbies = {
    get: async () => lobby as never,
    removeMember: async () => undefined,
    onChanged: () => () => undefined,
  }
  hub = createLobbyHub({ client: { lobbies }, verify })
})
afterEach(() => hub.close())

type Adapt = (response: ServerResponse) => object
type Wrap = (response: Response) => Response
const same = <T>(response: T): T => response
/** Connects a bare client, which shows when the server has closed the connection. */
async function open(wrap: Wrap = same, adapt: Adapt = same): Promise<Socket> {
  const listener = toNodeListener(async (request) => wrap(await hub(request)))
  const http = createServer((request, response) => void listener(request, adapt(response) as ServerResponse))
  const server = await listen(http)
  connections = () => new Promise((resolve) => http.getConnections((_, count) => resolve(count)))
  onTestFinished(() => server.close())
  const socket = connect(server.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(`GET /?lobbies=${LOBBY} HTTP/1.1\r\nhost: game.test\r\n\r\n`)
  return socket
}

/** Resolves with everything received when it matches. */
async function received(socket: Socket, pattern: RegExp): Promise<string> {
  let text = ''
  while (!pattern.test(text)) text += String((await once(socket, 'data'))[0])
  return text
}

/** Response of a platform without `writableLength`. */
const withoutLength: Adapt = (response) => ({
  setHeader: response.setHeader.bind(response),
  write: response.write.bind(response),
  end: response.end.bind(response),
  on: response.on.bind(response),
  destroy: response.destroy.bind(response),
})

describe.each([
  { name: 'directly', wrap: same, adapt: same, bodies: 0 },
  {
    name: 'of a handler that copies the response',
    wrap: (response: Response) => new Response(response.body, response),
    adapt: same,
    bodies: 1,
  },
  { name: 'of a platform that cannot report its queue', wrap: same, adapt: withoutLength, bodies: 1 },
])('a stream in a Node server, $name', ({ wrap, adapt, bodies }) => {
  it('begins with the first lines and the state, in order, with the headers', async () => {
    const getReader = vi.spyOn(ReadableStream.prototype, 'getReader')
    onTestFinished(() => getReader.mockRestore())
    const text = await received(await open(wrap, adapt), /"map":"moon"/)
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text).toMatch(/content-type: text\/event-stream\r\n/)
    expect(text).toMatch(/access-control-allow-origin: \*\r\n/)
    expect(text.indexOf('retry: 1000')).toBeGreaterThan(0)
    expect(text.indexOf('retry: 1000')).toBeLessThan(text.indexOf('event: lobby.updated'))
    expect(getReader).toHaveBeenCalledTimes(bodies)
  })

  it('ends when the client has gone', async () => {
    const socket = await open(wrap, adapt)
    await received(socket, /"map":"moon"/)
    expect(hub.streams).toBe(1)
    socket.destroy()
    await expect.poll(() => hub.streams).toBe(0)
  })

  it('is closed by the hub', async () => {
    const socket = await open(wrap, adapt)
    await received(socket, /"map":"moon"/)
    const ended = received(socket, /0\r\n\r\n$/)
    hub.close()
    expect(await ended).toBeDefined()
  })

  it('ends when a client that reads nothing has too much waiting, and its connection is closed', async () => {
    const socket = await open(wrap, adapt)
    await received(socket, /"map":"moon"/)
    socket.pause()
    const content = 'x'.repeat(64 * 1024)
    // The kernel stores some megabytes for the client.
    for (let sent = 0; hub.streams > 0; sent++) {
      expect(sent).toBeLessThan(1000)
      await hub.deliverMessage({ lobby_id: LOBBY, content } as never)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await expect.poll(connections).toBe(0)
  })

  it(
    'that the hub closes while its client reads nothing is given up within ten seconds',
    { timeout: 15_000 },
    async () => {
      const socket = await open(wrap, adapt)
      await received(socket, /"map":"moon"/)
      socket.pause()
      const content = 'x'.repeat(200 * 1024)
      for (let sent = 0; sent < 40 && hub.streams > 0; sent++) {
        await hub.deliverMessage({ lobby_id: LOBBY, content } as never)
        await new Promise((resolve) => setImmediate(resolve))
      }
      hub.close()
      await expect.poll(connections, { timeout: 10_000 }).toBe(0)
    },
  )
})

const textOf = async (response: Response) =>
  new TextDecoder().decode(new Uint8Array(await response.arrayBuffer()))
const stream = () => new PlayerStream({ id: PLAYER, expiresAt: 1, claims: {} } as never, () => undefined)
const part = (line: string) => new TextEncoder().encode(line)

describe('the source of an event stream', () => {
  it('is given once, to a caller or to the reader of the body', async () => {
    const response = stream().respond()
    expect(takeEventSource(response)).toBeDefined()
    expect(takeEventSource(response)).toBeUndefined()
    const read = stream().respond()
    void read.body?.getReader().read()
    await new Promise((resolve) => setImmediate(resolve))
    expect(takeEventSource(read)).toBeUndefined()
    expect(takeEventSource(new Response('data'))).toBeUndefined()
  })

  it('has the parts that were sent before the start, also if the stream has ended meanwhile', async () => {
    const ended = stream()
    const response = ended.respond()
    ended.send(part('a'))
    ended.send(part('b'))
    ended.close()
    ended.send(part('c'))
    expect(await textOf(response)).toBe('ab')
  })

  it('is cancelled with the body', async () => {
    let cancelled = 0
    const response = createEventStreamResponse({ start: () => undefined, cancel: () => (cancelled += 1) }, {})
    await response.body?.cancel()
    expect(cancelled).toBe(1)
  })
})

const fail = (): never => {
  throw new Error('write after end')
}

describe('a connection that fails', () => {
  const sink = { waiting: 0, write: () => undefined, end: () => undefined, abort: () => undefined }
  const startWith = (changes: object) => {
    let ends = 0
    const each = new PlayerStream({ id: PLAYER, expiresAt: 1, claims: {} } as never, () => (ends += 1))
    each.send(part('a'))
    takeEventSource(each.respond())?.start({ ...sink, ...changes })
    return { each, ends: () => ends }
  }

  it.each([
    ['when its first parts are written', { write: fail }],
    ['also when it is given up', { write: fail, abort: fail }],
    ['because too much waits, also when it is given up', { waiting: 2 ** 20, abort: fail }],
    ['when it is closed', { end: fail, abort: fail }],
  ])('%s ends its stream, once, and disturbs no other', (_, changes) => {
    const { each, ends } = startWith(changes)
    each.send(part('b'))
    each.close()
    each.send(part('c'))
    expect(ends()).toBe(1)
  })
})
