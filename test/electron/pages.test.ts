/** The life of a page at the main process: it comes, calls, reloads, goes, and the client may end before it. */
import { expect, test } from 'vitest'
import { Secret } from 'foyer-sdk/electron/main'
import { codeOf, GAME, type Frame, useIpcGame } from '../support/electron/ipc-game'
import { openedUrl } from '../support/electron/main-process-game'
import { ipcMain } from '../support/electron/fake-electron.mjs'

const { start } = useIpcGame()
const HOLD = { signal: { $foyer: { kind: 'signal' } } }
const TOLD = ['did-navigate', 'render-process-gone', 'destroyed'] as const

test('a page that was loaded again while a call of the old one was under way is informed who is signed in', async () => {
  const { call, sender } = start()
  const held = call('hold', [HOLD])
  expect(await call('connect')).toHaveProperty('authState')
  sender.emit('did-navigate', {}, 'app://game/')
  await held
  expect(await call('connect')).toHaveProperty('authState')
  expect(await call('resume')).not.toHaveProperty('authState')
})

test('what a page was given means nothing to the next page of its window', async () => {
  const { client, call, sender } = start()
  const ended: string[] = []
  Object.assign(client, { watchLobby: async (id: string) => () => ended.push(id) })
  const { value = '' } = await call('watchLobby', ['1'])
  sender.emit('did-navigate', {}, 'app://game/')
  expect(ended).toEqual(['1'])
  await call('undo', [JSON.parse(value).$foyer.reference])
  expect(ended).toEqual(['1'])
})

test.each(TOLD)('what a page has begun ends also where the page has gone before it was answered: %s', async (event) => {
  const { client, call, sender } = start()
  const ended: string[] = []
  let begun: (() => void) | undefined
  const ready = new Promise<void>((resolve) => (begun = resolve))
  Object.assign(client, { watchLobby: async (id: string) => ready.then(() => () => ended.push(id)) })
  const outcome = call('watchLobby', ['1'])
  sender.emit(event, {}, 'app://game/')
  begun?.()
  await outcome
  expect(ended).toEqual(['1'])
})

test('what a page has begun ends also where another page stands in its window before it was answered', async () => {
  const { client, call, sender } = start()
  const frame = { ...GAME }
  const ended: string[] = []
  Object.assign(client, {
    watchLobby: async (id: string) => {
      frame.origin = 'https://evil.test'
      return () => ended.push(id)
    },
  })
  expect(await codeOf(call('watchLobby', ['1'], frame))).toBe('untrusted_window')
  sender.emit('did-navigate', {}, 'https://evil.test/')
  expect(ended).toEqual(['1'])
})

test('what a call has begun that was given up meanwhile ends at once', async () => {
  const { client, send, sender } = start()
  const ended: string[] = []
  let begun: (() => void) | undefined
  const ready = new Promise<void>((resolve) => (begun = resolve))
  Object.assign(client, { watchLobby: async (id: string) => ready.then(() => () => ended.push(id)) })
  const outcome = send(JSON.stringify({ id: 'known', verb: 'watchLobby', args: ['1'] }))
  ipcMain.emit('foyer:cancel', { sender, senderFrame: GAME }, 'known')
  begun?.()
  await outcome
  expect(ended).toEqual(['1'])
})

test('what a call has begun ends also where it is given up while its answer is on the way', async () => {
  const { client, send, sender } = start()
  const ended: string[] = []
  Object.assign(client, { watchLobby: async (id: string) => () => ended.push(id) })
  await send(JSON.stringify({ id: 'known', verb: 'watchLobby', args: ['1'] }))
  await send(JSON.stringify({ id: 'other', verb: 'watchLobby', args: ['2'] }))
  ipcMain.emit('foyer:cancel', { sender, senderFrame: GAME }, 'known')
  expect(ended).toEqual(['1'])
})

test('what a call has begun ends when another call takes its name', async () => {
  const { client, send } = start()
  const ended: string[] = []
  Object.assign(client, { watchLobby: async (id: string) => () => ended.push(id) })
  for (const lobby of ['1', '2']) await send(JSON.stringify({ id: 'same', verb: 'watchLobby', args: [lobby] }))
  expect(ended).toEqual(['1'])
})

test('a stand-in for a secret means nothing to the next page of its window', async () => {
  const { client, call, sender } = start()
  Object.assign(client, { getToken: async () => new Secret('x'), revokeToken: async () => 'revoked' })
  const { reference } = JSON.parse((await call('getToken')).value ?? '').$foyer
  const giveBack = () => call('revokeToken', [{ $foyer: { kind: 'reference', reference } }])
  expect(await giveBack()).toMatchObject({ value: '"revoked"' })
  sender.emit('did-navigate', {}, 'app://game/')
  expect(await codeOf(giveBack())).toBe('invalid_argument')
})

test('a function of a page that has gone is called no more, and one of a page that is there is', async () => {
  const { client, call, received, sender } = start()
  let later: ((code: unknown) => void) | undefined
  Object.assign(client, {
    getTokenFromDevice: async (_: unknown, options: { onUserCode: () => void }) => void (later = options.onUserCode),
  })
  await call('connect')
  await call('getTokenFromDevice', [{}, { onUserCode: { $foyer: { kind: 'function', id: 'f' } } }])
  later?.({ userCode: 'WDJB-MJHT' })
  expect(received).toHaveLength(1)
  sender.emit('did-navigate', {}, 'app://game/')
  await call('connect')
  later?.({ userCode: 'WDJB-MJHT' })
  expect(received).toHaveLength(1)
})

test('a page that has not sent a message receives none', async () => {
  const { client, call, received } = start()
  client.emit('maybeClosed', { at: 1 })
  await call('connect')
  expect(received).toEqual([])
})

test.each(TOLD)('a window leaves no listener behind: %s', async (event) => {
  const { call, sender } = start()
  for (let i = 0; i < 3; i++) {
    await call('connect')
    sender.emit(event, {}, 'app://game/')
  }
  expect(TOLD.map((name) => sender.listenerCount(name))).toEqual([0, 0, 0])
})

test('a window that is closed in the middle of a sign-in does not end it for the others', async () => {
  const { client, call, sender } = start()
  const outcome = call('authorize', [{ scopes: 'openid' }])
  await openedUrl()
  sender.emit('destroyed')
  client.abortAuthorize()
  expect(await codeOf(outcome)).toBe('aborted')
})

test('a call that a window can cancel is given up when the window is closed', async () => {
  const { call, sender } = start()
  const outcome = call('authorize', [{ scopes: 'openid' }, HOLD])
  await openedUrl()
  sender.emit('destroyed')
  expect(await codeOf(outcome)).toBe('aborted')
})

test('a client that is closed settles the calls of its windows, and lets another take its place', async () => {
  const { client, call, sender } = start()
  await call('connect')
  const outcome = call('authorize', [{ scopes: 'openid' }])
  const held = call('hold', [HOLD])
  await openedUrl()
  client.close()
  expect(await codeOf(outcome)).toBe('aborted')
  expect(await held).not.toHaveProperty('error')
  expect(TOLD.map((name) => sender.listenerCount(name))).toEqual([0, 0, 0])
  expect(await start().call('connect')).toHaveProperty('authState')
})

test.each<[string, unknown, Frame | null]>([
  ['from a frame inside the game', 'known', { origin: GAME.origin, parent: GAME }],
  ['from another page of the window', 'known', { origin: 'https://evil.test', parent: null }],
  ['from a frame that has gone', 'known', null],
  ['that names no call', { toString: 1, valueOf: 1 }, GAME],
])('attack/136 a cancel %s cancels nothing, and breaks nothing', async (_, id, frame) => {
  const { client, send, sender } = start()
  const outcome = codeOf(send(JSON.stringify({ id: 'known', verb: 'authorize', args: [{ scopes: 'openid' }, HOLD] })))
  await openedUrl()
  ipcMain.emit('foyer:cancel', { sender, senderFrame: frame }, id)
  client.emit('maybeClosed', { at: 1 })
  const settled = await Promise.race([outcome, new Promise((resolve) => setImmediate(() => resolve('waits')))])
  expect(settled).toBe('waits')
  ipcMain.emit('foyer:cancel', { sender, senderFrame: GAME }, 'known')
  expect(await outcome).toBe('aborted')
})
