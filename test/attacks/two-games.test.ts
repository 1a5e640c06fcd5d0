/** attack/433 two games with one store of the caller's own making, which knows no applications: neither learns nor uses up what is the other's. */
import { Client, type Fetch, Secret } from 'foyer-sdk'
import {
  ApplicationClient,
  botToken,
  clientSecret,
  createLobbyHub,
  createPlayerVerifier,
  createSessionHandler,
  type LobbyBroker,
  memoryLobbyBroker,
  MemoryRateLimitStores,
  memorySessionStore,
  type RateLimitStore,
  UserClient,
} from 'foyer-sdk/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSources } from '../architecture/source'
import { settled } from '../support/hub-world'

const GAMES = ['1287654321098765433', '1287654321098765434'] as const
const PAGE = 'https://game.example'
const LOBBY = '901'
const PLAYER = '11'

/** As a game writes its own: without `forApplication`. Every key and note is recorded. */
function ownBroker() {
  const seen: string[] = []
  // oxlint-disable-next-line typescript/unbound-method -- left out
  const { forApplication: _, ...plain } = memoryLobbyBroker()
  const broker: LobbyBroker = {
    ...plain,
    put: async (key, ...others) => (seen.push(key), plain.put(key, ...others)),
    take: async (key) => (seen.push(key), plain.take(key)),
    publish: async (note) => (seen.push(note), plain.publish(note)),
    putNewest: async (key, ...others) => (seen.push(key), plain.putNewest(key, ...others)),
    getAll: async (keys) => (seen.push(...keys), plain.getAll(keys)),
    increment: async (key, ...others) => (seen.push(key), plain.increment(key, ...others)),
    addMember: async (sets, ...others) => (seen.push(...sets), plain.addMember(sets, ...others)),
    removeMember: async (set, member) => (seen.push(set), plain.removeMember(set, member)),
    membersOf: async (sets) => (seen.push(...sets), plain.membersOf(sets)),
  }
  return { broker, seen }
}

/** A hub of a game whose service has one lobby with the player. */
function hubOf(applicationId: string, broker: LobbyBroker) {
  const lobby = { id: LOBBY, application_id: applicationId, metadata: { game: applicationId } }
  const hub = createLobbyHub({
    client: {
      applicationId,
      lobbies: {
        get: async () => ({ ...lobby, members: [{ id: PLAYER, metadata: null, flags: 0 }] }) as never,
        removeMember: async () => undefined,
        onChanged: () => () => undefined,
      },
    },
    verify: async () =>
      ({ id: PLAYER, username: 'ada', expiresAt: Date.now() + 60_000, claims: {} }) as never,
    broker,
  })
  onTestFinished(() => hub.close())
  return hub
}

/** Updates that a player's stream at a hub has brought so far. */
async function listenTo(hub: ReturnType<typeof hubOf>) {
  const headers = { authorization: 'Bearer x' }
  const response = await hub(new Request(`${PAGE}/lobbies?lobbies=${LOBBY}`, { headers }))
  const reader = response.body?.getReader()
  onTestFinished(() => reader?.cancel())
  let text = ''
  const read = async (): Promise<void> => {
    const { done, value } = (await reader?.read()) ?? { done: true }
    if (done) return
    text += new TextDecoder().decode(value)
    return read()
  }
  void read()
  await settled()
  return () => text
}

describe('a broker of two games', () => {
  it('brings the news of one to that one alone, and holds nothing without the game’s id', async () => {
    const { broker, seen } = ownBroker()
    const [mine, other] = [hubOf(GAMES[0], broker), hubOf(GAMES[1], broker)]
    const [near, far] = [await listenTo(mine), await listenTo(other)]
    await mine.changed(LOBBY)
    await mine.deliverMessage({
      id: '5',
      lobby_id: LOBBY,
      content: 'a secret of one game',
      author: { id: PLAYER, username: 'ada' },
    } as never)
    await settled()
    expect(near()).toContain('a secret of one game')
    expect(far()).not.toContain('a secret of one game')
    expect(far()).not.toContain(`"game":"${GAMES[0]}"`)
    const headers = { authorization: 'Bearer x' }
    const body = JSON.stringify({ type: 'ticket' })
    expect((await mine(new Request(`${PAGE}/lobbies`, { method: 'POST', headers, body }))).status).toBe(200)
    await broker.getAll([])
    expect(seen.length).toBeGreaterThan(8)
    expect(seen.filter((key) => !/^\d{19}:/.test(key))).toEqual([])
  })
})

/** As `ownBroker`. */
function ownLimits() {
  const buckets = new Set<string>()
  // oxlint-disable-next-line typescript/unbound-method -- left out
  const { forApplication: _, ...plain } = new MemoryRateLimitStores().store()
  const store: RateLimitStore = {
    ...plain,
    acquire: async (request) => {
      for (const { key } of request.buckets) buckets.add(key)
      return plain.acquire(request)
    },
  }
  return { store, buckets }
}

const fetch: Fetch = async () => Response.json({ id: PLAYER, username: 'x' })
const service = { host: 'https://service.example' }

/** Everything that takes a store of limits, with a call that asks it. */
const CALLERS: Readonly<Record<string, (applicationId: string, store: RateLimitStore) => Promise<unknown>>> =
  {
    ApplicationClient: async (applicationId, rateLimitStore) => {
      const credentials = botToken('b'.repeat(20))
      const client = new ApplicationClient({ applicationId, service, credentials, rateLimitStore, fetch })
      onTestFinished(() => client.close())
      return client.lobbies.create()
    },
    UserClient: async (applicationId, rateLimitStore) => {
      const client = new UserClient({ applicationId, service, accessToken: 'a', rateLimitStore, fetch })
      onTestFinished(() => client.close())
      return client.commandPermissions('1').list()
    },
    createPlayerVerifier: async (applicationId, rateLimitStore) =>
      createPlayerVerifier({ applicationId, service, accessTokens: true, rateLimitStore, fetch })('opaque'),
    createSessionHandler: async (applicationId, rateLimitStore) => {
      const handler = createSessionHandler({
        applicationId,
        service,
        credentials: clientSecret('s'.repeat(32)),
        origins: [PAGE],
        store: memorySessionStore(),
        rateLimitStore,
        fetch,
      })
      onTestFinished(() => handler.close())
      const body = JSON.stringify({ code: 'c', codeVerifier: 'v'.repeat(43) })
      const headers = { origin: PAGE, 'content-type': 'application/json' }
      return handler(new Request(`${PAGE}/session/sign-in`, { method: 'POST', headers, body }))
    },
    Client: async (applicationId, rateLimitStore) => {
      const client = new Client({ applicationId, service, rateLimitStore, fetch })
      onTestFinished(() => client.close())
      await client.updateToken({
        accessToken: new Secret('a'),
        tokenType: 'Bearer',
        expiresAt: Date.now() + 3_600_000,
        scopes: ['identify'],
      })
      return client.fetchCurrentUser()
    },
  }

describe('limits of two games in one store', () => {
  it.each(Object.entries(CALLERS))('%s takes from those of its own game', async (_, call) => {
    const { store, buckets } = ownLimits()
    for (const id of GAMES) await call(id, store).catch(() => undefined)
    for (const id of GAMES) expect([...buckets].filter((key) => key.startsWith(`${id}:`))).not.toEqual([])
    expect([...buckets].filter((key) => !/^\d{19}:/.test(key))).toEqual([])
  })

  it('nobody uses the store as it was given', () => {
    expect(usesOfStore(readSources('src'))).toEqual([])
    expect(
      usesOfStore({
        'src/new.ts': 'const { rateLimitStore } = options\nreturn limit({ store: rateLimitStore })',
        'src/old.ts': 'rateLimitStore?.forApplication?.(id) ?? rateLimitStore',
      }),
    ).toEqual(['src/new.ts', 'src/old.ts'])
  })
})

/** Files with a use of the option `rateLimitStore` that is neither its name, its type, its reading nor `storeOfApplication`. */
function usesOfStore(sources: Readonly<Record<string, string>>): string[] {
  const allowed = [
    /\/\*\*[^]*?\*\//g,
    /'rateLimitStore'/g,
    /rateLimitStore\?:/g,
    /`rateLimitStore\./g,
    /storeOfApplication\(rateLimitStore\b/g,
    /\{[^{}]*\brateLimitStore,?[^{}]*\} = /g,
  ]
  return Object.entries(sources)
    .filter(([, text]) =>
      allowed.reduce((left, use) => left.replaceAll(use, ''), text).includes('rateLimitStore'),
    )
    .map(([file]) => file)
}
