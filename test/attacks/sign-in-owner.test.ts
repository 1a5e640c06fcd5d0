// @vitest-environment happy-dom
/** A sign-in belongs to the client that started it: same service, application and profile. */
import { AuthorizationResult, Client, type ClientOptions, memoryStore, redirectSurface } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { callbackTo, scriptedSurface } from '../support/scripted-surface'
import { CLIENT_ID, createTokenService, HOST } from '../support/token-service'
import { formOf } from '../support/form-of'

const ARGS = { scopes: 'openid sdk.social_layer' }
const PAGE = 'https://game.test/start'
const OTHER_HOST = 'https://other.test'

const CLIENTS: [string, Partial<ClientOptions>][] = [
  ['profile', { profile: 'alice' }],
  ['application', { applicationId: '2' }],
  ['service', { service: { host: OTHER_HOST } }],
]

/** A client whose requests are recorded and get no response. */
function createGame(options: Partial<ClientOptions> = {}) {
  const requests: string[] = []
  const fetch = async (url: string) => {
    requests.push(url)
    return Response.json({}, { status: 500 })
  }
  const client = new Client({
    applicationId: '1',
    service: { host: 'https://service.test' },
    profile: 'bob',
    fetch,
    ...options,
  })
  onTestFinished(() => client.close())
  return { client, requests }
}

/** Leaves for the authorize page and returns the callback URL. */
function openAuthorizePage(client: Client, changes: Record<string, string | undefined> = {}): string {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  client.authorize(ARGS, { surface: redirectSurface() }).catch(() => undefined)
  const [address] = assign.mock.lastCall ?? []
  assign.mockRestore()
  return callbackTo(new URL(address ?? ''), changes)
}

const goTo = (url: string): void =>
  (window as Window & { happyDOM?: { setURL(url: string): void } }).happyDOM?.setURL(url)

/** Returns from the service: the old document is gone. */
function returnFromService(
  changes: Record<string, string | undefined> = {},
  options: Partial<ClientOptions> = {},
): string {
  const address = openAuthorizePage(createGame(options).client, changes)
  goTo(address)
  return address
}

/** A result of a client’s own authorization. */
async function resultOf(client: Client): Promise<AuthorizationResult> {
  return client.authorize(ARGS, { surface: scriptedSurface((url) => callbackTo(url, { iss: undefined })) })
}

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  goTo(PAGE)
})
afterEach(() => vi.restoreAllMocks())

describe.each(CLIENTS)(
  'a callback in the address bar that belongs to a client with another %s',
  (_, options) => {
    it.each([
      ['without iss', { iss: undefined }],
      ['with iss', {}],
    ])('attack/147 attack/148 stays there %s, with its record, for its own client', async (__, changes) => {
      const address = returnFromService(changes)
      const { client, requests } = createGame(options)
      expect(await client.handleCallback()).toBeNull()
      expect(await client.resume()).toBeNull()
      expect(location.href).toBe(address)
      const result = await createGame().client.handleCallback()
      expect(result?.code.reveal()).toBe('the-code')
      expect(location.href).toBe(PAGE)
      expect(requests).toEqual([])
    })

    it('attack/147 attack/148 is rejected with state_mismatch if the game passes it, and stays usable for its own client', async () => {
      const address = returnFromService()
      await expect(createGame(options).client.handleCallback(address)).rejects.toMatchObject({
        code: 'state_mismatch',
      })
      expect((await createGame().client.handleCallback(address))?.code.reveal()).toBe('the-code')
    })

    it.each(['first', 'last'])(
      'attack/147 attack/148 signs in the player of its own client only when the other client resumes %s',
      async (turn) => {
        const service = await createTokenService()
        const own = {
          applicationId: CLIENT_ID,
          service: { host: HOST },
          clock: service.clock,
          fetch: service.fetch,
          tokenStore: memoryStore(),
        }
        const settings = { ...own, ...options }
        service.claims = { sub: '1' }
        if (settings.applicationId === CLIENT_ID && settings.service.host === HOST)
          await service.signIn(createGame(settings).client)
        const ada = (await createGame(settings).client.resume())?.userId
        goTo(openAuthorizePage(createGame(own).client, { iss: undefined }))
        const [record = '{}'] = Object.values(localStorage)
        const { nonce }: { nonce?: string } = JSON.parse(record)
        service.claims = { sub: '2', nonce }
        const sent = service.sent.length
        const { client: bob } = createGame(own)
        const { client: other } = createGame(settings)
        const resumed = turn === 'last' ? [bob.resume(), other.resume()] : [other.resume(), bob.resume()]
        await Promise.all(resumed)
        expect(bob.session?.userId).toBe('2')
        expect(other.session?.userId).toBe(ada)
        expect(service.sent.slice(sent).every(({ url }) => url.startsWith(HOST))).toBe(true)
        expect((await createGame(settings).client.resume())?.userId).toBe(ada)
      },
    )
  },
)

describe.each(CLIENTS)('a result of a client with another %s', (_, options) => {
  it('attack/149 is rejected before a request by getToken, signIn and a merge', async () => {
    const result = await resultOf(createGame().client)
    const { client, requests } = createGame(options)
    const merge = { externalAuthType: 'OIDC', externalAuthToken: 'x' } as const
    for (const outcome of [
      client.getToken(result),
      client.getToken(result, 'v'.repeat(43)),
      client.signIn({ result }),
      client.accounts.merge(result, merge),
    ])
      await expect(outcome).rejects.toMatchObject({ name: 'ConfigurationError', code: 'invalid_argument' })
    expect(requests).toEqual([])
  })

  it('is accepted by its own client and by any with the same service, application and profile', async () => {
    const { client } = createGame(options)
    const result = await resultOf(client)
    const again = createGame(options)
    await expect(again.client.getToken(result)).rejects.toMatchObject({ code: 'http_500' })
    expect(again.requests).toHaveLength(1)
  })
})

it('a trusted code belongs to every client', async () => {
  const { client, requests } = createGame()
  const result = AuthorizationResult.fromTrustedCode('code', PAGE)
  await expect(client.getToken(result, 'v'.repeat(43))).rejects.toMatchObject({ code: 'http_500' })
  expect(requests).toHaveLength(1)
})

it('an application ID that is set later applies to all following requests and ownership checks', async () => {
  const { client, requests } = createGame()
  const result = await resultOf(client)
  const form: (string | null)[] = []
  const service = createGame({
    fetch: async (_, init) => {
      form.push(formOf(init).get('client_id'))
      return Response.json({}, { status: 500 })
    },
  }).client
  const trusted = () =>
    service.getToken(AuthorizationResult.fromTrustedCode('code', PAGE), 'v'.repeat(43)).catch(() => undefined)
  await trusted()
  service.setApplicationId('7')
  await trusted()
  expect(form).toEqual(['1', '7'])
  client.setApplicationId('7')
  await expect(client.getToken(result)).rejects.toMatchObject({ code: 'invalid_argument' })
  expect(requests).toEqual([])
})

describe('the query and fragment of the page before the sign-in', () => {
  beforeEach(() => goTo(`${PAGE}?profile=bob#room`))

  it('are restored after its own client has taken the callback', async () => {
    returnFromService()
    expect(location.search).not.toContain('profile')
    expect(await createGame().client.handleCallback()).not.toBeNull()
    expect(location.href).toBe(`${PAGE}?profile=bob#room`)
  })

  it('are restored by a reload, beside the callback, if only a client with another profile reads it', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    returnFromService()
    const outcome = vi.fn<() => void>()
    void createGame({ profile: 'default' }).client.resume().then(outcome, outcome)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(location.search).toMatch(/^\?profile=bob&code=the-code&state=[\w-]{43}&/)
    expect(location.hash).toBe('#room')
    expect(outcome).not.toHaveBeenCalled()
    expect((await createGame().client.handleCallback())?.code.reveal()).toBe('the-code')
    expect(location.href).toBe(`${PAGE}?profile=bob#room`)
  })

  it('are restored by at most one reload if there is no client for the callback', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    returnFromService()
    void createGame({ profile: 'default' }).client.resume()
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(await createGame({ profile: 'default' }).client.resume()).toBeNull()
    expect(reload).toHaveBeenCalledTimes(1)
  })

  it('are restored without a reload if its own client takes the callback in the same turn', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    returnFromService()
    const others = createGame({ profile: 'alice' }).client.handleCallback()
    const own = createGame().client.handleCallback()
    expect([await others, (await own)?.code.reveal()]).toEqual([null, 'the-code'])
    expect(reload).not.toHaveBeenCalled()
    expect(location.href).toBe(`${PAGE}?profile=bob#room`)
  })

  it('are not stored if the game sets a redirect URI', () => {
    const { client } = createGame()
    vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    client.authorize(ARGS, { surface: redirectSurface({ redirectUri: '/back' }) }).catch(() => undefined)
    expect(JSON.stringify(Object.entries(localStorage))).not.toContain('profile=bob')
  })
})
