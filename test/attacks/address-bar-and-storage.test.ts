// @vitest-environment happy-dom
/** Attacks within one document: address bar, session storage, endpoints. */
import { Client, type ClientOptions, redirectSurface } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import { callbackTo, scriptedSurface } from '../support/scripted-surface'

const ARGS = { scopes: 'openid' }
const PAGE = 'https://game.test/start'

function createGame(options: Partial<ClientOptions> = {}) {
  return new Client({ applicationId: '1', service: { host: 'https://service.test' }, ...options })
}

/** Leaves for the authorize page and returns its URL; the page "returns" as a new client. */
function openAuthorizePage(client: Client): URL {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  client.authorize(ARGS, { surface: redirectSurface({ redirectUri: PAGE }) }).catch(() => undefined)
  const [address] = assign.mock.lastCall ?? []
  assign.mockRestore()
  return new URL(address ?? '')
}

/** Leaves for the authorize page, and returns with a query and fragment that contain the state of the attempt. */
function returnWith(tail: (state: string) => string): void {
  const state = openAuthorizePage(createGame()).searchParams.get('state') ?? ''
  goTo(PAGE + tail(state))
}

/** Sets the address bar as a navigation would. */
function goTo(url: string): void {
  const page = window as Window & { happyDOM?: { setURL(url: string): void } }
  page.happyDOM?.setURL(url)
}

function denied(): never {
  throw new DOMException('denied', 'SecurityError')
}

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  goTo(PAGE)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('the page of a callback', () => {
  it('attack/23 is cleaned before the callback is checked, and keeps its own query and fragment', async () => {
    returnWith((state) => `?level=3&code=x&state=${state}&iss=i#room`)
    const client = createGame()
    const outcome = client.handleCallback()
    expect(location.href).toBe(`${PAGE}?level=3#room`)
    await expect(outcome).rejects.toMatchObject({ code: 'response_type_mismatch' })
  })

  it('attack/10 attack/23 is cleaned of a fragment with tokens', async () => {
    returnWith((state) => `#access_token=x&state=${state}`)
    await expect(createGame().handleCallback()).rejects.toMatchObject({ name: 'AuthorizationError' })
    expect(location.href).toBe(PAGE)
  })

  it.each(['access_token', 'id_token', 'refresh_token'])(
    'attack/23 is cleaned of a query with %s',
    async (name) => {
      returnWith((state) => `?level=3&${name}=secret&state=${state}`)
      await expect(createGame().handleCallback()).rejects.toMatchObject({ name: 'AuthorizationError' })
      expect(location.href).toBe(`${PAGE}?level=3`)
    },
  )

  it.each([
    '?level=3#room',
    '?code=ABCD',
    '?error=full',
    '#/join?code=ABCD',
    '#error=full',
    '?code=4/0AX4&state=google-123',
    '?state=CA',
    `?code=x&state=${'A'.repeat(43)}&iss=https://service.test`,
    '?error=access_denied&state=evil',
    '#access_token=x&state=google-123',
    '#/map?state=CA',
    '?state=a&state=b',
  ])(
    'resolves with null if nobody asked for what the address bar contains, and leaves it there: %s',
    async (own) => {
      goTo(PAGE + own)
      const replace = vi.spyOn(history, 'replaceState')
      expect(await createGame().handleCallback()).toBeNull()
      expect(await createGame().resume()).toBeNull()
      expect(location.href).toBe(PAGE + own)
      expect(replace).not.toHaveBeenCalled()
    },
  )

  it('keeps what another service answered across a sign-in by redirect', async () => {
    goTo(`${PAGE}?code=4/0AX4&state=google-123#room`)
    const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    createGame()
      .authorize(ARGS, { surface: redirectSurface() })
      .catch(() => undefined)
    goTo(callbackTo(new URL(assign.mock.lastCall?.[0] ?? '')))
    expect((await createGame().handleCallback())?.code.reveal()).toBe('the-code')
    expect(location.href).toBe(`${PAGE}?code=4/0AX4&state=google-123#room`)
    expect(await createGame().handleCallback()).toBeNull()
    expect(location.href).toBe(`${PAGE}?code=4/0AX4&state=google-123#room`)
  })

  it('is cleaned of a response that was used before, and resolves with null', async () => {
    const address = callbackTo(openAuthorizePage(createGame()))
    goTo(address)
    await createGame().handleCallback()
    goTo(address)
    expect(await createGame().resume()).toBeNull()
    expect(location.href).toBe(PAGE)
  })

  it('tells other readers of the address, and removes the response from the state of the history entry', async () => {
    const address = callbackTo(openAuthorizePage(createGame()))
    goTo(address)
    const { search, pathname } = new URL(address)
    const state = { current: pathname + search, position: 1, tree: ['', { search }], at: new Date(0) }
    history.replaceState(state, '')
    const seen: unknown[] = []
    const onPop = ({ state: given }: PopStateEvent) => seen.push(location.href, given)
    addEventListener('popstate', onPop)
    await createGame().handleCallback()
    removeEventListener('popstate', onPop)
    expect(seen).toEqual([
      PAGE,
      { current: '/start', position: 1, tree: ['', { search: '' }], at: new Date(0) },
    ])
    expect(JSON.stringify(history.state)).not.toContain('the-code')
  })

  it('attack/23 is cleaned even if its path looks like another host', async () => {
    // The page asks its host whether the redirect URI leads here, and nobody answers.
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('fetch failed')))
    const state = openAuthorizePage(createGame()).searchParams.get('state')
    goTo(`https://game.test//evil.test/start?code=x&state=${state}`)
    await expect(createGame().handleCallback()).rejects.toMatchObject({ code: 'redirect_mismatch' })
    expect(location.href).toBe('https://game.test//evil.test/start')
  })

  it.each([
    ['is cancelled', (client: Client) => client.abortAuthorize(), 'aborted'],
    [
      'returns by the history',
      () => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })),
      'stale',
    ],
  ])('keeps no record of an attempt whose page %s', async (_, end, code) => {
    vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    const client = createGame()
    const outcome = client.authorize(ARGS, { surface: redirectSurface({ redirectUri: PAGE }) })
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    await new Promise<void>((resolve) => void setImmediate(resolve))
    expect(localStorage).toHaveLength(1)
    end(client)
    await expect(outcome).rejects.toMatchObject({ code })
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
  })

  it('completes an attempt of the previous page, once', async () => {
    const url = openAuthorizePage(createGame())
    const client = createGame()
    const [first, second] = await Promise.all([
      client.handleCallback(callbackTo(url)),
      client.handleCallback(callbackTo(url)),
    ])
    expect(first?.code.reveal()).toBe('the-code')
    expect(second).toBe(first)
    await expect(createGame().handleCallback(callbackTo(url))).rejects.toMatchObject({
      code: 'state_mismatch',
    })
    expect(localStorage).toHaveLength(0)
    expect(Object.values<string>(sessionStorage).join('')).not.toMatch(/verifier|nonce/)
  })

  it('attack/17 rejects a callback for an attempt of more than ten minutes ago, and deletes the record', async () => {
    const clock = new ManualClock()
    const url = openAuthorizePage(createGame({ clock: new ManualClock(clock.now()) }))
    clock.advance(600_001)
    await expect(createGame({ clock }).handleCallback(callbackTo(url))).rejects.toMatchObject({
      code: 'timed_out',
    })
    expect(localStorage).toHaveLength(0)
  })

  it('attack/18 keeps the newest eight records and all other entries', () => {
    localStorage.setItem('save-game', 'level 3')
    for (let i = 0; i < 12; i++) openAuthorizePage(createGame())
    expect(Object.keys(localStorage).filter((key) => key.startsWith('foyer:attempt:'))).toHaveLength(8)
    expect(localStorage.getItem('save-game')).toBe('level 3')
  })

  it('attack/430 keeps the record of one game, whatever another one of the origin begins', async () => {
    const url = openAuthorizePage(createGame())
    for (let i = 0; i < 12; i++) openAuthorizePage(createGame({ applicationId: '2' }))
    expect((await createGame().handleCallback(callbackTo(url)))?.code.reveal()).toBe('the-code')
    expect(Object.keys(localStorage)).toHaveLength(8)
  })

  it.each(['', 'null', '[]', '{', '{"state":1}', '{"__proto__":{"state":"x"}}'])(
    'rejects a record that is %j',
    async (record) => {
      const url = openAuthorizePage(createGame())
      localStorage.setItem(`foyer:attempt:${url.searchParams.get('state')}`, record)
      await expect(createGame().handleCallback(callbackTo(url))).rejects.toMatchObject({
        code: 'state_mismatch',
      })
    },
  )

  it('deletes expired records with the next attempt', () => {
    const clock = new ManualClock()
    openAuthorizePage(createGame({ clock }))
    clock.advance(600_001)
    openAuthorizePage(createGame({ clock }))
    expect(localStorage).toHaveLength(1)
  })

  it('completes an attempt that the local storage had no room for', async () => {
    vi.stubGlobal('localStorage', { getItem: () => null, setItem: denied, removeItem: () => undefined })
    const url = openAuthorizePage(createGame())
    expect((await createGame().handleCallback(callbackTo(url)))?.code.reveal()).toBe('the-code')
  })

  it('rejects with unsupported if all storage is denied', async () => {
    for (const name of ['localStorage', 'sessionStorage'])
      vi.stubGlobal(name, { getItem: denied, setItem: denied, removeItem: denied })
    const outcome = createGame().authorize(ARGS, { surface: redirectSurface() })
    await expect(outcome).rejects.toMatchObject({ name: 'ConfigurationError', code: 'unsupported' })
  })

  it('attack/24 rejects with stale when the back button restores the waiting page', async () => {
    vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    const outcome = createGame().authorize(ARGS, { surface: redirectSurface() })
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await expect(outcome).rejects.toMatchObject({ code: 'stale' })
  })

  it('attack/25 never navigates to a URL from a callback', async () => {
    const assign = vi.spyOn(location, 'assign')
    const replace = vi.spyOn(location, 'replace')
    const open = vi.spyOn(window, 'open')
    const client = createGame()
    const surface = scriptedSurface(
      (url) => callbackTo(url, { returnTo: 'https://evil.test', redirect_uri: 'https://evil.test' }),
      PAGE,
    )
    await client.authorize({ ...ARGS, state: 'https://evil.test/aaaaaaaaaaaa' }, { surface })
    expect(location.href).toBe(PAGE)
    for (const spy of [assign, replace, open]) expect(spy).not.toHaveBeenCalled()
  })
})

describe('the endpoints', () => {
  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://service.test/authorize',
    'ftp://service.test',
    '//service.test',
    'https://user:pass@service.test',
    'https://service.test/#x',
    'not an address',
    'http://localhost.evil.test',
    'http://127.0.0.1.evil.test',
  ])('attack/37 attack/42 %s is rejected when the client is created', (address) => {
    for (const field of [
      'authorizeUrl',
      'tokenUrl',
      'keysUrl',
      'revokeUrl',
      'deviceUrl',
      'baseUrl',
      'host',
    ]) {
      const make = () => createGame({ service: { host: 'https://service.test', [field]: address } })
      expect(make).toThrow(expect.objectContaining({ name: 'ConfigurationError', code: 'insecure_endpoint' }))
    }
  })

  it.each(['http://localhost:4320', 'http://127.0.0.1:4320', 'http://127.9.9.9', 'http://[::1]:4320'])(
    '%s is a loopback host, which may use plain http',
    (host) => {
      expect(() => createGame({ service: { host } })).not.toThrow()
    },
  )

  it('of a client without a host are rejected with the missing option', () => {
    // @ts-expect-error: the type forbids it, a game in plain JavaScript does not.
    expect(() => new Client({ applicationId: '1' })).toThrow(
      expect.objectContaining({ code: 'missing_service_host' }),
    )
  })

  it('attack/38 are fixed when the client is created: later changes of options or address bar have no effect', () => {
    goTo(`${PAGE}?issuer=https://evil.test&authorizeUrl=https://evil.test&host=https://evil.test`)
    const service = { host: 'https://service.test', authorizeUrl: 'https://service.test/authorize' }
    const client = createGame({ service })
    Object.assign(service, { host: 'https://evil.test', authorizeUrl: 'https://evil.test/authorize' })
    const url = openAuthorizePage(client)
    expect(url.origin).toBe('https://service.test')
  })
})
