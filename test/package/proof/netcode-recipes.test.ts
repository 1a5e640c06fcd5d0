/** attack/191 The recipes of docs/netcode.md, run as printed with the real servers and clients of socket.io, Colyseus and ws. */
import http from 'node:http'
import { compileFunction } from 'node:vm'
import * as core from '@colyseus/core'
import * as transport from '@colyseus/ws-transport'
import * as colyseus from 'colyseus.js'
import { createEmulator, type Emulator } from 'foyer-emulator'
import * as sdk from 'foyer-sdk'
import * as backend from 'foyer-sdk/server'
import * as socketIo from 'socket.io'
import * as socketIoClient from 'socket.io-client'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import * as ws from 'ws'
import { blocks, pages } from '../markdown-pages'

const sections = (pages().find(({ path }) => path === 'docs/netcode.md')?.text ?? '').split(/^## /m)

/** Names of the environment that the recipes use. */
const GLOBALS = ['WebSocket', 'setTimeout', 'clearTimeout']

let emulator: Emulator
/** Origin of the game's own server. */
let origin = ''
const closers: (() => unknown)[] = []

beforeEach(async () => {
  emulator = await createEmulator()
})
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
  await emulator.close()
})

/** Runs a block of a section with the packages that it imports, and returns what it declares under these names. */
async function run(
  section: string,
  index: number,
  names: readonly string[],
): Promise<Record<string, unknown>> {
  const text = sections.find((one) => one.startsWith(`${section}\n`)) ?? ''
  const code = blocks({ text })[index]?.code ?? ''
  const placed = code
    .replaceAll('1287654321098765433', emulator.application.id)
    .replaceAll('https://service.example', emulator.url)
    .replaceAll('https://play.example', origin)
    .replaceAll('8080', '0')
  const { outputText } = ts.transpileModule(placed, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  const modules: Record<string, unknown> = {
    'node:http': http,
    '@colyseus/core': core,
    '@colyseus/ws-transport': transport,
    'colyseus.js': colyseus,
    'foyer-sdk': sdk,
    'foyer-sdk/server': backend,
    'socket.io': socketIo,
    'socket.io-client': socketIoClient,
    ws,
  }
  const body = `return (async () => { ${outputText}\nreturn { ${names.join(', ')} } })()`
  const start = compileFunction(body, [
    'exports',
    'require',
    'process',
    'applicationId',
    'service',
    ...GLOBALS,
  ])
  const process = { env: { FOYER_BOT_TOKEN: emulator.application.botToken } }
  return Reflect.apply(start, undefined, [
    {},
    (name: string) => modules[name],
    process,
    emulator.application.id,
    { host: emulator.url },
    // Of a page; Node 20 has no class of this name.
    ws.WebSocket,
    setTimeout,
    clearTimeout,
  ])
}

async function startServer(section: string, names: readonly string[]) {
  const made = await run(section, 0, ['server', 'tickets', 'backend', ...names])
  const server = made['server'] as http.Server
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  closers.push(() => (made['backend'] as backend.ApplicationClient).close())
  return made
}

interface Player<Connection> {
  client: sdk.Client
  play: (lobbyId: string) => Promise<Connection>
}

/** The page of a player, signed in by the real exchange. */
async function open<Connection>(section: string, as: string): Promise<Player<Connection>> {
  const made = (await run(section, 1, ['client', 'play'])) as unknown as Player<Connection>
  closers.push(() => made.client.close())
  const surface = {
    redirectUri: () => 'http://127.0.0.1/callback',
    open: async (url: string) => (await emulator.authorize(url, { as })).redirect,
  }
  await made.client.signIn({ surface })
  return made
}

const idOf = (name: string) => emulator.users.find(({ username }) => username === name)?.id

const startSocketIo = async () => {
  const made = await startServer('socket.io', ['io'])
  closers.push(() => (made['io'] as socketIo.Server).close())
}
const openSocketIo = (as: string) => open<socketIoClient.Socket>('socket.io', as)
/** Resolves with `connected`, or with the reason of the refusal. */
const outcome = (socket: socketIoClient.Socket) =>
  new Promise<string>((resolve) => {
    closers.push(() => socket.close())
    socket.once('connect', () => resolve('connected'))
    socket.once('connect_error', ({ message }) => resolve(message))
  })

describe('the recipe for socket.io', () => {
  test('admits two members, who see whose move it was, also after a lost connection', async () => {
    await startSocketIo()
    const [ada, ben] = [await openSocketIo('ada'), await openSocketIo('bruno')]
    const { id } = await ada.client.createOrJoinLobby('moon')
    await ben.client.createOrJoinLobby('moon')
    const sockets = [await ada.play(id), await ben.play(id)]
    expect(await Promise.all(sockets.map(outcome))).toEqual(['connected', 'connected'])
    const moves: unknown[] = []
    sockets[1]?.on('move', (move) => moves.push(move))
    sockets[0]?.emit('move', 'e4')
    await expect.poll(() => moves).toEqual([{ playerId: idOf('ada'), move: 'e4' }])
    const again = new Promise((resolve) => sockets[0]?.once('connect', () => resolve('again')))
    sockets[0]?.io.engine.close()
    expect(await again).toBe('again')
    sockets[0]?.emit('move', 'd4')
    await expect.poll(() => moves.at(-1)).toEqual({ playerId: idOf('ada'), move: 'd4' })
  })

  test('refuses a player who is in no such lobby, a used ticket, and a page without one', async () => {
    await startSocketIo()
    const [ada, eve] = [await openSocketIo('ada'), await openSocketIo('bruno')]
    const { id } = await ada.client.createOrJoinLobby('moon')
    expect(await outcome(await eve.play(id))).toMatch(/^not a member/)
    expect(await outcome(await ada.play('not an id'))).toMatch(/^not a member/)
    const ticket = await ada.client.backend.fetchTicket('/tickets?purpose=match')
    const send = (auth: object) => outcome(socketIoClient.io(origin, { auth, forceNew: true }))
    expect(await send({ ticket, lobbyId: id })).toBe('connected')
    for (const auth of [{ ticket, lobbyId: id }, { lobbyId: id }, { ticket: { $ne: null }, lobbyId: id }])
      expect(await send(auth)).toMatch(/^ticket rejected/)
  })
})

const startColyseus = async () => {
  const { game } = await startServer('Colyseus', ['game'])
  closers.push(() => (game as core.Server).gracefullyShutdown(false))
}
const openColyseus = (as: string) => open<colyseus.Room>('Colyseus', as)
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => 'admitted',
    (error: unknown) => String(Reflect.get(Object(error), 'message')),
  )

describe('the recipe for Colyseus', () => {
  test('admits two members into one room, who see whose move it was', async () => {
    await startColyseus()
    const [ada, ben] = [await openColyseus('ada'), await openColyseus('bruno')]
    const { id } = await ada.client.createOrJoinLobby('moon')
    await ben.client.createOrJoinLobby('moon')
    const rooms = [await ada.play(id), await ben.play(id)]
    expect(rooms[0]?.roomId).toBe(rooms[1]?.roomId)
    const moves: unknown[] = []
    for (const room of rooms) room.onMessage('move', (move) => void moves.push(move))
    rooms[0]?.send('move', 'e4')
    await expect
      .poll(() => moves)
      .toEqual(Array.from({ length: 2 }, () => ({ playerId: idOf('ada'), move: 'e4' })))
  })

  test('refuses a player who is in no such lobby, a used ticket, and the room of another lobby by its id', async () => {
    await startColyseus()
    const [ada, eve] = [await openColyseus('ada'), await openColyseus('bruno')]
    const { id } = await ada.client.createOrJoinLobby('moon')
    const { id: own } = await eve.client.createOrJoinLobby('sun')
    expect(await refusal(eve.play(id))).toMatch(/not a member/)
    const room = await ada.play(id)
    const ticket = await eve.client.backend.fetchTicket('/tickets?purpose=match')
    const page = new colyseus.Client(origin)
    expect(await refusal(page.joinById(room.roomId, { lobbyId: own, ticket }))).toMatch(/another lobby/)
    expect(await refusal(page.joinOrCreate('match', { lobbyId: own, ticket }))).toMatch(/ticket rejected/)
    expect(await refusal(page.joinOrCreate('match', { lobbyId: own }))).toMatch(/ticket rejected/)
  })
})

const startPlain = async () => {
  const { sockets } = await startServer('A plain WebSocket', ['sockets'])
  closers.push(() => {
    for (const each of (sockets as ws.WebSocketServer).clients) each.terminate()
    ;(sockets as ws.WebSocketServer).close()
  })
}
const openPlain = (as: string) => open<ws.WebSocket>('A plain WebSocket', as)

/** Sends it in a connection of its own, and resolves with the answer. */
const firstMessage = (first: string) =>
  new Promise<string>((resolve) => {
    const socket = new ws.WebSocket(origin.replace('http', 'ws'))
    socket.on('open', () => socket.send(first))
    socket.on('message', () => resolve('admitted'))
    socket.on('close', (code) => resolve(`closed with ${code}`))
  })

describe('the recipe for a plain WebSocket', () => {
  test('admits two members, who see whose move it was', async () => {
    await startPlain()
    const [ada, ben] = [await openPlain('ada'), await openPlain('bruno')]
    const { id } = await ada.client.createOrJoinLobby('moon')
    await ben.client.createOrJoinLobby('moon')
    const [first, second] = [await ada.play(id), await ben.play(id)]
    const moves: unknown[] = []
    for (const socket of [first, second])
      socket.on('message', (data: Buffer) => moves.push(JSON.parse(data.toString())))
    first.send('e4')
    const move = { playerId: idOf('ada'), move: 'e4' }
    await expect.poll(() => moves).toEqual([move, move])
  })

  test('refuses a player who is in no such lobby, a used ticket, and what is no ticket', async () => {
    await startPlain()
    const [ada, eve] = [await openPlain('ada'), await openPlain('bruno')]
    const { id: lobbyId } = await ada.client.createOrJoinLobby('moon')
    expect(await refusal(eve.play(lobbyId))).toBe('refused')
    const ticket = await ada.client.backend.fetchTicket('/tickets?purpose=match')
    expect(await firstMessage(JSON.stringify({ ticket, lobbyId }))).toBe('admitted')
    for (const first of [JSON.stringify({ ticket, lobbyId }), JSON.stringify({ lobbyId }), 'hello', 'null'])
      expect(await firstMessage(first)).toBe('closed with 4001')
  })
})
