/** Attacks of a compromised page on the client of the main process. */
import { AuthorizationResult, Secret } from 'foyer-sdk/electron/main'
import { describe, expect, test } from 'vitest'
import { codeOf, GAME, openWindow, ORIGIN, useIpcGame } from '../../support/electron/ipc-game'
import { openedUrl } from '../../support/electron/main-process-game'
import { ipcMain } from '../../support/electron/fake-electron.mjs'

const { start } = useIpcGame()

test('attack/136 the main process keeps an authorization code even if the window may have tokens', async () => {
  const { client, call } = start({ windows: [{ origin: ORIGIN, tokens: () => true }] })
  const result = AuthorizationResult.fromTrustedCode('the-code', 'com.example.game:/authorize/callback')
  Object.assign(client, { authorize: async () => result, getToken: async () => new Secret('the-token') })
  const { value = '' } = await call('authorize')
  expect(JSON.parse(value).$foyer.kind).toBe('result')
  expect(value).not.toContain('the-code')
  expect((await call('getToken')).value).toContain('the-token')
})

describe('a compromised page', () => {
  test.each([
    'constructor',
    '__proto__',
    'close',
    'on',
    'emit',
    'removeAllListeners',
    'setApplicationId',
    'lobby.autoLeave',
    'activity.connect',
    'lobby.on',
    'lobby.constructor',
    'lobbies.get',
    'lobbies.toJSON',
    'accounts.constructor',
    'constructor.constructor',
    'open',
    'toString',
    'reveal',
    'fetch',
    'backend.fetch',
    '',
  ])('attack/136 cannot call an unlisted method: %s', async (path) => {
    const { call } = start()
    expect(await codeOf(call(path, ['https://evil.test']))).toBe('invalid_argument')
  })

  test('attack/136 cannot pass a surface of its own, which would receive the verifier', async () => {
    const { call } = start()
    const surface = { open: { $foyer: { kind: 'function', id: 'x' } } }
    expect(await codeOf(call('signIn', [{ surface }]))).toBe('invalid_argument')
    expect(await codeOf(call('authorize', [{ scopes: 'openid' }, { surface }]))).toBe('invalid_argument')
  })

  test.each([
    ['a message that is not a string', 42],
    ['a message that is not JSON', '{'],
    ['a message that is no call', '[]'],
    ['a huge message', JSON.stringify({ id: '1', path: 'signIn', args: ['x'.repeat(300_000)] })],
    [
      'a deeply nested message',
      `{"id":"1","path":"signIn","args":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    ],
    [
      'a nested message that fits the stack',
      `{"id":"1","path":"resume","args":${'['.repeat(40)}${']'.repeat(40)}}`,
    ],
    ['an unknown tag', JSON.stringify({ id: '1', path: 'signIn', args: [{ $foyer: 1 }] })],
    [
      'a tag of another kind',
      JSON.stringify({ id: '1', path: 'signIn', args: [{ $foyer: { kind: 'result' } }] }),
    ],
    [
      'a reference to an unknown secret',
      JSON.stringify({
        id: '1',
        path: 'getToken',
        args: [{ $foyer: { kind: 'reference', reference: 'guess' } }],
      }),
    ],
  ])('attack/136 is rejected with %s, and the next call works', async (_, message) => {
    const { send, call } = start()
    expect(await codeOf(send(message))).toBe('invalid_argument')
    expect(await call('resume')).toMatchObject({ value: 'null' })
  })

  test('attack/136 gets a typed error for arguments of any shape, and no prototype changes', async () => {
    const { call } = start()
    const shapes = [
      null,
      1,
      'x',
      [],
      { args: null },
      { args: { scopes: 7 } },
      JSON.parse('{"__proto__":{"polluted":true}}'),
    ]
    for (const shape of shapes) expect(await codeOf(call('authorize', [shape]))).toBe('invalid_argument')
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('attack/136 cannot reuse the ID of a pending call', async () => {
    const { client, send } = start()
    Object.assign(client, { fetchCurrentUser: () => new Promise(() => undefined) })
    void send(JSON.stringify({ id: 'same', path: 'fetchCurrentUser', args: [] }))
    expect(await codeOf(send(JSON.stringify({ id: 'same', path: 'resume', args: [] })))).toBe(
      'invalid_argument',
    )
  })

  test('attack/136 has references to 256 secrets, and the oldest is evicted first', async () => {
    const { client, call } = start()
    Object.assign(client, { getToken: async () => new Secret('x'), revokeToken: async () => 'revoked' })
    const given: string[] = []
    for (let i = 0; i < 257; i++)
      given.push(JSON.parse((await call('getToken')).value ?? '').$foyer.reference)
    const giveBack = (reference = '') => call('revokeToken', [{ $foyer: { kind: 'reference', reference } }])
    expect(await giveBack(given.at(-1))).toMatchObject({ value: '"revoked"' })
    expect(await codeOf(giveBack(given[0]))).toBe('invalid_argument')
  })

  test('attack/136 has at most 256 pending calls', async () => {
    const { client, call } = start()
    Object.assign(client, { fetchCurrentUser: () => new Promise(() => undefined) })
    for (let i = 0; i < 256; i++) void call('fetchCurrentUser')
    expect(await codeOf(call('resume'))).toBe('invalid_argument')
  })

  test('attack/136 cannot change the owner of a token: a copied token set resolves to its original', async () => {
    const given: unknown[] = []
    const { client, call } = start()
    const tokens = {
      accessToken: new Secret('the-token'),
      tokenType: 'Bearer',
      expiresAt: 1,
      scopes: [],
      claims: { sub: '1' },
    }
    Object.assign(client, {
      getToken: async () => tokens,
      updateToken: async (...args: unknown[]) => void given.push(...args),
    })
    const { value = '' } = await call('getToken')
    // The copy that a page sends.
    const sealed = JSON.parse(value.replace('"withheld"', '"reference"'))
    expect(JSON.stringify(sealed)).not.toContain('the-token')
    await call('updateToken', [
      { ...sealed, claims: { sub: '2' }, refreshToken: { $foyer: { kind: 'secret', text: 'mine' } } },
    ])
    await call('updateToken', [
      { accessToken: { $foyer: { kind: 'secret', text: 'mine' } }, claims: { sub: '2' } },
    ])
    expect(given[0]).toBe(tokens)
    expect(given[1]).toBeInstanceOf(Secret)
  })

  test('attack/136 cannot put refreshes on hold after it is gone', async () => {
    const { client, call, sender } = start()
    let holds = 0
    Object.assign(client, {
      pauseRefresh: () => {
        holds += 1
        return () => (holds -= 1)
      },
    })
    void call('pauseRefresh', [{ signal: { $foyer: { kind: 'signal' } } }])
    await call('resume')
    expect(holds).toBe(1)
    sender.emit('render-process-gone')
    expect(holds).toBe(0)
  })

  test('attack/136 gets functions as references, which are invalid in another window and end with the page', async () => {
    const { client, call, sender } = start()
    const ended: string[] = []
    Object.assign(client.lobbies, { get: (id: string) => ({ watch: async () => () => ended.push(id) }) })
    const { value = '' } = await call('lobby.watch', ['1'])
    const { kind, reference } = JSON.parse(value).$foyer
    expect(kind).toBe('undo')
    await call('undo', ['guess'])
    expect(ended).toEqual([])
    await call('undo', [reference])
    await call('undo', [reference])
    expect(ended).toEqual(['1'])
    await call('lobby.watch', ['2'])
    sender.emit('did-navigate', {}, 'app://game/again')
    expect(ended).toEqual(['1', '2'])
  })

  test('attack/136 gets data of other players that resembles a tag as data', async () => {
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
      send(
        JSON.stringify({
          id,
          path: 'authorize',
          args: [{ scopes: 'openid' }, { signal: { $foyer: { kind: 'signal' } } }],
        }),
      ),
    )
    await openedUrl()
    ipcMain.emit('foyer:cancel', { sender: openWindow().sender, senderFrame: GAME }, id)
    client.abortAuthorize()
    expect(await outcome).toBe('aborted')
  })

  test('attack/136 gets no text of an error from outside the SDK', async () => {
    const { client, call } = start()
    Object.assign(client, {
      fetchCurrentUser: () => Promise.reject(new TypeError('/home/player/secret-path')),
    })
    const response = await call('fetchCurrentUser')
    expect(JSON.stringify(response)).not.toContain('secret-path')
    expect(JSON.parse(response.error ?? '')).toMatchObject({
      name: 'ConfigurationError',
      code: 'invalid_argument',
    })
  })
})
