/** Libraries with connections of their own in an Activity, behind the proxy: socket.io and Colyseus, unchanged, with mapped requests. */
import { createServer } from 'node:http'
import { Room, Server as Colyseus } from '@colyseus/core'
import { WebSocketTransport } from '@colyseus/ws-transport'
import { build } from 'esbuild'
import { createEmulator } from 'foyer-emulator'
import type { Browser } from 'playwright'
import { Server as SocketIo } from 'socket.io'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../support/chromium'
import { listen } from '../support/loopback'
import { serveRemoteGame } from '../support/remote-game'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

/** A library as a part of a script, which sets this global. */
async function scriptOf(library: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `import * as all from '${library}'; window.library = all`, resolveDir: '.' },
    bundle: true,
    write: false,
    format: 'iife',
    platform: 'browser',
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/** The game in the host window of an emulator whose proxy maps `/match` to this port. */
async function play(library: string, port: number) {
  const emulator = await createEmulator({
    activityMappings: [{ prefix: '/match', target: `http://localhost:${port}` }],
    activityPort: 0,
  })
  const settings = { applicationId: emulator.application.id, service: { host: emulator.url } }
  const game = await serveRemoteGame({
    script: `
const load = () => { ${await scriptOf(library)} }
await new Promise((resolve) => document.head.append(Object.assign(document.createElement('script'), { src: '/foyer.js', onload: resolve })))
const client = new Foyer.Client(${JSON.stringify(settings)})
const host = await client.activity.connect()
const own = [fetch, WebSocket, EventSource, XMLHttpRequest.prototype.open]
const identical = () => [fetch, WebSocket, EventSource, XMLHttpRequest.prototype.open].map((each, index) => each === own[index])
const mappings = [{ prefix: '/match', target: 'localhost:${port}' }]
const map = () => { window.undo = host.mapRequests(mappings); load() }
Object.assign(window, { client, player: 'ada', host, load, map, identical })
`,
  })
  const page = await browser.newPage()
  onTestFinished(async () => {
    await page.close()
    await Promise.all([emulator.close(), game.close()])
  })
  await emulator.activity.serve(game.url)
  await page.goto(emulator.activity.launch({ as: 'ada' }).url)
  return game
}

const textOf = (given: string) => `fetch(${given}).then((answer) => answer.text())`
const IDENTICAL = [true, true, true, true]

test('socket.io connects by requests and by WebSocket, and the page has its functions back afterwards', async () => {
  const server = createServer()
  const io = new SocketIo(server, { cors: { origin: true } })
  io.on('connection', (socket) =>
    socket.on('move', (move, answer) => answer(`${move} by ${socket.id.length}`)),
  )
  const { port } = await listen(server)
  onTestFinished(() => io.close())
  const game = await play('socket.io-client', port)
  const moveBy = (transport: string) => `new Promise((resolve, reject) => {
    const socket = library.io('http://localhost:${port}', { transports: ['${transport}'], forceNew: true, reconnection: false })
    socket.once('connect_error', reject)
    socket.once('connect', () => socket.emit('move', 'e4', (answer) => { socket.close(); resolve(answer) }))
  })`
  await game.run('load()')
  expect(await game.run(moveBy('polling'))).toHaveProperty('rejected')
  // The library takes the class of the page when it loads.
  await game.run('map()')
  expect(await game.run('identical()')).toEqual([false, false, false, false])
  expect(await game.run(moveBy('polling'))).toMatch(/^e4 by \d+$/)
  expect(await game.run(moveBy('websocket'))).toMatch(/^e4 by \d+$/)
  await game.run('undo()')
  expect(await game.run('identical()')).toEqual(IDENTICAL)
  expect(await game.run(moveBy('polling'))).toHaveProperty('rejected')
})

test('Colyseus joins a room', async () => {
  class Match extends Room {
    override onCreate(): void {
      this.onMessage('move', (client, move) => client.send('moved', move))
    }
  }
  const server = createServer()
  const colyseus = new Colyseus({ transport: new WebSocketTransport({ server }), greet: false })
  colyseus.define('match', Match)
  await colyseus.listen(0)
  onTestFinished(() => colyseus.gracefullyShutdown(false))
  const address = server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const game = await play('colyseus.js', port)
  const join = `new library.Client('http://localhost:${port}').joinOrCreate('match').then((room) => new Promise((resolve) => {
    room.onMessage('moved', (move) => { room.leave(); resolve(move) })
    room.send('move', 'e4')
  }))`
  await game.run('load()')
  expect(await game.run(join)).toHaveProperty('rejected')
  await game.run('map()')
  expect(await game.run(join)).toBe('e4')
  await game.run('undo()')
  expect(await game.run('identical()')).toEqual(IDENTICAL)
})

test('events, a request with a body, a blob and an address of the page', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/events')
      return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: hello\n\n')
    request.setEncoding('utf8')
    let body = ''
    request.on('data', (text: string) => (body += text))
    request.on('end', () =>
      response.end(`${request.method} ${request.url} ${body} ${String(request.headers['x-game'])}`),
    )
    return undefined
  })
  const { port, close } = await listen(server)
  onTestFinished(close)
  const game = await play('socket.io-client', port)
  await game.run('map()')
  const heard = `new Promise((resolve) => { const events = new EventSource('http://localhost:${port}/events'); events.onmessage = ({ data }) => { events.close(); resolve(data) } })`
  expect(await game.run(heard)).toBe('hello')
  const request = `new Request('http://localhost:${port}/score', { method: 'PUT', body: '92', headers: { 'x-game': 'moon' } })`
  expect(await game.run(textOf(request))).toBe('PUT /score 92 moon')
  expect(await game.run(textOf(`URL.createObjectURL(new Blob(['own']))`))).toBe('own')
  expect(await game.run(textOf(`'data:text/plain,own'`))).toBe('own')
  expect(await game.run(`fetch('/').then(({ ok }) => ok)`)).toBe(true)
})
