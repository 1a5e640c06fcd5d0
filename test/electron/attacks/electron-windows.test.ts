/** Attacks of pages and frames that may not use the client of the main process. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { codeOf, type Frame, GAME, ORIGIN, useIpcGame } from '../../support/electron/ipc-game'
import { BrowserWindow, ipcMain, shell } from '../../support/electron/fake-electron.mjs'
import { closeWindows } from '../../support/electron/window.mjs'

const PRELOAD = resolve('dist/desktop/preload/index.cjs')
const harness = useIpcGame()
const { start } = harness
afterAll(() => closeWindows())

describe('a frame outside the game', () => {
  test.each<[string, Frame | null]>([
    ['of another origin', { origin: 'https://evil.test', parent: null }],
    ['with an origin of the same prefix', { origin: `${ORIGIN}.evil`, parent: null }],
    ['without an origin', { origin: 'null', parent: null }],
    ['inside the game', { origin: ORIGIN, parent: GAME }],
    ['with the game inside', { origin: ORIGIN, parent: { origin: 'https://evil.test', parent: null } }],
    ['that is destroyed', null],
  ])('attack/136 %s receives nothing, whatever it calls', async (_, frame) => {
    const { call, received } = start()
    for (const verb of ['connect', 'signIn', 'signOut', 'resume', 'fetchCurrentUser'])
      expect(await codeOf(call(verb, [], frame))).toBe('untrusted_window')
    expect(shell.opened).toEqual([])
    expect(received).toEqual([])
  })

  test('attack/136 inside the game’s own page is rejected: a real frame with the preload script', async () => {
    const server = createServer((incoming, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(incoming.url === '/' ? '<iframe src="/frame"></iframe>' : '<p>frame</p>')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    harness.shell.start({ windows: [{ origin }] })
    const window = new BrowserWindow({
      webPreferences: { preload: PRELOAD, nodeIntegrationInSubFrames: true },
    })
    try {
      await window.loadURL(`${origin}/`)
      const ask = `foyerBridge.call(JSON.stringify({ id: '1', path: 'connect', args: [] }))`
      expect(await window.page.evaluate<string>(ask)).toContain('authState')
      const [, frame] = window.page.frames()
      expect(await frame?.evaluate<string>(ask)).toContain('untrusted_window')
    } finally {
      await window.destroy()
      server.closeAllConnections()
      server.close()
    }
  })

  test('attack/136 without context isolation gets no bridge', async () => {
    const window = new BrowserWindow({ webPreferences: { preload: PRELOAD, contextIsolation: false } })
    await window.loadURL('data:text/html,<p>game</p>')
    expect(await window.page.evaluate('typeof foyerBridge')).toBe('undefined')
    await window.destroy()
  })

  test('attack/136 loaded after the game in its window receives no more events', async () => {
    const { client, call, received, sender } = start()
    await call('connect')
    client.emit('maybeClosed', { at: 1 })
    expect(received).toHaveLength(1)
    Object.assign(sender, { mainFrame: { origin: 'https://evil.test', parent: null } })
    client.emit('maybeClosed', { at: 2 })
    Object.assign(sender, { mainFrame: GAME })
    sender.emit('did-navigate', {}, 'app://game/again')
    client.emit('maybeClosed', { at: 3 })
    expect(received).toHaveLength(1)
  })
})

test('attack/136 a page that navigates away during its call gets no response', async () => {
  const { client, call } = start()
  const frame = { ...GAME }
  Object.assign(client, {
    fetchCurrentUser: async () => {
      frame.origin = 'https://evil.test'
      return { id: '1' }
    },
  })
  const reply = await call('fetchCurrentUser', [], frame)
  expect(JSON.parse(reply.error ?? '')).toMatchObject({ code: 'untrusted_window' })
  expect(reply).not.toHaveProperty('value')
  expect(reply).not.toHaveProperty('authState')
})

test('attack/136 a destroyed window receives nothing', async () => {
  const { client, call, received, sender } = start()
  await call('connect')
  Object.assign(sender, { destroyed: true })
  client.emit('maybeClosed', { at: 1 })
  expect(received).toEqual([])
})

test('attack/136 a window with a disposed frame receives nothing, and the main process continues', async () => {
  const { client, call, received, sender } = start()
  await call('connect')
  Object.defineProperty(sender, 'mainFrame', {
    get: () => {
      throw new Error('Render frame was disposed before WebFrameMain could be accessed')
    },
  })
  expect(() => client.emit('maybeClosed', { at: 1 })).not.toThrow()
  expect(received).toEqual([])
})

describe('the list of windows', () => {
  test.each([
    '*',
    'game',
    'https:',
    'https://game.example/',
    'https://*.example?',
    'https://user@game.example',
    '',
  ])('attack/136 with an invalid origin is rejected: %s', (origin) => {
    expect(() => harness.shell.start({ windows: [{ origin }] })).toThrow(/windows/)
  })

  test('grants access to no window if it is absent', async () => {
    harness.shell.start()
    expect(ipcMain.handlers.has('foyer:call')).toBe(false)
  })
})
