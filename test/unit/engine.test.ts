/** The facade for game engines: strings in, strings out, never an exception, every message later than its call. */
import * as Foyer from 'foyer-sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CALL_PATHS, createEngine, EVENTS, findCall, PROPERTIES } from '../support/internals'
import { strayErrors } from '../support/stray-errors'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

interface Message {
  id: number
  method: string
  ok: boolean
  value: unknown
  error: { code: string; message: string; retryable: boolean; help: string }
  event: string
  data: Record<string, unknown>
}
const INIT = JSON.stringify({ applicationId: CLIENT_ID, service: { host: HOST } })

const newEngine = () => {
  const engine = createEngine(Foyer)
  onTestFinished(() => void engine.call('close'))
  return engine
}
type Engine = ReturnType<typeof createEngine>

const call = (engine: Engine, method: string, args: unknown = '') =>
  new Promise<Message>(
    (resolve) => void engine.call(method, args as string, (json) => resolve(JSON.parse(json))),
  )

/** A client whose events the test emits. */
class EmittingClient extends Foyer.Client {
  send(...[name, event]: [name: keyof Foyer.ClientEvents, event: object]): void {
    this.emit(name, event as never)
  }
}

function createClientAt({ fetch, clock }: TokenService) {
  const client = new EmittingClient({ applicationId: CLIENT_ID, service: { host: HOST }, fetch, clock })
  onTestFinished(() => client.close())
  return client
}

/** An engine whose client a player has signed in to. */
async function signedIn(adapt: (fetch: TokenService['fetch']) => TokenService['fetch'] = (fetch) => fetch) {
  const service = await createTokenService()
  const client = createClientAt({ ...service, fetch: adapt(service.fetch) })
  const engine = newEngine()
  engine.use(client)
  await service.signIn(client)
  return { engine, client, service }
}

it('calls before init wait for it, in order, and their callbacks come later than the call', async () => {
  const engine = newEngine()
  const answers: string[] = []
  const note = (json: string) => {
    const { method, value }: Message = JSON.parse(json)
    answers.push(`${method} ${JSON.stringify(value)}`)
  }
  expect(engine.call('status', '', note)).toBe(1)
  expect(engine.call('applicationId', '', note)).toBe(2)
  expect(answers).toEqual([])
  await call(engine, 'init', INIT)
  await call(engine, 'lobbies')
  expect(answers).toEqual(['status "disconnected"', `applicationId "${CLIENT_ID}"`])
})

describe('without a client', () => {
  /** Every path, and names that are none: whatever is called, an answer comes. */
  const METHODS = [...Object.keys(CALL_PATHS), ...PROPERTIES, 'signin', '', 'lobby.sendAll']

  it.each(METHODS)('call("%s") fails, and says what to do', async (method) => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const engine = newEngine()
    const answer = call(engine, method)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await answer).toMatchObject({
      method,
      ok: false,
      error: {
        code: 'invalid_argument',
        message: expect.stringContaining("Call init with the client's options first, or use(client)"),
      },
    })
  })

  it('callOnGesture, and a call whose result is polled, fail in the same way', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const engine = newEngine()
    engine.callOnGesture('signIn')
    engine.call('resume')
    await vi.advanceTimersByTimeAsync(9999)
    expect(engine.poll()).toBe('[]')
    await vi.advanceTimersByTimeAsync(1)
    const polled: Message[] = JSON.parse(engine.poll())
    expect(polled.map(({ method, ok }) => [method, ok])).toEqual([
      ['signIn', false],
      ['resume', false],
    ])
    expect(polled[0]?.error.message).toContain('Call init')
  })

  it('close has nothing to close, and does not end the client of a later init', async () => {
    const engine = newEngine()
    expect(await call(engine, 'close')).toMatchObject({ ok: true })
    await call(engine, 'init', INIT)
    expect(await call(engine, 'status')).toMatchObject({ value: 'disconnected' })
  })

  it.each<[name: 'on' | 'use', given: unknown]>([
    ['on', undefined],
    ['on', 'callback'],
    ['use', undefined],
    ['use', {}],
    ['use', null],
  ])('%s(%j) is answered with the event refused', async (name, given) => {
    const engine = newEngine()
    Reflect.apply(engine[name], engine, [given])
    await Promise.resolve()
    expect(JSON.parse(engine.poll())).toEqual([
      {
        event: 'refused',
        data: {
          function: name,
          error: expect.objectContaining({
            code: 'invalid_argument',
            message: expect.stringMatching(/Give a (function|client)/),
          }),
        },
      },
    ])
  })

  it('no function of the engine is silent: each one is above, or has an effect of its own', () => {
    expect(Object.keys(createEngine(Foyer)).sort()).toEqual([
      'call',
      'callOnGesture',
      'cancel',
      'on',
      'poll',
      'use',
    ])
  })
})

it('a result names its call; an error has its code, whether it may be retried, and where the manual explains it', async () => {
  const { engine } = await signedIn()
  expect(await call(engine, 'status')).toEqual({ id: 1, method: 'status', ok: true, value: 'ready' })
  const failed = await call(engine, 'lobby.leave', '["no lobby"]')
  expect(failed).toMatchObject({ id: 2, method: 'lobby.leave', ok: false })
  expect(failed.error).toMatchObject({
    code: 'invalid_argument',
    retryable: false,
    help: expect.stringContaining('errors.md#'),
  })
})

it.each([
  ['text that is not JSON', 'lobbies.get', '{', 'invalid_argument'],
  ['an argument that is no text', 'lobbies.get', { id: '7' }, 'invalid_argument'],
  ['an unknown method', 'constructor', '', 'unsupported'],
  ['a method of the emitter', 'emit', '', 'unsupported'],
  ['an inherited name', 'toString', '', 'unsupported'],
  ['a method whose result JSON cannot express', 'authorize', '{}', 'unsupported'],
  ['a second init', 'init', INIT, 'invalid_argument'],
  ['arguments of a wrong type', 'setApplicationId', '[{}]', 'invalid_argument'],
  ['a surface without a name', 'signIn', '[{"surface":"window"}]', 'invalid_argument'],
])('%s is an error of the call', async (...[, method, args, code]) => {
  const { engine } = await signedIn()
  expect((await call(engine, method, args)).error.code).toBe(code)
})

it('wrong types, unknown ids and callbacks that throw never throw into the engine', async () => {
  using stray = strayErrors()
  const { engine } = await signedIn()
  const untyped = { ...engine } as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const args of [[], [null, null, null], [{}, {}, {}], ['status', undefined, 7]])
    expect(untyped['call']?.(...args)).toBeTypeOf('number')
  untyped['cancel']?.('99')
  untyped['on']?.('no function')
  engine.call('status', '', () => {
    throw new Error('of the game')
  })
  await call(engine, 'status')
  expect(await stray.errors()).toEqual(['Error: of the game'])
})

it('init creates the client from names: an unknown store is an error, and a known one is used', async () => {
  const engine = newEngine()
  const unknown = await call(engine, 'init', JSON.stringify({ ...JSON.parse(INIT), tokenStore: 'Client' }))
  expect(unknown.error.code).toBe('invalid_argument')
  const host = await call(engine, 'init', '{}')
  expect(host.error.code).toBe('missing_service_host')
  expect(
    (await call(engine, 'init', JSON.stringify({ ...JSON.parse(INIT), tokenStore: 'memoryStore' }))).ok,
  ).toBe(true)
})

it('sessions and events are JSON without tokens', async () => {
  const { engine, client } = await signedIn()
  const events: string[] = []
  engine.on((json) => events.push(json))
  const { value } = await call(engine, 'session')
  expect(value).toMatchObject({ userId: USER_ID, state: 'fresh' })
  await call(engine, 'signOut')
  const text = JSON.stringify(value) + events.join()
  expect(events.map((json) => (JSON.parse(json) as Message).event)).toEqual(
    expect.arrayContaining(['sessionChanged', 'statusChanged']),
  )
  expect(text).toContain('[secret]')
  expect(text).not.toMatch(/"(?:access|refresh)Token":"(?!\[secret\])/)
  expect(client.session).toBeNull()
})

it('polling returns results without a callback and events without a listener, each once', async () => {
  const { engine, client } = await signedIn()
  engine.poll()
  const id = engine.call('status')
  await client.signOut()
  await call(engine, 'status')
  const messages: Message[] = JSON.parse(engine.poll())
  expect(messages.map((message) => message.event ?? message.id)).toEqual(
    expect.arrayContaining([id, 'sessionChanged', 'statusChanged']),
  )
  expect(engine.poll()).toBe('[]')
})

it('a game that never polls loses the oldest messages, and the next poll counts them', async () => {
  const { engine } = await signedIn()
  await call(engine, 'status')
  engine.poll()
  for (let n = 0; n < 1003; n++) engine.call('status')
  await call(engine, 'status')
  const messages: Message[] = JSON.parse(engine.poll())
  expect(messages).toHaveLength(1001)
  expect(messages[0]).toEqual({ event: 'messagesDropped', data: { count: 3 } })
})

it.each([1001, 1, 5000])(
  'a result arrives whatever number of events comes before the poll: %i',
  async (count) => {
    const { engine, client } = await signedIn()
    await call(engine, 'status')
    engine.poll()
    const id = engine.call('status')
    await call(engine, 'status')
    for (let n = 0; n < count; n++) client.send('maybeClosed', { at: n })
    await call(engine, 'status')
    const messages: Message[] = JSON.parse(engine.poll())
    expect(messages.filter((message) => message.id === id)).toHaveLength(1)
    expect(messages.length).toBeLessThanOrEqual(1001)
  },
)

it('cancel aborts a call that waits for init, and one that runs, each with the code aborted', async () => {
  const engine = newEngine()
  const early = new Promise<Message>((resolve) =>
    engine.cancel(engine.call('status', '', (json) => resolve(JSON.parse(json)))),
  )
  expect((await early).error.code).toBe('aborted')
  const { engine: ready } = await signedIn()
  const running = new Promise<Message>((resolve) =>
    ready.cancel(ready.call('fetchCurrentUser', '', (json) => resolve(JSON.parse(json)))),
  )
  expect((await running).error.code).toBe('aborted')
})

it('cancel stops what a call has started', async () => {
  const { engine, client } = await signedIn()
  const holding = await call(engine, 'pauseRefresh')
  expect(holding).toMatchObject({ ok: true, value: null })
  let isHeld = true
  client.pauseRefresh = () => () => void (isHeld = false)
  const { id } = await call(engine, 'pauseRefresh')
  engine.cancel(id)
  engine.cancel(id)
  expect(isHeld).toBe(false)
})

it('a closed client is replaced by another init', async () => {
  const engine = newEngine()
  await call(engine, 'init', INIT)
  await call(engine, 'close')
  const waits = call(engine, 'status')
  expect((await call(engine, 'init', INIT)).ok).toBe(true)
  expect((await waits).value).toBe('disconnected')
})

it('a response of the backend is its status and its text', async () => {
  const service = await createTokenService()
  const client = createClientAt(service)
  client.backend.fetch = async () => new Response('42 points', { status: 202 })
  const engine = newEngine()
  engine.use(client)
  expect((await call(engine, 'backend.fetch', '["https://game.example/score"]')).value).toEqual({
    status: 202,
    body: '42 points',
  })
})

const LOBBY = { id: '7', application_id: CLIENT_ID, members: [{ id: USER_ID }] }

it('all calls and properties exist in the client and its lobbies', async () => {
  const { client } = await signedIn()
  await client.lobbies.add(LOBBY)
  // The program of the player's computer is reached from Electron only: in a page the group is null.
  const ofPages = Object.keys(CALL_PATHS).filter((path) => !path.startsWith('desktop.'))
  expect(ofPages.filter((path) => !findCall(client, path, ['7']))).toEqual([])
  expect(client.desktop).toBeNull()
  const missing = PROPERTIES.filter((path) => {
    const [group = '', name] = path.split('.')
    return !(name === undefined ? group in client : name in Object(Reflect.get(client, group)))
  })
  expect(missing).toEqual([])
})

it('all events but the log arrive', async () => {
  const client = createClientAt(await createTokenService())
  const engine = newEngine()
  engine.use(client)
  const names: (keyof Foyer.ClientEvents)[] = ['log', ...EVENTS]
  for (const name of names) client.send(name, { at: 1 })
  await call(engine, 'status')
  const messages: Message[] = JSON.parse(engine.poll())
  expect(messages).toEqual(EVENTS.map((event) => ({ event, data: { at: 1 } })))
})

it('a lobby is its state as JSON, and its calls have its id first', async () => {
  const { engine, client } = await signedIn()
  const lobby = await client.lobbies.add(LOBBY)
  const state = { id: '7', members: [{ id: USER_ID }] }
  expect((await call(engine, 'lobbies.get', '["7"]')).value).toMatchObject(state)
  expect((await call(engine, 'lobbies')).value).toMatchObject([state])
  const sent: unknown[] = []
  lobby.send = async (...args) => {
    sent.push(args)
    return { id: '70' } as Foyer.LobbyMessage
  }
  expect((await call(engine, 'lobby.send', '["7", "Hi", { "metadata": { "a": "b" } }]')).value).toEqual({
    id: '70',
  })
  expect(sent).toEqual([['Hi', { metadata: { a: 'b' }, signal: expect.any(AbortSignal) }]])
})

const left = async () => new Response(null, { status: 204 })

it.each<[string, (client: Foyer.Client, lobby: Foyer.Lobby) => unknown]>([
  ['left', (_, lobby) => lobby.leave()],
  ['signed_out', (client) => client.signOut()],
])('a call of a lobby that ended with %s is an unknown_lobby that says so', async (reason, end) => {
  const { engine, client } = await signedIn(
    (fetch) => (url, init) => (url.includes('/lobbies') ? left() : fetch(url, init)),
  )
  const lobby = await client.lobbies.add(LOBBY)
  await end(client, lobby)
  expect((await call(engine, 'lobby.send', '["7", "Hi"]')).error).toMatchObject({
    code: 'unknown_lobby',
    message: expect.stringContaining(`ended with ${reason}`),
  })
  expect((await call(engine, 'lobby.send', '["8", "Hi"]')).error.code).toBe('invalid_argument')
})

const ENGINE = { applicationId: CLIENT_ID, service: { host: HOST } }
/** Remedies of the facade for game engines, which reports errors as JSON. */
const IN_ENGINES: readonly (readonly [remedy: string, wrong: EngineCalls, right: EngineCalls])[] = [
  [
    'Pass the arguments as a JSON array',
    [
      ['init', ENGINE],
      ['lobby.leave', 'no JSON'],
    ],
    [
      ['init', ENGINE],
      ['lobbies', []],
    ],
  ],
  [
    'docs/engines.md lists the methods',
    [
      ['init', ENGINE],
      ['signOff', []],
    ],
    [
      ['init', ENGINE],
      ['signOut', []],
    ],
  ],
  ['Name the service', [['init', { applicationId: CLIENT_ID }]], [['init', ENGINE]]],
  [
    'Call close before another init',
    [
      ['init', ENGINE],
      ['init', ENGINE],
    ],
    [
      ['init', ENGINE],
      ['close', []],
      ['init', ENGINE],
    ],
  ],
  [
    'Name a function, for example "indexedDbStore"',
    [['init', { ...ENGINE, tokenStore: 'indexedDb' }]],
    [['init', { ...ENGINE, tokenStore: 'indexedDbStore' }]],
  ],
  [
    'The only name is "redirect"',
    [['init', { ...ENGINE, surface: 'popup' }]],
    [['init', { ...ENGINE, surface: 'redirect' }]],
  ],
]
type EngineCalls = readonly (readonly [method: string, args: unknown])[]

/** Calls one after the other, and returns the message of the last error. */
async function callEngine(calls: EngineCalls): Promise<string> {
  const engine = newEngine()
  let message = ''
  for (const [method, args] of calls) {
    const json = typeof args === 'string' ? args : JSON.stringify(args)
    const { ok, error } = await new Promise<{ ok: boolean; error?: { message: string } }>((resolve) => {
      engine.call(method, json, (result) => resolve(JSON.parse(result)))
    })
    if (!ok) message = error?.message ?? ''
  }
  return message
}

it.each(IN_ENGINES)('in engines: %s', async (remedy, wrong, right) => {
  expect(await callEngine(wrong)).toContain(remedy)
  expect(await callEngine(right)).toBe('')
})
