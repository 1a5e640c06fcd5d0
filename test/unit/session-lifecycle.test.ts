/** The session of one client under concurrent events and changes by other clients. */
import { type ClientOptions, Secret, type TokenStore } from 'foyer-sdk'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { EnvironmentListener, SessionEnvironment } from '../support/internals'
import { CoreClient, resolveOptions, singleClientEnvironment } from '../support/internals'
import { clientSessions } from '../support/client-sessions'
import { callbackTo, silentSurface } from '../support/scripted-surface'
import { createClientAt } from '../support/local-client'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'
import { settle } from '../support/settle'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const KEY = `foyer:session:${HOST} ${CLIENT_ID} default`
let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})

const createGame = (options?: Partial<ClientOptions>) => createClientAt(service, options)

function openStore() {
  const texts = new Map<string, string>()
  const store: TokenStore = {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => void texts.delete(key),
  }
  return { texts, store }
}

const throwing = () => {
  throw new Error('no promise')
}
const loseResponse = () => Promise.reject(new TypeError('Failed to fetch'))

describe('signing out', () => {
  it('during a sign-in drops its response and stores nothing', async () => {
    const { texts, store } = openStore()
    const client = createGame({ tokenStore: store })
    const surface = silentSurface()
    const signingIn = client.signIn({ surface })
    await client.signOut()
    const [url = new URL(HOST)] = surface.opened
    service.claims = { nonce: url.searchParams.get('nonce') }
    await client.handleCallback(callbackTo(url, { iss: HOST }))
    await expect(signingIn).rejects.toMatchObject({ code: 'signed_out' })
    expect(client).toMatchObject({ session: null, status: 'disconnected' })
    expect([...texts.values()].join()).not.toContain('access-1')
  })

  it('while the session is being stored ends the sign-in and the stored session', async () => {
    const { texts, store } = openStore()
    const gate = new EventTarget()
    const seen = new Promise((resolve) => gate.addEventListener('seen', resolve))
    const written = new Promise((resolve) => gate.addEventListener('written', resolve))
    const set: TokenStore['set'] = async (key, text) => {
      gate.dispatchEvent(new Event('seen'))
      await written
      texts.set(key, text)
    }
    const client = createGame({ tokenStore: { ...store, set } })
    const signingIn = service.signIn(client)
    await seen
    const signedOut = client.signOut()
    gate.dispatchEvent(new Event('written'))
    await expect(signingIn).rejects.toMatchObject({ code: 'signed_out' })
    await signedOut
    expect(client.session).toBeNull()
    expect(await createGame({ tokenStore: store }).resume()).toBeNull()
  })

  it('by a listener, just before new tokens are announced, does not restore a session', async () => {
    const { store } = openStore()
    const left: Promise<unknown>[] = []
    const client = createGame({ tokenStore: { ...store, set: () => Promise.reject(new Error('full')) } })
    await service.signIn(client)
    const users: unknown[] = []
    client.on('sessionChanged', ({ session }) => users.push(session?.userId))
    client.on('log', ({ step }) => {
      if (step === 'session.store_failed' && left.length === 0) left.push(client.signOut())
    })
    await client.refreshToken()
    await Promise.all(left)
    expect(users).toEqual([undefined])
    expect(client).toMatchObject({ session: null, status: 'disconnected' })
  })

  it('with a store that throws at once leaves no timer whose rejection nobody handles', async () => {
    const client = createGame({ tokenStore: { get: throwing, set: throwing, delete: throwing } })
    expect(await client.resume()).toBeNull()
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => unhandled.push(reason)
    process.on('unhandledRejection', listener)
    service.clock.advance(5000)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  })

  it('with revoke also ends a stored session that was not restored yet', async () => {
    const { store } = openStore()
    await service.signIn(createGame({ tokenStore: store }))
    expect(await createGame({ tokenStore: store }).signOut({ revoke: true })).toEqual({ revoked: true })
    expect(service.sent.at(-1)?.form.get('token')).toBe('refresh-1')
    expect(await createGame({ tokenStore: store }).resume()).toBeNull()
  })

  it('does not touch a session that another client has stored meanwhile', async () => {
    const { store } = openStore()
    const [first, second] = [createGame({ tokenStore: store }), createGame({ tokenStore: store })]
    await service.signIn(first)
    await service.signIn(second)
    await first.signOut()
    expect((await createGame({ tokenStore: store }).resume())?.tokens.refreshToken?.reveal()).toBe(
      'refresh-2',
    )
  })

  it('ends no session other than the one named by the end marker', async () => {
    const { texts, store } = openStore()
    const client = createGame({ tokenStore: store })
    await service.signIn(client)
    texts.set(KEY, JSON.stringify({ v: 1, ended: 'A'.repeat(43), why: 'signed_out' }))
    await client.refreshToken()
    expect(client.session?.tokens.refreshToken?.reveal()).toBe('refresh-2')
    expect((await createGame({ tokenStore: store }).resume())?.userId).toBe(USER_ID)
  })

  it('just before a sign-in does not cancel it', async () => {
    const client = createGame()
    await service.signIn(client)
    const [signedOut, signingIn] = [client.signOut(), service.signIn(client)]
    await signedOut
    expect((await signingIn).tokens.refreshToken?.reveal()).toBe('refresh-2')
    expect(client).toMatchObject({ session: { userId: USER_ID }, status: 'ready' })
  })

  it('is independent of revoking another token', async () => {
    const client = createGame()
    await service.signIn(client)
    await client.revokeToken('a-token-of-before')
    expect(client.session?.userId).toBe(USER_ID)
    await client.revokeToken(new Secret('access-1'))
    expect(client.session).toBeNull()
  })
})

describe('a token', () => {
  it('that cannot be refreshed makes an expired client reconnecting, and a later refresh makes it ready', async () => {
    const client = createGame()
    await service.signIn(client)
    service.override = loseResponse
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'connection_failed' })
    expect(client.status).toBe('ready')
    service.clock.advance(8 * DAY)
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'connection_failed' })
    expect(client.status).toBe('reconnecting')
    service.override = undefined
    service.clock.advance(31_000)
    await client.refreshToken().catch(() => undefined)
    await expect.poll(() => client.status).toBe('ready')
  })

  it('without a refresh token is sent even if it seems expired, since only the service has the exact time', async () => {
    const client = createGame()
    await service.tokens()
    await client.updateToken('access-1')
    service.clock.advance(2 * HOUR)
    expect(client.session?.state).toBe('stale')
    expect((await client.fetchCurrentUser()).id).toBe(USER_ID)
  })

  it('is stale from the millisecond in which it expires', async () => {
    const client = createGame()
    await service.tokens()
    const { expiresAt } = (await client.updateToken('access-1')).tokens
    service.clock.advance(expiresAt - service.clock.now() - 1)
    expect(client.session?.state).toBe('fresh')
    service.clock.advance(1)
    expect(client.session?.state).toBe('stale')
  })

  it('of a session without a refresh token is redeemed with a refresh token that the game gives', async () => {
    const client = createGame()
    await service.tokens()
    await client.updateToken('access-1')
    expect((await client.refreshToken('refresh-1')).accessToken.reveal()).toBe('access-2')
  })

  it('given alone is sent to the service, and an abort cancels that request', async () => {
    let sent: AbortSignal | null | undefined
    const client = createGame({
      fetch: async (_, { signal }) => {
        sent = signal
        return new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))),
        )
      },
    })
    const controller = new AbortController()
    const update = client.updateToken('access-1', { signal: controller.signal })
    await expect.poll(() => sent).toBeDefined()
    controller.abort()
    await expect(update).rejects.toMatchObject({ name: 'NetworkError', code: 'aborted' })
    expect(sent?.aborted).toBe(true)
    expect(client.session).toBeNull()
  })

  it('due for refresh during sleep is refreshed two seconds after waking', async () => {
    // Timers stop while a machine sleeps; its clock does not.
    let slept = 0
    const clock = { now: () => service.clock.now() + slept, after: service.clock.after.bind(service.clock) }
    const listeners: EnvironmentListener[] = []
    const environment: SessionEnvironment = {
      ...singleClientEnvironment(),
      watch: (listener) => (listeners.push(listener), () => undefined),
    }
    const options = { applicationId: CLIENT_ID, service: { host: HOST }, fetch: service.fetch, clock }
    const loadSessions = async (context: Parameters<typeof clientSessions>[0]) =>
      clientSessions(context, environment)
    const client = new CoreClient({
      ...resolveOptions(options, undefined, async () => undefined),
      loadSessions,
    })
    onTestFinished(() => client.close())
    await service.signIn(client)
    slept = 4 * DAY
    for (const { awake } of listeners) awake()
    service.clock.advance(1999)
    expect(service.refreshes()).toEqual([])
    service.clock.advance(1)
    await expect.poll(() => service.refreshes().length).toBe(1)
  })

  it('rejected right after a refresh is not refreshed again for half a minute', async () => {
    const client = createGame()
    await service.signIn(client)
    service.sent.length = 0
    const rejected = async () => {
      service.access.clear()
      await expect(client.fetchCurrentUser()).rejects.toMatchObject({ status: 401 })
    }
    service.override = async (_, original) => {
      const response = await original()
      service.access.clear()
      return response
    }
    await rejected()
    await rejected()
    expect(service.refreshes()).toHaveLength(1)
    expect(service.sent.filter(({ url }) => url.endsWith('/users/@me'))).toHaveLength(3)
    service.clock.advance(30_000)
    await rejected()
    expect(service.refreshes()).toHaveLength(2)
  })

  it('with an unprocessed response is dropped with its session', async () => {
    let areKeysThere = true
    const client = createGame({
      fetch: (url, init) =>
        url.endsWith('/oauth2/keys') && !areKeysThere ? loseResponse() : service.fetch(url, init),
    })
    await service.signIn(client)
    const release = client.pauseRefresh()
    service.clock.advance(2 * DAY)
    areKeysThere = false
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'keys_unavailable' })
    areKeysThere = true
    service.clock.advance(60_000)
    await service.signIn(client)
    const current = client.session?.tokens.refreshToken?.reveal()
    await client.refreshToken()
    expect(service.refreshes().at(-1)?.form.get('refresh_token')).toBe(current)
    release()
  })
})

describe('a refresh', () => {
  it.each([
    ['a nonce of another sign-in', {}, { nonce: 'another' }],
    ['the auth_time of another sign-in', { auth_time: 1 }, { auth_time: 2 }],
  ])('whose ID token has %s is rejected, and the session stays', async (_, first, then) => {
    const client = createGame()
    service.claims = first
    await service.signIn(client)
    service.claims = then
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'invalid_id_token' })
    expect(client.session?.tokens.refreshToken?.reveal()).toBe('refresh-1')
  })

  it('that is delayed is not put off for days when the clock is set back', async () => {
    let offset = 0
    const clock = { now: () => service.clock.now() + offset, after: service.clock.after.bind(service.clock) }
    const client = createGame({ clock })
    await service.signIn(client)
    service.override = loseResponse
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'connection_failed' })
    service.override = undefined
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'refresh_in_doubt' })
    offset = -10 * DAY
    await client.refreshToken()
    expect(client.session?.tokens.refreshToken?.reveal()).toBe('refresh-2')
  })

  it('does not start early during a hold, and starts within a minute after it', async () => {
    const client = createGame()
    await service.signIn(client)
    await client.fetchCurrentUser()
    const release = client.pauseRefresh()
    service.clock.advance(5 * DAY)
    await settle()
    expect(service.refreshes()).toEqual([])
    release()
    service.clock.advance(60_000)
    await expect.poll(() => service.refreshes().length).toBe(1)
  })

  it('whose response arrived during sleep is processed on waking', async () => {
    const client = createGame()
    await service.signIn(client)
    const release = service.delayResponses()
    const refresh = client.refreshToken()
    await expect.poll(() => service.refreshes().length).toBe(1)
    service.clock.sleep(8 * HOUR)
    release()
    expect((await refresh).refreshToken?.reveal()).toBe('refresh-2')
  })

  it('is aborted for one caller, and the others get its tokens', async () => {
    const client = createGame()
    await service.signIn(client)
    const release = service.delayResponses()
    const stop = new AbortController()
    const aborted = client
      .refreshToken(undefined, { signal: stop.signal })
      .catch((error: { code: string }) => error.code)
    const refresh = client.refreshToken()
    await expect.poll(() => service.refreshes().length).toBe(1)
    stop.abort()
    release()
    expect((await refresh).refreshToken?.reveal()).toBe('refresh-2')
    expect(await aborted).toBe('aborted')
  })

  it('without a response is given up at its timeout', async () => {
    const client = createGame()
    await service.signIn(client)
    service.override = () => new Promise(() => undefined)
    const refresh = client.refreshToken()
    await expect.poll(() => service.refreshes().length).toBe(1)
    service.clock.advance(10_000)
    await expect(refresh).rejects.toMatchObject({ code: 'timed_out' })
  })

  it('that is not possible is announced once per token', async () => {
    const client = createGame()
    await service.tokens()
    const reported: string[] = []
    client.on('tokenExpiring', ({ session }) => reported.push(session.tokens.accessToken.reveal()))
    await client.updateToken('access-1')
    service.clock.advance(50 * 60_000)
    expect(reported).toEqual([])
    for (let minutes = 0; minutes < 60; minutes += 10) service.clock.advance(600_000)
    expect(reported).toEqual(['access-1'])
  })
})

describe('the game', () => {
  it('receives no notification while a lock is held', async () => {
    const alone = singleClientEnvironment()
    let held = 0
    const received: [string, number][] = []
    const environment: SessionEnvironment = {
      ...alone,
      lock: (name, options, work) =>
        alone.lock(name, options, async (lock) => {
          held += 1
          try {
            return await work(lock)
          } finally {
            held -= 1
          }
        }),
    }
    const { store } = openStore()
    const options = {
      applicationId: CLIENT_ID,
      service: { host: HOST },
      fetch: service.fetch,
      clock: service.clock,
      tokenStore: store,
    }
    const loadSessions = async (context: Parameters<typeof clientSessions>[0]) =>
      clientSessions(context, environment)
    const client = new CoreClient({
      ...resolveOptions(options, undefined, async () => undefined),
      loadSessions,
    })
    onTestFinished(() => client.close())
    for (const event of ['sessionChanged', 'tokenRefreshed', 'statusChanged'] as const)
      client.on(event, () => received.push([event, held]))
    await service.signIn(client)
    await client.refreshToken()
    service.good.clear()
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'refresh_rejected' })
    expect(received.map(([event]) => event)).toEqual([
      'statusChanged',
      'sessionChanged',
      'statusChanged',
      'tokenRefreshed',
      'sessionChanged',
      'statusChanged',
    ])
    expect(received.filter(([, locks]) => locks > 0)).toEqual([])
  })
})
