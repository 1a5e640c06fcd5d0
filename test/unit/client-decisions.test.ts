/** Parts of a client: names of options and events, origins of a backend, the state of a sign-in, and invitations. */
import { type ClientEvents, type ClientOptions, SessionError } from 'foyer-sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAuthState } from '../../src/client/context/auth-state'
import { resolveOptions } from '../../src/client/context/client-options'
import { ClientEmitter } from '../../src/client/client-emitter'
import { InvitationJoins } from '../../src/client/context/invitation-joins'
import { allowedOrigins, isOfOrigin, localServiceOrigin, resolveBackendUrl } from '../../src/client/methods/resolve-backend-url'
import type { ClientContext } from '../../src/client/context/client-context'
import { createServiceConfig } from '../../src/service/service-config'
import type { Session } from '../../src/tokens/session/session'
import { codeOf, rejection } from '../support/settle'

const HOST = 'https://service.test'

/** Every option with a value. The type check fails if one is missing. */
const OPTIONS: Record<keyof ClientOptions, unknown> = {
  applicationId: '1082700000000000001',
  service: { host: HOST },
  redirectUri: null,
  surface: null,
  fetch: null,
  clock: null,
  tokenStore: null,
  profile: null,
  refuseExtraScopes: null,
  requireIdToken: null,
  requestTimeout: null,
  maxWait: null,
  rateLimitStore: null,
  lobbyUpdates: null,
  backendOrigins: null,
  logger: null,
}

/** Every event. The type check fails if one is missing. */
const EVENTS: Record<keyof ClientEvents, true> = {
  statusChanged: true,
  sessionChanged: true,
  tokenExpiring: true,
  tokenRefreshed: true,
  maybeClosed: true,
  rateLimited: true,
  rateLimitDelayed: true,
  browserUnavailable: true,
  activityLaunched: true,
  activityParticipants: true,
  activityJoin: true,
  activityLobby: true,
  activityClosed: true,
  lobbyCreated: true,
  lobbyUpdated: true,
  lobbyDeleted: true,
  lobbyMessage: true,
  log: true,
}

const resolve = (options: object) => resolveOptions({ service: { host: HOST }, ...options }, undefined, async () => undefined)

describe('the options of a client', () => {
  it.each(Object.entries(OPTIONS))('may contain %s, but not a misspelling of it', async (name, value) => {
    expect(() => resolve({ [name]: value })).not.toThrow()
    expect(await rejection(() => resolve({ [`${name}s`]: value }))).toMatchObject({ message: expect.stringContaining(`mean ${name}?`) })
  })

  it('have defaults, also for undefined', () => {
    const given = { service: { host: HOST }, requestTimeout: undefined, profile: undefined } as never
    const options = resolveOptions(given, undefined, async () => undefined)
    expect(options).toMatchObject({ requestTimeout: 30_000, launchQuery: '', player: 'default', applicationId: undefined })
    expect(options.fetch).toBeTypeOf('function')
    expect(options.clock.now()).toBeTypeOf('number')
  })

  it('replace the defaults', () => {
    const given = { service: { host: HOST }, applicationId: 1082700000000000001n, requestTimeout: 5, profile: 'ada' }
    const options = resolveOptions(given, undefined, async () => undefined)
    expect(options).toMatchObject({ requestTimeout: 5, player: 'ada', applicationId: '1082700000000000001' })
  })

  it.each([
    ['an unknown name', { tokenstore: {} }],
    ['a number as the application id', { applicationId: 7 }],
    ['an application id that is none', { applicationId: 'x' }],
  ])('are refused with %s', async (_, changes) => {
    const given = { service: { host: HOST }, ...changes } as never
    expect(await codeOf(() => resolveOptions(given, undefined, async () => undefined))).toBe('invalid_argument')
  })
})

const createInContainer = (service: Record<string, unknown>) =>
  codeOf(() => createServiceConfig({ host: 'http://emulator:4320', ...service }))

describe('a service in a container', () => {
  it('is reached without encryption if its host is named for development', async () => {
    expect(await createInContainer({ developmentHosts: ['emulator'] })).toBeUndefined()
    expect(await createInContainer({})).toBe('insecure_endpoint')
    expect(await createInContainer({ developmentHosts: ['other', 'emulator.example'] })).toBe('insecure_endpoint')
    expect(await createInContainer({ developmentHosts: ['emulator'], tokenUrl: 'http://other/token' })).toBe('insecure_endpoint')
  })

  it('is refused in a production build, also if only the list is left', async () => {
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await createInContainer({ developmentHosts: ['emulator'] })).toBe('insecure_endpoint')
    expect(await createInContainer({ host: 'https://service.example', developmentHosts: ['emulator'] })).toBe('insecure_endpoint')
    expect(await createInContainer({ host: 'https://service.example' })).toBeUndefined()
  })

  it.each(['emulator', ['http://emulator'], ['emulator:4320'], [''], [7]])('is no host name: %j', async (developmentHosts) => {
    expect(await createInContainer({ developmentHosts })).toBe('invalid_argument')
  })
})

describe('the events of a client', () => {
  it.each(Object.keys(EVENTS))('include %s', (given) => {
    const name = given as keyof ClientEvents
    const emitter = new ClientEmitter()
    const seen: string[] = []
    const unsubscribe = emitter.subscribe(name, () => seen.push('subscribed'))
    expect(emitter.on(name, () => seen.push('on'))).toBe(emitter)
    emitter.once(name, () => seen.push('once'))
    emitter.emit(name, {} as never)
    unsubscribe()
    emitter.emit(name, {} as never)
    expect(seen).toEqual(['subscribed', 'on', 'once', 'on'])
  })

  it('include no other', async () => {
    const emitter = new ClientEmitter()
    for (const method of ['on', 'once', 'subscribe'] as const)
      expect(await codeOf(() => emitter[method]('sesionChanged' as never, () => undefined))).toBe('invalid_argument')
  })
})

describe('the origins of a backend', () => {
  it('may be https, and http on this machine', () => {
    const origins = ['https://game.example', 'https://game.example:8443/', 'http://localhost:3000', 'http://127.10.0.255', 'http://[::1]']
    expect(allowedOrigins(origins)).toEqual([
      'https://game.example',
      'https://game.example:8443',
      'http://localhost:3000',
      'http://127.10.0.255',
      'http://[::1]',
    ])
    expect(allowedOrigins()).toEqual([])
  })

  it.each([
    ['https://game.example/api', 'invalid_argument'],
    ['https://game.example?a', 'invalid_argument'],
    ['game.example', 'invalid_argument'],
    ['', 'invalid_argument'],
    [7, 'invalid_argument'],
    ['http://game.example', 'insecure_endpoint'],
    ['http://localhost.example', 'insecure_endpoint'],
    ['http://my.localhost', 'insecure_endpoint'],
    ['http://1127.0.0.1.example', 'insecure_endpoint'],
    ['ftp://game.example', 'insecure_endpoint'],
  ])('may not be %s', async (origin, code) => {
    expect(await codeOf(() => allowedOrigins([origin] as string[]))).toBe(code)
  })

  it('are a list', async () => {
    expect(await codeOf(() => allowedOrigins('https://game.example' as never))).toBe('invalid_argument')
  })

  it('contain every request', async () => {
    const origins = ['https://game.example', 'https://other.example']
    expect(resolveBackendUrl('/score?a=b', origins)).toBe('https://game.example/score?a=b')
    expect(resolveBackendUrl('https://other.example/x', origins)).toBe('https://other.example/x')
    const refused = [
      'https://evil.example/',
      'https://a@game.example/',
      'https://:b@game.example/',
      'http://game.example/',
      '//evil.example',
      'https://[',
    ]
    for (const url of refused) expect(await codeOf(() => resolveBackendUrl(url, origins))).toBe('invalid_argument')
    expect(await codeOf(() => resolveBackendUrl('/score', []))).toBe('invalid_argument')
    expect([isOfOrigin('https://game.example/x', origins), isOfOrigin('https://evil.example', origins), isOfOrigin('x', origins)]).toEqual([
      true,
      false,
      false,
    ])
    expect(isOfOrigin('x', [undefined])).toBe(false)
  })

  it('may be that of a service on this machine', () => {
    const hosts = ['http://localhost:3333', 'http://127.1.2.3:1', 'https://[::1]', 'https://service.test', 'x', 'http://127.0.0.1.example']
    expect(hosts.map((host) => localServiceOrigin(host))).toEqual([
      'http://localhost:3333',
      'http://127.1.2.3:1',
      'https://[::1]',
      undefined,
      undefined,
      undefined,
    ])
  })
})

const player = (userId: string) => ({ userId }) as unknown as Session
const [ada, bob] = [player('1'), player('2')]

/** The state of a client, and the events that it emits. */
function openState() {
  const events: string[] = []
  const state = createAuthState(((name: string, event: { session?: Session; status?: string; previous: unknown }) => {
    events.push(name === 'statusChanged' ? `${String(event.previous)} ${event.status}` : `session ${event.session?.userId}`)
    return true
  }) as never)
  state.onUserChanged = () => events.push('user')
  return { state, events }
}

describe('the state of a client', () => {
  it('emits what has changed', () => {
    const { state, events } = openState()
    state.set(null, 'disconnected')
    state.set(ada, 'ready')
    state.set(ada, 'ready')
    state.set(player('1'), 'ready')
    state.set(bob, 'reconnecting')
    state.clear()
    expect(events).toEqual([
      'session 1',
      'user',
      'disconnected ready',
      'session 1',
      'session 2',
      'user',
      'ready reconnecting',
      'session undefined',
      'user',
      'reconnecting disconnected',
    ])
  })

  it('is connecting during a sign-in without a session, and ready after it', async () => {
    const { state, events } = openState()
    expect(
      await state.runSignIn(
        async () => 7,
        async (outcome) => (outcome === 7 ? ada : null),
      ),
    ).toBe(ada)
    await state.runSignIn(
      async () => 7,
      async () => bob,
    )
    expect(events).toEqual(['disconnected connecting', 'session 1', 'user', 'connecting ready', 'session 2', 'user'])
  })

  it('is as before after a sign-in that failed', async () => {
    const { state, events } = openState()
    const fail = () =>
      state.runSignIn(
        () => Promise.reject(new Error('no')),
        async () => ada,
      )
    await expect(fail()).rejects.toThrow('no')
    state.set(ada, 'reconnecting')
    await expect(fail()).rejects.toThrow('no')
    expect([state.session, state.status]).toEqual([ada, 'reconnecting'])
    expect(events.slice(0, 2)).toEqual(['disconnected connecting', 'connecting disconnected'])
  })

  it('is signed out if the game signed out during the sign-in, or the session ended while it was stored', async () => {
    const { state } = openState()
    const first = state.runSignIn(
      async () => state.clear(),
      async () => ada,
    )
    await expect(first).rejects.toMatchObject({ code: 'signed_out' })
    const second = state.runSignIn(
      async () => undefined,
      async () => (state.clear(new SessionError('refresh_rejected')), ada),
    )
    await expect(second).rejects.toMatchObject({ code: 'signed_out' })
    const third = state.runSignIn(
      async () => undefined,
      async () => null,
    )
    await expect(third).rejects.toMatchObject({ code: 'signed_out' })
    expect([state.session, state.status]).toEqual([null, 'disconnected'])
  })

  it('is ready if only the previous session ended during the sign-in', async () => {
    const { state } = openState()
    const signingIn = state.runSignIn(
      async () => state.clear(new SessionError('refresh_rejected')),
      async () => ada,
    )
    expect(await signingIn).toBe(ada)
    expect(state.status).toBe('ready')
  })
})

function openJoins(join: (secret: string) => Promise<unknown> = async (secret) => ({ id: secret })) {
  const seen: unknown[] = []
  const joins = new InvitationJoins({
    joinLobby: join,
    emit: (name: string, { lobby }: { lobby: { id: string } }) => seen.push(`${name} ${lobby.id}`),
    log: (...entry: unknown[]) => seen.push(entry),
  } as unknown as ClientContext)
  return { joins, seen }
}

describe('accepted invitations', () => {
  it('are joined while they are followed, the last earlier one too', async () => {
    const { joins, seen } = openJoins()
    joins.accept('a')
    joins.accept('b')
    await Promise.resolve()
    expect(seen).toEqual([])
    const stop = joins.follow()
    const stopOther = joins.follow()
    await expect.poll(() => seen).toEqual(['activityLobby b'])
    stop()
    stop()
    joins.accept('c')
    await expect.poll(() => seen).toEqual(['activityLobby b', 'activityLobby c'])
    stopOther()
    joins.accept('d')
    await Promise.resolve()
    expect(seen).toHaveLength(2)
  })

  it.each([
    ['a code', new SessionError('signed_out'), 'signed_out'],
    ['none', new Error('x'), 'unknown'],
  ])('that cannot be joined are logged, with %s', async (_, error, code) => {
    const { joins, seen } = openJoins(() => Promise.reject(error))
    joins.follow()
    joins.accept('a')
    await expect.poll(() => seen).toEqual([['warn', 'activity.join_failed', { code }]])
  })
})
