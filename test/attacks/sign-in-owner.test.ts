// @vitest-environment happy-dom
/** security.md parts 1 and 2: a sign-in belongs to the client that began it, by service, application and profile. */
import { AuthorizationResult, Client, type ClientOptions, memoryStore, redirectSurface } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { callbackTo, scriptedSurface } from '../support/scripted-surface'
import { CLIENT_ID, createTokenService, HOST } from '../support/token-service'

const ARGS = { scopes: 'openid sdk.social_layer' }
const PAGE = 'https://game.test/start'
const OTHER_HOST = 'https://other.test'

const CLIENTS: [string, Partial<ClientOptions>][] = [
  ['profile', { profile: 'alice' }],
  ['application', { applicationId: '2' }],
  ['service', { service: { host: OTHER_HOST } }],
]

/** A client that sends every request to a list, which no answer follows. */
function createGame(options: Partial<ClientOptions> = {}) {
  const requests: string[] = []
  const fetch = async (url: string) => {
    requests.push(url)
    return Response.json({}, { status: 500 })
  }
  const client = new Client({ applicationId: '1', service: { host: 'https://service.test' }, profile: 'bob', fetch, ...options })
  onTestFinished(() => client.close())
  return { client, requests }
}

/** Leaves for the authorize page and gives the address that the page comes back to. */
function leave(client: Client, changes: Record<string, string | undefined> = {}): string {
  const assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
  client.authorize(ARGS, { surface: redirectSurface() }).catch(() => undefined)
  const [address] = assign.mock.lastCall ?? []
  assign.mockRestore()
  return callbackTo(new URL(address ?? ''), changes)
}

const goTo = (url: string): void => (window as Window & { happyDOM?: { setURL(url: string): void } }).happyDOM?.setURL(url)

/** The page comes back from the service, and its old document is gone. */
function comeBack(changes: Record<string, string | undefined> = {}, options: Partial<ClientOptions> = {}): string {
  const address = leave(createGame(options).client, changes)
  goTo(address)
  return address
}

/** A result that a client got by itself. */
async function resultOf(client: Client): Promise<AuthorizationResult> {
  return client.authorize(ARGS, { surface: scriptedSurface((url) => callbackTo(url, { iss: undefined })) })
}

beforeEach(() => {
  sessionStorage.clear()
  goTo(PAGE)
})
afterEach(() => vi.restoreAllMocks())

describe.each(CLIENTS)('an answer in the address bar that belongs to a client with another %s', (_, options) => {
  it.each([
    ['without iss', { iss: undefined }],
    ['with iss', {}],
  ])('attack/147 attack/148 is left there %s, with its record, and its own client takes it', async (__, changes) => {
    const address = comeBack(changes)
    const { client, requests } = createGame(options)
    expect(await client.handleCallback()).toBeNull()
    expect(await client.resume()).toBeNull()
    expect(location.href).toBe(address)
    const result = await createGame().client.handleCallback()
    expect(result?.code.reveal()).toBe('the-code')
    expect(location.href).toBe(PAGE)
    expect(requests).toEqual([])
  })

  it('attack/147 attack/148 is refused as state_mismatch when the game hands it over, and stays good for its own client', async () => {
    const address = comeBack()
    await expect(createGame(options).client.handleCallback(address)).rejects.toMatchObject({ code: 'state_mismatch' })
    expect((await createGame().client.handleCallback(address))?.code.reveal()).toBe('the-code')
  })

  it.each(['first', 'last'])(
    'attack/147 attack/148 signs in the player of its own client alone when the other one resumes %s',
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
      if (settings.applicationId === CLIENT_ID && settings.service.host === HOST) await service.signIn(createGame(settings).client)
      const ada = (await createGame(settings).client.resume())?.userId
      goTo(leave(createGame(own).client, { iss: undefined }))
      const [record = '{}'] = Object.values(sessionStorage)
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
})

describe.each(CLIENTS)('a result of a client with another %s', (_, options) => {
  it('attack/149 is refused before anything is sent, by getToken, signIn and a merge', async () => {
    const result = await resultOf(createGame().client)
    const { client, requests } = createGame(options)
    const merge = { externalAuthType: 'OIDC', externalAuthToken: 'x' } as const
    for (const outcome of [
      client.getToken(result),
      client.getToken(result, 'v'.repeat(43)),
      client.signIn({ result }),
      client.getTokenFromProvisionalMerge(result, merge),
    ])
      await expect(outcome).rejects.toMatchObject({ name: 'ConfigurationError', code: 'invalid_argument' })
    expect(requests).toEqual([])
  })

  it('is taken by the client that got it, and by any that is of the same service, application and profile', async () => {
    const { client } = createGame(options)
    const result = await resultOf(client)
    const again = createGame(options)
    await expect(again.client.getToken(result)).rejects.toMatchObject({ code: 'http_500' })
    expect(again.requests).toHaveLength(1)
  })
})

it('a trusted code of the game belongs to every client', async () => {
  const { client, requests } = createGame()
  const result = AuthorizationResult.fromTrustedCode('code', PAGE)
  await expect(client.getToken(result, 'v'.repeat(43))).rejects.toMatchObject({ code: 'http_500' })
  expect(requests).toHaveLength(1)
})

it('an application id that is set later counts from then on: for requests, and for what is whose', async () => {
  const { client, requests } = createGame()
  const result = await resultOf(client)
  const form: (string | null)[] = []
  const service = createGame({
    fetch: async (_, { body }) => {
      form.push(body instanceof URLSearchParams ? body.get('client_id') : null)
      return Response.json({}, { status: 500 })
    },
  }).client
  const trusted = () => service.getToken(AuthorizationResult.fromTrustedCode('code', PAGE), 'v'.repeat(43)).catch(() => undefined)
  await trusted()
  service.setApplicationId('7')
  await trusted()
  expect(form).toEqual(['1', '7'])
  client.setApplicationId('7')
  await expect(client.getToken(result)).rejects.toMatchObject({ code: 'invalid_argument' })
  expect(requests).toEqual([])
})

describe('the query and fragment that the page was left with', () => {
  beforeEach(() => goTo(`${PAGE}?profile=bob#room`))

  it('are back in the address bar once its own client has taken the answer', async () => {
    comeBack()
    expect(location.search).not.toContain('profile')
    expect(await createGame().client.handleCallback()).not.toBeNull()
    expect(location.href).toBe(`${PAGE}?profile=bob#room`)
  })

  it('bring the page back as it was, beside the answer, when only a client of another profile looks at it', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    comeBack()
    const outcome = vi.fn<() => void>()
    void createGame({ profile: 'default' }).client.resume().then(outcome, outcome)
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(location.search).toMatch(/^\?profile=bob&code=the-code&state=[\w-]{43}&/)
    expect(location.hash).toBe('#room')
    expect(outcome).not.toHaveBeenCalled()
    expect((await createGame().client.handleCallback())?.code.reveal()).toBe('the-code')
    expect(location.href).toBe(`${PAGE}?profile=bob#room`)
  })

  it('bring the page back once: a page that still has no client for the answer stays as it is', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    comeBack()
    void createGame({ profile: 'default' }).client.resume()
    await vi.waitFor(() => expect(reload).toHaveBeenCalledTimes(1))
    expect(await createGame({ profile: 'default' }).client.resume()).toBeNull()
    expect(reload).toHaveBeenCalledTimes(1)
  })

  it('do not bring the page back when its own client takes the answer in the same turn', async () => {
    const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
    comeBack()
    const others = createGame({ profile: 'alice' }).client.handleCallback()
    const own = createGame().client.handleCallback()
    expect([await others, (await own)?.code.reveal()]).toEqual([null, 'the-code'])
    expect(reload).not.toHaveBeenCalled()
    expect(location.href).toBe(`${PAGE}?profile=bob#room`)
  })

  it('are not kept where the game names the page to come back to', () => {
    const { client } = createGame()
    vi.spyOn(location, 'assign').mockImplementation(() => undefined)
    client.authorize(ARGS, { surface: redirectSurface({ redirectUri: '/back' }) }).catch(() => undefined)
    expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain('profile=bob')
  })
})
