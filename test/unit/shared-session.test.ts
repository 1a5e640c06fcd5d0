// @vitest-environment happy-dom
/** Clients that share one store: sessions they adopt, and sessions they ignore. */
import type { Client, ClientOptions, TokenStore } from 'foyer-sdk'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createClientAt } from '../support/local-client'
import { codeOf, settle } from '../support/settle'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

const KEY = `foyer:session:${HOST} ${CLIENT_ID} default`
const OTHER_APPLICATION = '1287654321098765555'
let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})

const createTab = (options: Partial<ClientOptions>) => createClientAt(service, options)

function openStore() {
  const texts = new Map<string, string>()
  const tokenStore: TokenStore = {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => void texts.delete(key),
  }
  return { texts, tokenStore }
}

const nextSession = (client: Client) =>
  new Promise<string | undefined>((resolve) =>
    client.on('sessionChanged', ({ session }) => resolve(session?.userId)),
  )
const wake = () => dispatchEvent(new Event('focus'))

describe('a tab without a session', () => {
  it('adopts the session when another tab signs a player in', async () => {
    const { tokenStore } = openStore()
    const [tab, other] = [createTab({ tokenStore }), createTab({ tokenStore })]
    expect(await other.resume()).toBeNull()
    const changed = nextSession(other)
    await service.signIn(tab)
    expect(await changed).toBe(USER_ID)
    expect(other.status).toBe('ready')
    expect((await other.fetchCurrentUser()).id).toBe(USER_ID)
  })

  it('adopts a new session after a sign-out in all tabs', async () => {
    const { tokenStore } = openStore()
    const [tab, other] = [createTab({ tokenStore }), createTab({ tokenStore })]
    await service.signIn(tab)
    await other.resume()
    const out = nextSession(other)
    await tab.signOut()
    expect(await out).toBeUndefined()
    const changed = nextSession(other)
    await service.signIn(tab)
    expect(await changed).toBe(USER_ID)
  })

  it('refreshes an adopted session and notifies the first tab', async () => {
    const { tokenStore } = openStore()
    const [tab, other] = [createTab({ tokenStore }), createTab({ tokenStore })]
    await other.resume()
    const changed = nextSession(other)
    await service.signIn(tab)
    await changed
    const refreshed = new Promise<boolean>((resolve) =>
      tab.on('tokenRefreshed', ({ elsewhere }) => resolve(elsewhere)),
    )
    const refresh = other.refreshToken()
    await expect.poll(() => service.clock.waiting).toBeGreaterThan(2)
    await expect
      .poll(() => {
        service.clock.advance(1000)
        return service.refreshes().length
      })
      .toBe(1)
    expect((await refresh).refreshToken?.reveal()).toBe('refresh-2')
    expect(await refreshed).toBe(true)
  })

  it('adopts no session before its first request for one', async () => {
    const { tokenStore } = openStore()
    const [tab, other] = [createTab({ tokenStore }), createTab({ tokenStore })]
    await other.signOut()
    await service.signIn(tab)
    wake()
    await tab.signOut()
    await service.signIn(tab)
    for (let turn = 0; turn < 10; turn++) await settle()
    expect(other.session).toBeNull()
  })

  it.each([
    ['could not delete', false],
    ['could neither read nor delete', true],
  ])('does not restore a player whom the store %s', async (_, isUnreadable) => {
    const { texts, tokenStore } = openStore()
    const failing = { ...tokenStore }
    const tab = createTab({ tokenStore: failing })
    await service.signIn(tab)
    failing.set = failing.delete = () => Promise.reject(new Error('full'))
    if (isUnreadable) failing.get = () => Promise.reject(new Error('unreadable'))
    await tab.signOut()
    expect(texts.get(KEY)).toContain('access-1')
    const seen: unknown[] = []
    tab.on('sessionChanged', (event) => seen.push(event))
    const read = new Promise<void>((resolve) => {
      failing.get = async (key) => {
        setTimeout(resolve)
        return texts.get(key)
      }
    })
    wake()
    await read
    expect(seen).toEqual([])
    expect(tab.session).toBeNull()
  })
})

/** Returns a tab that waits for this key of the store, and the function that ends the wait. */
async function startFinding(key: string) {
  const { texts, tokenStore } = openStore()
  const gate = new EventTarget()
  const opened = new Promise((resolve) => gate.addEventListener('open', resolve))
  const slow = { ...tokenStore }
  const other = createTab({ tokenStore: slow })
  await other.resume()
  await service.signIn(createTab({ tokenStore }))
  const reading = new Promise<void>((resolve) => {
    slow.get = async (wanted) => {
      if (wanted === key) {
        resolve()
        await opened
      }
      return texts.get(wanted)
    }
  })
  wake()
  await reading
  return { other, release: () => void gate.dispatchEvent(new Event('open')) }
}

describe('a tab that is about to find the session of another tab', () => {
  it('has none after signing out', async () => {
    const { other, release } = await startFinding(KEY)
    const signingOut = other.signOut({ revoke: true })
    release()
    await signingOut
    expect(other).toMatchObject({ session: null, status: 'disconnected' })
  })

  it('has none once it is closed', async () => {
    const { other, release } = await startFinding(`${KEY} epoch`)
    other.close()
    release()
    for (let turn = 0; turn < 10; turn++) await settle()
    expect(other).toMatchObject({ session: null, status: 'disconnected' })
  })
})

/** Advances the clock until a condition is met. */
async function passUntil(done: () => boolean): Promise<void> {
  await expect
    .poll(() => {
      if (!done()) service.clock.advance(500)
      return done()
    })
    .toBe(true)
}

describe('without Web Locks, a call during a refresh by another tab', () => {
  it('waits for it and gets its tokens', async () => {
    const { tokenStore } = openStore()
    const [tab, other] = [createTab({ tokenStore }), createTab({ tokenStore })]
    await service.signIn(tab)
    await other.resume()
    const release = service.delayResponses()
    const refresh = tab.refreshToken()
    await passUntil(() => service.refreshes().length === 1)
    const waiting = [other.refreshToken(), other.refreshToken()]
    const state = { ended: false }
    void Promise.allSettled(waiting).then(() => (state.ended = true))
    for (let seconds = 0; seconds < 3; seconds++) {
      await new Promise((resolve) => setTimeout(resolve))
      service.clock.advance(1000)
    }
    expect(state.ended).toBe(false)
    release()
    const tokens = await Promise.all([refresh, ...waiting])
    expect(tokens.map(({ refreshToken }) => refreshToken?.reveal())).toEqual([
      'refresh-2',
      'refresh-2',
      'refresh-2',
    ])
    expect(service.refreshes()).toHaveLength(1)
  })

  it('refreshes itself if the other tab has died', async () => {
    const { texts, tokenStore } = openStore()
    const tab = createTab({ tokenStore })
    await service.signIn(tab)
    const now = service.clock.now()
    const attempt = { at: now, tries: 1, outcome: 'sent', retryAt: now + 30_000 }
    texts.set(KEY, JSON.stringify({ ...Object(JSON.parse(texts.get(KEY) ?? '')), attempt }))
    const refresh = tab.refreshToken()
    await passUntil(() => service.refreshes().length === 1)
    expect((await refresh).refreshToken?.reveal()).toBe('refresh-2')
    expect(service.clock.now() - now).toBeGreaterThanOrEqual(12_000)
  })

  it('gives up after twelve seconds if the other tab always starts anew', async () => {
    const { texts, tokenStore } = openStore()
    const starting = { ...tokenStore }
    const tab = createTab({ tokenStore: starting })
    await service.signIn(tab)
    const begin = service.clock.now()
    starting.get = async (key) => {
      const text = texts.get(key)
      const now = service.clock.now()
      const attempt = { at: now, tries: 1, outcome: 'sent', retryAt: now + 30_000 }
      return key === KEY && text ? JSON.stringify({ ...Object(JSON.parse(text)), attempt }) : text
    }
    let code: unknown
    void codeOf(() => tab.refreshToken()).then((found) => (code = found))
    await passUntil(() => code !== undefined || service.clock.now() - begin > 60_000)
    expect(code).toBe('refresh_in_doubt')
    expect(service.clock.now() - begin).toBeLessThan(15_000)
    expect(service.refreshes()).toEqual([])
  })

  it('ends with the session and with the client', async () => {
    const { texts, tokenStore } = openStore()
    const [tab, other] = [createTab({ tokenStore }), createTab({ tokenStore })]
    await service.signIn(tab)
    await other.resume()
    const now = service.clock.now()
    const attempt = { at: now, tries: 1, outcome: 'sent', retryAt: now + 30_000 }
    texts.set(KEY, JSON.stringify({ ...Object(JSON.parse(texts.get(KEY) ?? '')), attempt }))
    const polls = vi.spyOn(tokenStore, 'get')
    const [first, second] = [tab, other].map((each) =>
      each.refreshToken().then(String, (error: { code: string }) => error.code),
    )
    // Each has read the other tab’s marker, and checks again from time to time.
    await expect
      .poll(() => {
        service.clock.advance(500)
        return polls.mock.calls.length
      })
      .toBeGreaterThanOrEqual(4)
    other.close()
    expect(await second).toBe('closed')
    await tab.signOut()
    service.clock.advance(1000)
    expect(await first).toBe('signed_out')
    expect(service.refreshes()).toEqual([])
  })
})

describe('a stored session', () => {
  it.each([
    ['of another application', { clientId: OTHER_APPLICATION }],
    ['of another service', { issuer: 'https://other.test' }],
    ['that names no service', { issuer: undefined }],
  ])('%s is ignored', async (_, changes) => {
    const { texts, tokenStore } = openStore()
    await service.signIn(createTab({ tokenStore }))
    const stored: unknown = JSON.parse(texts.get(KEY) ?? '')
    expect(stored).toMatchObject({ issuer: HOST, clientId: CLIENT_ID })
    texts.set(KEY, JSON.stringify({ ...Object(stored), ...changes }))
    const next = createTab({ tokenStore })
    expect(await next.resume()).toBeNull()
    expect(next.status).toBe('disconnected')
  })

  it('is stored for the application that the sign-in names', async () => {
    const { texts, tokenStore } = openStore()
    const tab = createTab({ tokenStore })
    service.claims = { aud: OTHER_APPLICATION }
    await service.signIn(tab, { clientId: OTHER_APPLICATION })
    expect([...texts.keys()]).toContain(KEY.replace(CLIENT_ID, OTHER_APPLICATION))
    expect(await createTab({ tokenStore }).resume()).toBeNull()
    expect((await createTab({ tokenStore, applicationId: OTHER_APPLICATION }).resume())?.userId).toBe(USER_ID)
  })
})
