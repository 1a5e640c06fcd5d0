/** security.md part 1, Electron: what a page may try on the client of the main process. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { Secret } from 'foyer-sdk/electron/main'
import { afterAll, describe, expect, test } from 'vitest'
import { codeOf, type Frame, GAME, openWindow, ORIGIN, useDoor } from '../support/electron/door-game'
import { opened } from '../support/electron/shell-game'
import { BrowserWindow, ipcMain, shell } from '../support/electron/stand-in.mjs'
import { closeWindows } from '../support/electron/window.mjs'

const PRELOAD = resolve('dist/electron/preload/index.cjs')
const file = useDoor()
const { start } = file
afterAll(() => closeWindows())

describe('a frame that is not the game', () => {
  test.each<[string, Frame | null]>([
    ['of another origin', { origin: 'https://evil.test', parent: null }],
    ['of an origin that begins alike', { origin: `${ORIGIN}.evil`, parent: null }],
    ['without an origin', { origin: 'null', parent: null }],
    ['inside the game', { origin: ORIGIN, parent: GAME }],
    ['with the game inside', { origin: ORIGIN, parent: { origin: 'https://evil.test', parent: null } }],
    ['that has gone', null],
  ])('attack/136 %s is told nothing, whatever it calls', async (_, frame) => {
    const { call, told } = start()
    for (const verb of ['connect', 'signIn', 'signOut', 'resume', 'fetchCurrentUser'])
      expect(await codeOf(call(verb, [], frame))).toBe('untrusted_window')
    expect(shell.opened).toEqual([])
    expect(told).toEqual([])
  })

  test('attack/136 stands in the game’s own page: a real frame with the preload script is refused', async () => {
    const server = createServer((incoming, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(incoming.url === '/' ? '<iframe src="/frame"></iframe>' : '<p>frame</p>')
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const origin = `http://localhost:${(server.address() as AddressInfo).port}`
    file.shell.start({ windows: [{ origin }] })
    const window = new BrowserWindow({ webPreferences: { preload: PRELOAD, nodeIntegrationInSubFrames: true } })
    try {
      await window.loadURL(`${origin}/`)
      const ask = `foyerBridge.call(JSON.stringify({ id: '1', verb: 'connect', args: [] }))`
      expect(await window.page.evaluate<string>(ask)).toContain('presence')
      const [, frame] = window.page.frames()
      expect(await frame?.evaluate<string>(ask)).toContain('untrusted_window')
    } finally {
      await window.destroy()
      server.closeAllConnections()
      server.close()
    }
  })

  test('attack/136 a page without context isolation gets no bridge', async () => {
    const window = new BrowserWindow({ webPreferences: { preload: PRELOAD, contextIsolation: false } })
    await window.loadURL('data:text/html,<p>game</p>')
    expect(await window.page.evaluate('typeof foyerBridge')).toBe('undefined')
    await window.destroy()
  })

  test('attack/136 a page that came after the game in its window is told nothing more', async () => {
    const { client, call, told, sender } = start()
    await call('connect')
    client.emit('maybeClosed', { at: 1 })
    expect(told).toHaveLength(1)
    Object.assign(sender, { mainFrame: { origin: 'https://evil.test', parent: null } })
    client.emit('maybeClosed', { at: 2 })
    Object.assign(sender, { mainFrame: GAME })
    sender.emit('did-navigate', {}, 'app://game/again')
    client.emit('maybeClosed', { at: 3 })
    expect(told).toHaveLength(1)
  })
})

test('attack/136 a window whose frame has just gone is told nothing, and the main process goes on', async () => {
  const { client, call, told, sender } = start()
  await call('connect')
  Object.defineProperty(sender, 'mainFrame', {
    get: () => {
      throw new Error('Render frame was disposed before WebFrameMain could be accessed')
    },
  })
  expect(() => client.emit('maybeClosed', { at: 1 })).not.toThrow()
  expect(told).toEqual([])
})

describe('a page that was taken over', () => {
  test.each([
    'constructor',
    '__proto__',
    'close',
    'on',
    'emit',
    'removeAllListeners',
    'setApplicationId',
    'open',
    'toString',
    'reveal',
    'fetch',
    '',
  ])('attack/136 cannot call what is not on the list: %s', async (verb) => {
    const { call } = start()
    expect(await codeOf(call(verb, ['https://evil.test']))).toBe('invalid_argument')
  })

  test('attack/136 cannot bring a surface of its own, which would be given the verifier', async () => {
    const { call } = start()
    const surface = { open: { $foyer: { kind: 'function', id: 'x' } } }
    expect(await codeOf(call('signIn', [{ surface }]))).toBe('invalid_argument')
    expect(await codeOf(call('authorize', [{ scopes: 'openid' }, { surface }]))).toBe('invalid_argument')
  })

  test.each([
    ['no text', 42],
    ['no JSON', '{'],
    ['no call', '[]'],
    ['a huge message', JSON.stringify({ id: '1', verb: 'signIn', args: ['x'.repeat(300_000)] })],
    ['a deep message', `{"id":"1","verb":"signIn","args":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['a mark that is none', JSON.stringify({ id: '1', verb: 'signIn', args: [{ $foyer: 1 }] })],
    ['a mark of another kind', JSON.stringify({ id: '1', verb: 'signIn', args: [{ $foyer: { kind: 'result' } }] })],
    [
      'a secret that it was never given',
      JSON.stringify({ id: '1', verb: 'getToken', args: [{ $foyer: { kind: 'reference', reference: 'guess' } }] }),
    ],
  ])('attack/136 %s is refused, and the next call works', async (_, message) => {
    const { send, call } = start()
    expect(await codeOf(send(message))).toBe('invalid_argument')
    expect(await call('resume')).toMatchObject({ value: 'null' })
  })

  test('attack/136 arguments of any shape end as a typed error, and the prototype of nothing is changed', async () => {
    const { call } = start()
    const shapes = [null, 1, 'x', [], { args: null }, { args: { scopes: 7 } }, JSON.parse('{"__proto__":{"polluted":true}}')]
    for (const shape of shapes) expect(await codeOf(call('authorize', [shape]))).toBe('invalid_argument')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('attack/136 has at most 32 calls under way', async () => {
    const { client, call } = start()
    Object.assign(client, { fetchCurrentUser: () => new Promise(() => undefined) })
    for (let i = 0; i < 32; i++) void call('fetchCurrentUser')
    expect(await codeOf(call('resume'))).toBe('invalid_argument')
  })

  test('attack/136 cannot say whose a token is: a copy of a token set is the one that it was made from', async () => {
    const given: unknown[] = []
    const { client, call } = start()
    const tokens = { accessToken: new Secret('the-token'), tokenType: 'Bearer', expiresAt: 1, scopes: [], claims: { sub: '1' } }
    Object.assign(client, { getToken: async () => tokens, updateToken: async (...args: unknown[]) => void given.push(...args) })
    const { value = '' } = await call('getToken')
    // As a page gives it back.
    const sealed = JSON.parse(value.replace('"withheld"', '"reference"'))
    expect(JSON.stringify(sealed)).not.toContain('the-token')
    await call('updateToken', ['Bearer', { ...sealed, claims: { sub: '2' }, refreshToken: { $foyer: { kind: 'secret', text: 'mine' } } }])
    await call('updateToken', ['Bearer', { accessToken: { $foyer: { kind: 'secret', text: 'mine' } }, claims: { sub: '2' } }])
    expect(given[1]).toBe(tokens)
    expect(given[3]).toBeInstanceOf(Secret)
  })

  test('attack/136 cannot keep the session from being renewed once its page has gone', async () => {
    const { client, call, sender } = start()
    let holds = 0
    Object.assign(client, {
      hold: () => {
        holds += 1
        return () => (holds -= 1)
      },
    })
    void call('hold', [{ signal: { $foyer: { kind: 'signal' } } }])
    await call('resume')
    expect(holds).toBe(1)
    sender.emit('render-process-gone')
    expect(holds).toBe(0)
  })

  test('attack/136 gets functions as names, which mean nothing to another window and end with the page', async () => {
    const { client, call, sender } = start()
    const ended: string[] = []
    Object.assign(client, { watchLobby: async (id: string) => () => ended.push(id) })
    const { value = '' } = await call('watchLobby', ['1'])
    const { kind, reference } = JSON.parse(value).$foyer
    expect(kind).toBe('undo')
    await call('undo', ['guess'])
    expect(ended).toEqual([])
    await call('undo', [reference])
    await call('undo', [reference])
    expect(ended).toEqual(['1'])
    await call('watchLobby', ['2'])
    sender.emit('did-navigate', {}, 'app://game/again')
    expect(ended).toEqual(['1', '2'])
  })

  test('attack/136 data of other players that looks like a mark of the SDK is data', async () => {
    const { client, call } = start()
    const metadata = { $foyer: { kind: 'withheld', reference: 'x' }, name: 'lobby' }
    Object.assign(client, { fetchCurrentUser: async () => ({ metadata }) })
    const { value = '' } = await call('fetchCurrentUser')
    expect(JSON.parse(value)).toEqual({
      metadata: {
        $foyer: { kind: 'plain' },
        entries: [
          ['$foyer', { kind: 'withheld', reference: 'x' }],
          ['name', 'lobby'],
        ],
      },
    })
  })

  test('attack/136 cannot cancel the calls of another window', async () => {
    const { client, send } = start()
    const id = 'known'
    const outcome = codeOf(
      send(JSON.stringify({ id, verb: 'authorize', args: [{ scopes: 'openid' }, { signal: { $foyer: { kind: 'signal' } } }] })),
    )
    await opened()
    ipcMain.emit('foyer:cancel', { sender: openWindow().sender, senderFrame: GAME }, id)
    client.abortAuthorize()
    expect(await outcome).toBe('aborted')
  })

  test('attack/136 gets no word of an error that is not the SDK’s own', async () => {
    const { client, call } = start()
    Object.assign(client, { fetchCurrentUser: () => Promise.reject(new TypeError('/home/player/secret-path')) })
    expect(JSON.stringify(await call('fetchCurrentUser'))).not.toContain('secret-path')
  })
})

describe('the rules', () => {
  test.each(['*', 'game', 'https:', 'https://game.example/', 'https://*.example?', 'https://user@game.example', ''])(
    'attack/136 an origin that is none is refused: %s',
    (origin) => {
      expect(() => file.shell.start({ windows: [{ origin }] })).toThrow(/windows/)
    },
  )

  test('without rules no window is let in', async () => {
    file.shell.start()
    expect(ipcMain.handlers.has('foyer:call')).toBe(false)
  })
})
