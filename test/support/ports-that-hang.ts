/** Every object and function of a game that the SDK waits for, in a version that never answers, and what its caller gets instead. */
import { type RateLimitStore, redirectSurface, type TokenStore } from 'foyer-sdk'
import * as server from 'foyer-sdk/server'
import { vi } from 'vitest'
import { CountingService } from './counting-service'
import { createClientAt } from './local-client'
import type { ManualClock } from './manual-clock'
import { callbackTo, scriptedSurface, silentSurface } from './scripted-surface'
import { GAME, SessionBrowser } from './session-browser'
import { codeOf } from './settle'
import { createTokenService, HOST } from './token-service'
import { PING, Sender, Signer, slash } from '../unit/interactions/signed-sender'

export interface HangingPort {
  /** Makes the call that waits. Resolves with a code, or with the status of a response; `ok` without an error. */
  readonly call: (clock: ManualClock) => Promise<unknown>
  readonly outcome: unknown
  /** ms until then at most. Default: 3000. */
  readonly within?: number
}

type Ports = Readonly<Record<string, HangingPort>>

const SECOND = 1000
const { applicationId } = CountingService
const service = { host: CountingService.host }
const never = (value: unknown): never => value as never
const hang = (): Promise<never> => new Promise(() => undefined)
const statusOf = async (work: Promise<Response>): Promise<number> => (await work).status
const outcomeOf = async (work: () => Promise<unknown>): Promise<unknown> => (await codeOf(work)) ?? 'ok'
const player = { id: never('7'), expiresAt: Number.MAX_SAFE_INTEGER }
const verify = async () => ({ ...player, claims: {} })
const bearer = (path: string, method = 'GET') =>
  new Request(`${GAME}${path}`, { method, headers: { authorization: 'Bearer a-token', origin: GAME } })

/** The object with one method that never settles, from the call of `begin` on. */
function breakable<T extends object>(whole: T, method: string): { port: T; begin: () => void } {
  let isBroken = false
  const port = new Proxy(whole, {
    get(target, key) {
      // Another object, whose methods would answer.
      if (key === 'forApplication') return undefined
      const member: unknown = Reflect.get(target, key)
      if (typeof member !== 'function') return member
      return isBroken && key === method ? hang : member.bind(target)
    },
  })
  return { port, begin: () => (isBroken = true) }
}

/** A handler with a player who is signed in; its store has one method that never settles from then on. */
async function signedIn(
  clock: ManualClock,
  method: string,
  options: Partial<server.SessionHandlerOptions> = {},
) {
  const counting = new CountingService(clock)
  counting.life = 100
  const { port: store, begin } = breakable(server.memorySessionStore({ clock }), method)
  const handler = server.createSessionHandler({
    applicationId,
    service,
    fetch: counting.fetch,
    clock,
    store,
    credentials: server.clientSecret('a-secret-of-the-application'),
    origins: [GAME],
    ...options,
  })
  const browser = new SessionBrowser(handler)
  // The second request tells the store that the cookie has arrived.
  const answers = [await browser.post('sign-in', honestCode(1)), await browser.post('token')]
  if (answers.some(({ status }) => status !== 200)) throw new Error('signed out')
  begin()
  return { handler, browser, counting }
}

const honestCode = (number: number) => ({
  code: `honest-${number}`,
  codeVerifier: 'v'.repeat(43),
  redirectUri: `${GAME}/callback.html`,
})

/** A refresh of the session, whose tokens end soon. */
async function refresh(clock: ManualClock, method: string, options?: Partial<server.SessionHandlerOptions>) {
  const { browser } = await signedIn(clock, method, options)
  clock.advance(90 * SECOND)
  return statusOf(browser.post('token'))
}

const SESSION_STORES: Ports = {
  'SessionStore.get': {
    call: async (clock) => statusOf((await signedIn(clock, 'get')).browser.post('token')),
    outcome: 503,
  },
  'SessionStore.set': {
    call: async (clock) => statusOf((await signedIn(clock, 'set')).browser.post('sign-in', honestCode(2))),
    outcome: 503,
  },
  'SessionStore.set of refreshed tokens, which cannot be had twice': {
    call: (clock) => refresh(clock, 'set'),
    outcome: 503,
    within: 15 * SECOND,
  },
  'SessionStore.set of an end': {
    call: async (clock) => outcomeOf(async () => (await signedIn(clock, 'set')).handler.end('7')),
    outcome: 'timed_out',
  },
  'SessionStore.delete': {
    call: async (clock) => statusOf((await signedIn(clock, 'delete')).browser.post('sign-out')),
    outcome: 503,
  },
  'SessionStore.lock': { call: (clock) => refresh(clock, 'lock'), outcome: 503 },
  'SessionStore.renew': { call: (clock) => refresh(clock, 'renew'), outcome: 200 },
  // The lock ends by itself, after 4 s.
  'SessionStore.unlock': { call: (clock) => refresh(clock, 'unlock'), outcome: 200, within: 6 * SECOND },
  'SessionHandlerOptions.recover': {
    async call(clock) {
      const counting = new CountingService(clock)
      counting.life = 100
      const fetch: CountingService['fetch'] = async (url, init) =>
        typeof init.body === 'string' && init.body.includes('refresh_token')
          ? Response.json({ error: 'invalid_grant' }, { status: 400 })
          : counting.fetch(url, init)
      return refresh(clock, 'nothing', { recover: hang, fetch })
    },
    outcome: 503,
    within: 10 * SECOND,
  },
}

const tickets = (clock: ManualClock, options: Partial<server.PlayerTicketsOptions> = {}) =>
  server.createPlayerTickets({ applicationId, verify, clock, purposes: ['match'], ...options })

const ticketStore = (clock: ManualClock, method: string) => {
  const { port, begin } = breakable<server.TicketStore>(server.memoryLobbyBroker({ clock }), method)
  begin()
  return tickets(clock, { store: port })
}

const TICKETS: Ports = {
  'TicketStore.put': {
    call: (clock) => outcomeOf(() => ticketStore(clock, 'put').issue(player, 'match')),
    outcome: 'timed_out',
  },
  'TicketStore.put behind the endpoint': {
    call: (clock) => statusOf(ticketStore(clock, 'put')(bearer('/ticket?purpose=match', 'POST'))),
    outcome: 503,
  },
  'TicketStore.take': {
    call: (clock) => outcomeOf(() => ticketStore(clock, 'take').redeem('x'.repeat(43), { purpose: 'match' })),
    outcome: 'timed_out',
  },
  VerifyPlayer: {
    call: (clock) => statusOf(tickets(clock, { verify: hang })(bearer('/ticket?purpose=match', 'POST'))),
    outcome: 503,
    within: 12 * SECOND,
  },
  'VerifyPlayer of a hub': {
    async call(clock) {
      const hub = server.createLobbyHub({ client: lobbyClient(), verify: hang, clock })
      const status = await statusOf(hub(bearer('/lobbies')))
      hub.close()
      return status
    },
    outcome: 503,
    within: 12 * SECOND,
  },
}

const lobby = (id: string) => ({ id, application_id: applicationId, metadata: null, members: [] })
const lobbyClient = (): server.LobbyHubOptions['client'] => ({
  applicationId,
  lobbies: {
    get: async (id: string) => never(lobby(id)),
    removeMember: async () => undefined,
    onChanged: () => () => undefined,
  },
})

/** A hub whose broker has one method that never settles. */
function hubWith(clock: ManualClock, method: string): server.LobbyHub {
  const { port: broker, begin } = breakable(server.memoryLobbyBroker({ clock }), method)
  begin()
  return server.createLobbyHub({ client: lobbyClient(), verify, broker, clock })
}

/** Opens a stream, and ends it as soon as something has arrived. */
async function openStream(clock: ManualClock, method: string): Promise<unknown> {
  const hub = hubWith(clock, method)
  const response = await hub(bearer('/lobbies?lobbies=1575683824195469312'))
  await response.body?.cancel()
  hub.close()
  return response.status
}

const ofTicket = async (clock: ManualClock, method: string): Promise<unknown> => {
  const hub = hubWith(clock, method)
  const request = new Request(`${GAME}/lobbies`, {
    method: 'POST',
    headers: { authorization: 'Bearer a-token', 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'ticket' }),
  })
  const status = await statusOf(hub(request))
  hub.close()
  return status
}

const BROKERS: Ports = {
  'LobbyBroker.put': { call: (clock) => ofTicket(clock, 'put'), outcome: 503 },
  'LobbyBroker.take': {
    async call(clock) {
      const hub = hubWith(clock, 'take')
      const status = await statusOf(hub(new Request(`${GAME}/lobbies?ticket=${'x'.repeat(43)}`)))
      hub.close()
      return status
    },
    outcome: 503,
  },
  ...Object.fromEntries(
    [
      'publish',
      'nextVersion',
      'putNewest',
      'getAll',
      'increment',
      'addMember',
      'removeMember',
      'membersOf',
    ].map((method): [string, HangingPort] => [
      `LobbyBroker.${method}`,
      { call: (clock) => openStream(clock, method), outcome: 200 },
    ]),
  ),
  ...Object.fromEntries(
    ['publish', 'nextVersion', 'putNewest', 'getAll'].map((method): [string, HangingPort] => [
      `LobbyBroker.${method} of news`,
      {
        async call(clock) {
          const hub = hubWith(clock, method)
          const outcome = await outcomeOf(() => hub.changed('1575683824195469312'))
          hub.close()
          return outcome
        },
        outcome: 'ok',
      },
    ]),
  ),
}

/** A client of the application whose store of limits has one method that never settles. */
function limitedClient(clock: ManualClock, method: string) {
  const counting = new CountingService(clock)
  const { port, begin } = breakable<RateLimitStore>(new server.MemoryRateLimitStores(clock).store(), method)
  begin()
  const client = new server.ApplicationClient({
    applicationId,
    service,
    fetch: counting.fetch,
    clock,
    credentials: server.botToken('bot'),
    rateLimitStore: port,
  })
  return { client, counting }
}

const limited =
  (method: string, ask: (client: server.ApplicationClient) => Promise<unknown>): HangingPort['call'] =>
  async (clock) => {
    const { client } = limitedClient(clock, method)
    const outcome = await outcomeOf(() => ask(client))
    client.close()
    return outcome
  }
const read = (client: server.ApplicationClient) => client.lobbies.get('1575683824195469312')

const nothing = () => undefined

/** The outcome of the one purchase of a player. */
async function redeem(
  clock: ManualClock,
  options: Partial<server.PurchaseDeskOptions>,
  state: { readonly deleted?: true } = {},
): Promise<unknown> {
  const bought = { id: '9', sku_id: '8', user_id: '7', application_id: applicationId, type: 1, ...state }
  const purchases = {
    applicationId,
    skus: async () => [],
    list: async () => [bought],
    get: async () => bought,
    consume: async () => undefined,
  }
  const store = server.memoryPurchaseStore({ clock })
  const given = { purchases: never(purchases), store, grant: nothing, onError: nothing, clock, ...options }
  const { failed } = await server.createPurchaseDesk(given).redeem('7')
  return failed.length === 0 ? 'ok' : Reflect.get(Object(failed[0]?.error), 'code')
}

const PURCHASES: Ports = {
  ...Object.fromEntries(
    ['get', 'claim', 'settle'].map((method): [string, HangingPort] => [
      `PurchaseStore.${method}`,
      {
        call: (clock) =>
          redeem(clock, { store: { ...server.memoryPurchaseStore({ clock }), [method]: hang } }),
        outcome: 'timed_out',
      },
    ]),
  ),
  'PurchaseDeskOptions.grant': {
    call: (clock) => redeem(clock, { grant: hang }),
    outcome: 'timed_out',
    within: 11 * SECOND,
  },
  'PurchaseDeskOptions.revoke': {
    call: (clock) => redeem(clock, { revoke: hang }, { deleted: true }),
    outcome: 'timed_out',
    within: 11 * SECOND,
  },
  'PurchaseDeskOptions.onError': {
    call: (clock) => redeem(clock, { grant: () => Promise.reject(new TypeError('no')), onError: hang }),
    outcome: undefined,
  },
}

const LIMITS: Ports = {
  'RateLimitStore.acquire': { call: limited('acquire', read), outcome: 'ok' },
  'RateLimitStore.settle': { call: limited('settle', read), outcome: 'ok' },
  'RateLimitStore.block': {
    async call(clock) {
      const { client, counting } = limitedClient(clock, 'block')
      let refusals = 0
      const { fetch } = counting
      Object.assign(counting, {
        fetch: async (...given: Parameters<typeof fetch>) =>
          refusals++ === 0
            ? Response.json({}, { status: 429, headers: { 'retry-after': '1' } })
            : fetch(...given),
      })
      const outcome = await outcomeOf(() => read(client))
      client.close()
      return outcome
    },
    outcome: 'ok',
  },
  'RateLimitStore.unblock': {
    call: limited('unblock', async (client) => {
      await read(client)
      await client.clearRateLimitBlocks()
    }),
    outcome: 'ok',
  },
  'RateLimitStore.countRefusals': {
    call: limited('countRefusals', async (client) => client.users.get('8')),
    outcome: 'http_401',
  },
  'RateLimitStore.renew': {
    call: limited('renew', (client) => client.lobbies.updateMetadata('1575683824195469312', () => ({}))),
    outcome: 'ok',
  },
  'RateLimitStore.close': { call: limited('close', read), outcome: 'ok' },
}

const interactionsWith = async (clock: ManualClock, options: object = {}) => {
  const sender = new Sender(await Signer.create(), { commands: [], clock, ...options })
  return Object.assign(sender, { clock })
}

const asks = async (clock: ManualClock, options: object, payload: unknown): Promise<unknown> => {
  const receiver = await interactionsWith(clock, options)
  const response = await receiver.handler(await receiver.request(payload))
  if (response.status !== 200) return response.status
  const { type } = (await response.json()) as { type: number }
  return `type ${type}`
}

const hanging = server.defineCommand({ name: 'x', description: 'x' }, hang)

const INTERACTIONS: Ports = {
  'ReplayStore.seen': {
    call: (clock) => asks(clock, { replays: { seen: hang } }, slash('x')),
    outcome: 500,
  },
  'ReplayStore.seen of a ping': {
    call: (clock) => asks(clock, { replays: { seen: hang } }, PING),
    outcome: 500,
  },
  // Its answer may follow for a quarter of an hour.
  Handler: { call: (clock) => asks(clock, { commands: [hanging] }, slash('x')), outcome: 'type 5' },
}

const CREDENTIALS: Ports = Object.fromEntries(
  ['header', 'renew'].map((method): [string, HangingPort] => [
    `Credentials.${method}`,
    {
      async call(clock) {
        const credentials = {
          kind: 'bot' as const,
          header: async () => 'Bot x',
          renew: async () => false,
          [method]: hang,
        }
        const client = new server.ApplicationClient({
          applicationId,
          service,
          clock,
          fetch: async () => Response.json({ message: 'no', code: 0 }, { status: 401 }),
          credentials: () => credentials,
        })
        const outcome = await outcomeOf(() => client.users.get('8'))
        client.close()
        return outcome
      },
      outcome: 'timed_out',
      within: 31 * SECOND,
    },
  ]),
)

const REQUESTS: Ports = {
  Fetch: {
    async call(clock) {
      const client = createClientAt({ ...(await createTokenService(clock)), clock, fetch: hang })
      const surface = scriptedSurface((url) => callbackTo(url, { iss: HOST }))
      const outcome = await outcomeOf(() => client.signIn({ surface }))
      client.close()
      return outcome
    },
    outcome: 'timed_out',
    within: 11 * SECOND,
  },
  'Fetch of a backend’s client': {
    async call(clock) {
      const options = { applicationId, service, clock, fetch: hang, credentials: server.botToken('bot') }
      const client = new server.ApplicationClient(options)
      const outcome = await outcomeOf(() => read(client))
      client.close()
      return outcome
    },
    outcome: 'timed_out',
    within: 200 * SECOND,
  },
  'Transfer.answer': {
    async call(clock) {
      const client = new server.ApplicationClient({
        applicationId,
        service,
        clock,
        credentials: server.botToken('bot'),
        transport: () => ({ answer: hang(), abort: () => undefined }),
      })
      const outcome = await outcomeOf(() => read(client))
      client.close()
      return outcome
    },
    outcome: 'timed_out',
    within: 200 * SECOND,
  },
  'Fetch of a backend': {
    call: async (clock) => {
      const client = await playing(clock, hang)
      return outcomeOf(() => client.backend.fetch('https://game.test/score')).finally(() => client.close())
    },
    outcome: 'timed_out',
    within: 31 * SECOND,
  },
  'Fetch of a ticket': {
    call: async (clock) => {
      const client = await playing(clock, hang)
      return outcomeOf(() => client.backend.fetchTicket('https://game.test/ticket')).finally(() =>
        client.close(),
      )
    },
    outcome: 'timed_out',
    within: 31 * SECOND,
  },
  'Fetch of a ticket, whose body never ends': {
    call: async (clock) => {
      const client = await playing(clock, async () => new Response(new ReadableStream()))
      return outcomeOf(() => client.backend.fetchTicket('https://game.test/ticket')).finally(() =>
        client.close(),
      )
    },
    outcome: 'timed_out',
    within: 31 * SECOND,
  },
}

/** A client with a session, whose backend answers with `answer`. */
async function playing(clock: ManualClock, answer: () => Promise<Response>, options: object = {}) {
  const tokens = await createTokenService(clock)
  const { fetch } = tokens
  const client = createClientAt(
    {
      ...tokens,
      clock,
      fetch: (url, init) => (url.startsWith(HOST) ? fetch(url, init) : answer()),
    },
    { backendOrigins: ['https://game.test'], ...options },
  )
  await tokens.signIn(client)
  return client
}

const withTokenStore =
  (method: keyof TokenStore, ask: 'signIn' | 'resume' | 'signOut'): HangingPort['call'] =>
  async (clock) => {
    const tokens = await createTokenService(clock)
    const texts = new Map<string, string>()
    const tokenStore = {
      get: async (key: string) => texts.get(key),
      set: async (key: string, text: string) => void texts.set(key, text),
      delete: async (key: string) => void texts.delete(key),
      [method]: hang,
    }
    const client = createClientAt({ ...tokens, clock }, { tokenStore })
    const outcome = await outcomeOf(() => (ask === 'signIn' ? tokens.signIn(client) : client[ask]()))
    client.close()
    return outcome
  }

const PAGES: Ports = {
  'TokenStore.get': { call: withTokenStore('get', 'resume'), outcome: 'ok', within: 4 * SECOND },
  'TokenStore.set': { call: withTokenStore('set', 'signIn'), outcome: 'ok', within: 7 * SECOND },
  'TokenStore.delete': { call: withTokenStore('delete', 'signOut'), outcome: 'ok', within: 7 * SECOND },
  GetToken: {
    async call(clock) {
      const tokens = await createTokenService(clock)
      const { refresh_token: _, ...raw } = await tokens.tokens()
      const client = createClientAt({ ...tokens, clock }, { getToken: hang })
      await client.updateToken(never(raw))
      const outcome = await outcomeOf(() => client.refreshToken())
      client.close()
      return outcome
    },
    outcome: 'timed_out',
    within: 31 * SECOND,
  },
  'AuthorizationSurface.open': {
    async call(clock) {
      const client = createClientAt({ ...(await createTokenService(clock)), clock })
      const outcome = await outcomeOf(() => client.signIn({ surface: silentSurface() }))
      client.close()
      return outcome
    },
    outcome: 'timed_out',
    within: 301 * SECOND,
  },
  'AuthorizationSurface.redirectUri': {
    async call(clock) {
      const client = createClientAt({ ...(await createTokenService(clock)), clock })
      const surface = silentSurface({ redirectUri: hang })
      const outcome = await outcomeOf(() => client.signIn({ surface }))
      client.close()
      return outcome
    },
    outcome: 'timed_out',
    within: 301 * SECOND,
  },
}

/** A place of the browser for the attempt, while the work runs. */
async function withStorage<T>(work: () => Promise<T>): Promise<T> {
  const texts = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  })
  return work().finally(() => vi.unstubAllGlobals())
}

const SHELLS: Ports = {
  'RedirectOptions.open': {
    async call(clock) {
      const surface = redirectSurface({ open: hang })
      const client = createClientAt({ ...(await createTokenService(clock)), clock }, { surface })
      return outcomeOf(() => withStorage(() => client.signIn())).finally(() => client.close())
    },
    outcome: 'timed_out',
    within: 601 * SECOND,
  },
  'RedirectOptions.launchUrl': {
    async call(clock) {
      const surface = redirectSurface({ launchUrl: hang })
      const client = createClientAt({ ...(await createTokenService(clock)), clock }, { surface })
      return outcomeOf(() => client.resume()).finally(() => client.close())
    },
    outcome: 'timed_out',
    within: 6 * SECOND,
  },
}

const UPDATES: Ports = {
  ChangeMetadata: {
    async call(clock) {
      const counting = new CountingService(clock)
      const client = new server.ApplicationClient({
        applicationId,
        service,
        fetch: counting.fetch,
        clock,
        credentials: server.botToken('bot'),
      })
      const outcome = await outcomeOf(() => client.lobbies.updateMetadata('1575683824195469312', hang))
      client.close()
      return outcome
    },
    outcome: 'timed_out',
    within: 11 * SECOND,
  },
}

/** By the type that declares what hangs, and if it has several callers, by what is waited for. */
export const HANGING_PORTS: Ports = {
  ...SESSION_STORES,
  ...TICKETS,
  ...BROKERS,
  ...LIMITS,
  ...PURCHASES,
  ...INTERACTIONS,
  ...CREDENTIALS,
  ...REQUESTS,
  ...PAGES,
  ...SHELLS,
  ...UPDATES,
}
