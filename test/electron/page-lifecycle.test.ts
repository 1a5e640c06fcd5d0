/** Lifecycle of a page that is connected to the main process: connect, call, reload, navigate away, and a client that closes first. */
import { expect, test } from 'vitest'
import type { LogEntry } from 'foyer-sdk'
import { Secret } from 'foyer-sdk/electron/main'
import { codeOf, GAME, type Frame, useIpcGame } from '../support/electron/ipc-game'
import { openedUrl } from '../support/electron/main-process-game'
import { ipcMain } from '../support/electron/fake-electron.mjs'

const { start } = useIpcGame()
const HOLD = { signal: { $foyer: { kind: 'signal' } } }
const GONE_EVENTS = ['did-navigate', 'render-process-gone', 'destroyed'] as const

test('a page reloaded during a call of its predecessor receives the sign-in state', async () => {
  const { call, sender } = start()
  const held = call('pauseRefresh', [HOLD])
  expect(await call('connect')).toHaveProperty('authState')
  sender.emit('did-navigate', {}, 'app://game/')
  await held
  expect(await call('connect')).toHaveProperty('authState')
  expect(await call('resume')).not.toHaveProperty('authState')
})

test('navigating away ends a watch and invalidates its handle for the next page of the window', async () => {
  const { client, call, sender } = start()
  const ended: string[] = []
  Object.assign(client.lobbies, { get: (id: string) => ({ watch: async () => () => ended.push(id) }) })
  const { value = '' } = await call('lobby.watch', ['1'])
  sender.emit('did-navigate', {}, 'app://game/')
  expect(ended).toEqual(['1'])
  await call('undo', [JSON.parse(value).$foyer.reference])
  expect(ended).toEqual(['1'])
})

test.each(GONE_EVENTS)('a watch whose page is gone before the response ends: %s', async (event) => {
  const { client, call, sender } = start()
  const ended: string[] = []
  let startWatch: (() => void) | undefined
  const ready = new Promise<void>((resolve) => (startWatch = resolve))
  Object.assign(client.lobbies, {
    get: (id: string) => ({ watch: () => ready.then(() => () => ended.push(id)) }),
  })
  const outcome = call('lobby.watch', ['1'])
  sender.emit(event, {}, 'app://game/')
  startWatch?.()
  await outcome
  expect(ended).toEqual(['1'])
})

test('a watch ends if another origin is loaded in the window before the response', async () => {
  const { client, call, sender } = start()
  const frame = { ...GAME }
  const ended: string[] = []
  Object.assign(client.lobbies, {
    get: (id: string) => ({
      watch: async () => {
        frame.origin = 'https://evil.test'
        return () => ended.push(id)
      },
    }),
  })
  expect(await codeOf(call('lobby.watch', ['1'], frame))).toBe('untrusted_window')
  sender.emit('did-navigate', {}, 'https://evil.test/')
  expect(ended).toEqual(['1'])
})

test('a watch cancelled before it starts ends at once', async () => {
  const { client, send, sender } = start()
  const ended: string[] = []
  let startWatch: (() => void) | undefined
  const ready = new Promise<void>((resolve) => (startWatch = resolve))
  Object.assign(client.lobbies, {
    get: (id: string) => ({ watch: () => ready.then(() => () => ended.push(id)) }),
  })
  const outcome = send(JSON.stringify({ id: 'known', path: 'lobby.watch', args: ['1'] }))
  ipcMain.emit('foyer:cancel', { sender, senderFrame: GAME }, 'known')
  startWatch?.()
  await outcome
  expect(ended).toEqual(['1'])
})

test('a watch cancelled while its response is in transit ends', async () => {
  const { client, send, sender } = start()
  const ended: string[] = []
  Object.assign(client.lobbies, { get: (id: string) => ({ watch: async () => () => ended.push(id) }) })
  await send(JSON.stringify({ id: 'known', path: 'lobby.watch', args: ['1'] }))
  await send(JSON.stringify({ id: 'other', path: 'lobby.watch', args: ['2'] }))
  ipcMain.emit('foyer:cancel', { sender, senderFrame: GAME }, 'known')
  expect(ended).toEqual(['1'])
})

test('a watch ends when another call reuses its call ID', async () => {
  const { client, send } = start()
  const ended: string[] = []
  Object.assign(client.lobbies, { get: (id: string) => ({ watch: async () => () => ended.push(id) }) })
  for (const lobby of ['1', '2'])
    await send(JSON.stringify({ id: 'same', path: 'lobby.watch', args: [lobby] }))
  expect(ended).toEqual(['1'])
})

test('a reference to a secret is invalid for the next page of the window', async () => {
  const { client, call, sender } = start()
  Object.assign(client, { getToken: async () => new Secret('x'), revokeToken: async () => 'revoked' })
  const { reference } = JSON.parse((await call('getToken')).value ?? '').$foyer
  const revoke = () => call('revokeToken', [{ $foyer: { kind: 'reference', reference } }])
  expect(await revoke()).toMatchObject({ value: '"revoked"' })
  sender.emit('did-navigate', {}, 'app://game/')
  expect(await codeOf(revoke())).toBe('invalid_argument')
})

test('a callback function of a page is called while the page is loaded and never after', async () => {
  const { client, call, received, sender } = start()
  let later: ((code: unknown) => void) | undefined
  Object.assign(client.accounts, {
    getTokenFromDevice: async (_: unknown, options: { onUserCode: () => void }) =>
      void (later = options.onUserCode),
  })
  await call('connect')
  await call('accounts.getTokenFromDevice', [{}, { onUserCode: { $foyer: { kind: 'function', id: 'f' } } }])
  later?.({ userCode: 'WDJB-MJHT' })
  expect(received).toHaveLength(1)
  sender.emit('did-navigate', {}, 'app://game/')
  await call('connect')
  later?.({ userCode: 'WDJB-MJHT' })
  expect(received).toHaveLength(1)
})

test('a page that has not sent a message receives no events', async () => {
  const { client, call, received } = start()
  client.emit('maybeClosed', { at: 1 })
  await call('connect')
  expect(received).toEqual([])
})

test.each(GONE_EVENTS)('a window leaves no listener behind after %s', async (event) => {
  const { call, sender } = start()
  for (let i = 0; i < 3; i++) {
    await call('connect')
    sender.emit(event, {}, 'app://game/')
  }
  expect(GONE_EVENTS.map((name) => sender.listenerCount(name))).toEqual([0, 0, 0])
})

test('closing a window during a sign-in does not end the sign-in for other windows', async () => {
  const { client, call, sender } = start()
  const outcome = call('authorize', [{ scopes: 'openid' }])
  await openedUrl()
  sender.emit('destroyed')
  client.abortAuthorize()
  expect(await codeOf(outcome)).toBe('aborted')
})

test('closing a window cancels its cancellable calls', async () => {
  const { call, sender } = start()
  const outcome = call('authorize', [{ scopes: 'openid' }, HOLD])
  await openedUrl()
  sender.emit('destroyed')
  expect(await codeOf(outcome)).toBe('aborted')
})

test('closing a client settles the calls of its windows and allows a new client', async () => {
  const { client, call, sender } = start()
  await call('connect')
  const outcome = call('authorize', [{ scopes: 'openid' }])
  const held = call('pauseRefresh', [HOLD])
  await openedUrl()
  client.close()
  expect(await codeOf(outcome)).toBe('aborted')
  expect(await held).not.toHaveProperty('error')
  expect(GONE_EVENTS.map((name) => sender.listenerCount(name))).toEqual([0, 0, 0])
  expect(await start().call('connect')).toHaveProperty('authState')
})

test.each<[string, unknown, Frame | null]>([
  ['from a frame inside the game', 'known', { origin: GAME.origin, parent: GAME }],
  ['from another page of the window', 'known', { origin: 'https://evil.test', parent: null }],
  ['from a destroyed frame', 'known', null],
  ['without a valid call ID', { toString: 1, valueOf: 1 }, GAME],
])('attack/136 a cancel message %s cancels nothing and throws nothing', async (_, id, frame) => {
  const { client, send, sender } = start()
  const outcome = codeOf(
    send(JSON.stringify({ id: 'known', path: 'authorize', args: [{ scopes: 'openid' }, HOLD] })),
  )
  await openedUrl()
  ipcMain.emit('foyer:cancel', { sender, senderFrame: frame }, id)
  client.emit('maybeClosed', { at: 1 })
  const settled = await Promise.race([
    outcome,
    new Promise((resolve) => setImmediate(() => resolve('waits'))),
  ])
  expect(settled).toBe('waits')
  ipcMain.emit('foyer:cancel', { sender, senderFrame: GAME }, 'known')
  expect(await outcome).toBe('aborted')
})

test.each([
  ['file://', /This page is file:\/\/, windows lists app:\/\/game: add its origin/],
  [
    'http://localhost:5174',
    /This page is http:\/\/localhost:5174, windows lists app:\/\/game: add its origin/,
  ],
])(
  'a page at %s, which is not listed, and the log of the main process name both origins',
  async (origin, says) => {
    const logged: LogEntry[] = []
    const { call } = start({ logger: (entry) => logged.push(entry) })
    const ask = async () => JSON.parse((await call('resume', [], { origin, parent: null })).error ?? '{}')
    expect(await ask()).toMatchObject({ code: 'untrusted_window', message: expect.stringMatching(says) })
    await ask()
    expect(logged.filter(({ step }) => step === 'window.refused')).toEqual([
      {
        level: 'warn',
        step: 'window.refused',
        data: { code: 'untrusted_window', remedy: expect.stringMatching(says) },
      },
    ])
  },
)
