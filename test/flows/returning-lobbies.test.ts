/** Lobbies that come back with `resume()`: after a reload, a crash, a sign-out and a change of player, with two tabs and with a stream. */
import { createEmulator, type Emulator } from 'foyer-emulator'
import { Client, type ClientOptions, type Lobby, lobbyStream, memoryStore, type TokenStore } from 'foyer-sdk'
import { MemoryRateLimitStores } from 'foyer-sdk/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { findPlayer } from '../support/find-player'
import { LobbyGame } from '../support/lobby-game'
import { settle } from '../support/settle'

const REDIRECT = 'http://127.0.0.1:51234/callback'
const MINUTE = 60_000
let emulator: Emulator
let game: LobbyGame
let stores: MemoryRateLimitStores
let store: TokenStore & { texts: Map<string, string> }
/** Each write to the list waits for it. */
let writing: Promise<void> | undefined

beforeAll(async () => {
  emulator = await createEmulator()
})
beforeEach(() => {
  emulator.reset()
  emulator.limits('production')
  game = new LobbyGame(emulator)
  stores = new MemoryRateLimitStores(game.clock)
  store = openStore()
  writing = undefined
})
afterEach(() => game.close())
afterAll(() => emulator.close())

/** A store that a reload does not end, and what is in it. */
function openStore() {
  const texts = new Map<string, string>()
  const set = async (key: string, text: string) => {
    if (key.endsWith('lobbies')) await writing
    texts.set(key, text)
  }
  return {
    ...memoryStore(),
    texts,
    get: async (key: string) => texts.get(key),
    set,
    delete: async (key: string) => void texts.delete(key),
  }
}

/** The limits of the player, as tabs and reloads share them. */
const budget = () => stores.store()
const kept = () =>
  [...store.texts.entries()].filter(([key]) => key.endsWith('lobbies')).map(([, text]) => text)
const keptKey = () => [...store.texts.keys()].find((key) => key.endsWith('lobbies')) ?? ''
const joins = () =>
  emulator.requests.filter(({ method, path }) => method === 'PUT' && path.endsWith('/lobbies')).length
const lobbyCalls = () => emulator.requests.filter(({ path }) => path.includes('/lobbies')).length
const ids = (client: Client) => Array.from(client.lobbies, ({ id }) => id)
const idOf = (name: string) => findPlayer(emulator, name).id
const signIn = (as: string, options: Partial<ClientOptions> = {}) =>
  game.player(as, { tokenStore: store, ...options })

const join = (client: Client, secret: string): Promise<Lobby> =>
  client.createOrJoinLobby(secret, { idleTimeout: 86_400_000 })

/** A page of the same game that has just been loaded. */
function load(options: Partial<ClientOptions> = {}): Client {
  const { application, url } = emulator
  const client = new Client({
    applicationId: application.id,
    service: { host: url },
    clock: game.clock,
    tokenStore: store,
    ...options,
  })
  game.clients.push(client)
  return client
}

/** The page after a reload. */
async function reload(page: Client, options: Partial<ClientOptions> = {}): Promise<Client> {
  page.close()
  const next = load(options)
  await whileTimePasses(next.resume())
  return next
}

/** Waits for work that may wait for a limit. */
async function whileTimePasses<T>(work: Promise<T>): Promise<T> {
  let isDone = false
  void work.finally(() => (isDone = true))
  await expect
    .poll(
      () => {
        if (!isDone) game.pass(250)
        return isDone
      },
      { interval: 5 },
    )
    .toBe(true)
  return work
}

describe('resume', () => {
  it('brings the lobbies of the player back, with their metadata and members as they are now', async () => {
    const ada = await signIn('ada')
    await ada.createOrJoinLobby('moon', { metadata: { map: 'crater' }, member: { color: 'red' } })
    await join(ada, 'sun')
    const bruno = await game.player('bruno')
    await bruno.createOrJoinLobby('moon')
    const before = ids(ada)
    const created: string[] = []
    ada.close()
    const page = load()
    page.on('lobbyCreated', ({ lobby }) => created.push(lobby.id))
    expect((await page.resume())?.userId).toBe(idOf('ada'))
    expect([ids(page), created.toSorted()]).toEqual([before, before.toSorted()])
    const moon = page.lobbies.get(before[0] ?? '')
    expect(moon?.metadata).toEqual({ map: 'crater' })
    expect(moon?.members.map(({ id, metadata }) => [id, metadata])).toEqual([
      [idOf('ada'), { color: 'red' }],
      [idOf('bruno'), {}],
    ])
    await moon?.send('back')
  })

  it('has brought them back in every call, also in one of a listener of sessionChanged, by one join of each', async () => {
    const ada = await signIn('ada')
    await join(ada, 'moon')
    await join(ada, 'sun')
    const before = ids(ada).sort()
    ada.close()
    const sent = lobbyCalls()
    const page = load()
    const seen: string[][] = []
    const look = async () => {
      await page.resume()
      seen.push(ids(page).sort())
    }
    const heard = new Promise<void>((resolve) =>
      page.on('sessionChanged', ({ session }) => session && void look().then(resolve)),
    )
    await Promise.all([look(), look(), heard])
    await look()
    expect(seen).toEqual([before, before, before, before])
    // For each lobby a read, which only members may, and the join.
    expect(lobbyCalls() - sent).toBe(4)
  })

  it('has the lobbies in the order in which they were joined, those of before a reload first', async () => {
    const ada = await signIn('ada')
    const [moon, sun, star] = [await join(ada, 'moon'), await join(ada, 'sun'), await join(ada, 'star')]
    const page = await reload(ada)
    expect(ids(page)).toEqual([moon.id, sun.id, star.id])
    const sky = await join(page, 'sky')
    await page.lobbies.get(moon.id)?.leave()
    const again = await join(page, 'moon')
    expect(ids(page)).toEqual([sun.id, star.id, sky.id, again.id])
  })

  it('needs no second join of the game itself, once', async () => {
    const page = await reload(await signIn('ada').then(async (ada) => (await join(ada, 'moon'), ada)))
    const sent = joins()
    const lobby = await page.createOrJoinLobby('moon')
    expect([joins(), lobby]).toEqual([sent, page.lobbies.get(lobby.id)])
    await page.createOrJoinLobby('moon')
    expect(joins()).toBe(sent + 1)
  })

  it('still sends a join that changes metadata', async () => {
    const ada = await signIn('ada')
    await join(ada, 'moon')
    const page = await reload(ada)
    expect(
      (await page.createOrJoinLobby('moon', { member: { color: 'blue' } })).members[0]?.metadata,
    ).toEqual({ color: 'blue' })
  })

  it('leaves one member after 50 reloads, and no join is refused by the service', async () => {
    let page = await signIn('ada', { rateLimitStore: budget() })
    const { id } = await join(page, 'moon')
    for (let count = 0; count < 50; count++) {
      page = await reload(page, { rateLimitStore: budget() })
      expect(page.session?.userId).toBe(idOf('ada'))
    }
    await expect
      .poll(
        () => {
          game.pass(1000)
          return ids(page)
        },
        { interval: 10 },
      )
      .toEqual([id])
    expect(page.lobbies.get(id)?.members).toHaveLength(1)
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([])
  })

  it('joins only as many lobbies as the limit allows, and the others follow', async () => {
    const ada = await signIn('ada')
    for (let count = 0; count < 9; count++) await join(ada, `round-${count}`)
    game.pass(2 * MINUTE)
    for (let count = 9; count < 13; count++) await join(ada, `round-${count}`)
    game.pass(2 * MINUTE)
    const page = await reload(ada, { rateLimitStore: budget() })
    const first = page.lobbies.size
    expect(first).toBeGreaterThan(0)
    expect(first).toBeLessThanOrEqual(10)
    await expect
      .poll(
        () => {
          game.pass(1000)
          return page.lobbies.size
        },
        { interval: 10 },
      )
      .toBe(13)
    expect(emulator.requests.filter(({ status }) => status === 429)).toEqual([])
  })

  it('brings back no lobby that was deleted, and creates none in its place', async () => {
    const ada = await signIn('ada')
    const { id } = await join(ada, 'moon')
    ada.close()
    await game.backend('DELETE', `/${id}`)
    const sent = joins()
    const page = load()
    expect(await page.resume()).not.toBeNull()
    expect([ids(page), joins()]).toEqual([[], sent])
    await expect.poll(kept).toEqual([])
  })

  it('attack/220 does not return to a lobby that the player was removed from', async () => {
    const ada = await signIn('ada')
    const bruno = await game.player('bruno')
    const { id } = await join(ada, 'moon')
    await bruno.createOrJoinLobby('moon')
    ada.close()
    await game.backend('DELETE', `/${id}/members/${idOf('ada')}`)
    const page = load()
    await page.resume()
    expect(ids(page)).toEqual([])
    await expect.poll(kept).toEqual([])
  })

  it('leaves a lobby that replaced the one of the secret while it was on its way', async () => {
    const ada = await signIn('ada')
    const { id } = await join(ada, 'moon')
    ada.close()
    let replaced = ''
    const fetch: typeof globalThis.fetch = async (input, init) => {
      if (init?.method === 'PUT' && !replaced) {
        replaced = id
        await game.backend('DELETE', `/${id}`)
      }
      return globalThis.fetch(input, init)
    }
    const page = load({ fetch })
    await page.resume()
    expect([replaced, ids(page)]).toEqual([id, []])
    expect(emulator.requests.at(-1)).toMatchObject({ method: 'DELETE', status: 204 })
    await expect.poll(kept).toEqual([])
  })

  it('keeps a lobby that a network failure holds up, and tries again with the next call', async () => {
    const ada = await signIn('ada')
    const { id } = await join(ada, 'moon')
    ada.close()
    let isAway = true
    const page = load({
      fetch: (url, init) =>
        isAway && url.includes('/lobbies') ? Promise.reject(new TypeError('away')) : fetch(url, init),
    })
    expect(await whileTimePasses(page.resume())).not.toBeNull()
    expect(ids(page)).toEqual([])
    isAway = false
    await whileTimePasses(page.resume())
    expect(ids(page)).toEqual([id])
  })
})

describe('a page that goes elsewhere right after a call', () => {
  it('has its lobby stored when the join resolves, and stays in one that it joins, leaves and joins in one go', async () => {
    const ada = await signIn('ada')
    let write!: () => void
    writing = new Promise((resolve) => (write = resolve))
    const left = join(ada, 'moon').then((lobby) => (expect(kept().join()).toContain('moon'), lobby.leave()))
    const joining = join(ada, 'moon')
    await expect.poll(() => ids(ada).length).toBe(1)
    write()
    await whileTimePasses(Promise.all([left, joining]))
    const { id } = await joining
    expect([ids(ada), ids(await reload(ada))]).toEqual([[id], [id]])
  })

  it('waits a second for a store that does not answer, and no longer', async () => {
    const ada = await signIn('ada')
    writing = new Promise(() => undefined)
    let isJoined = false
    void join(ada, 'moon').then(() => (isJoined = true))
    await expect.poll(() => ids(ada).length).toBe(1)
    game.pass(900)
    await settle()
    expect(isJoined).toBe(false)
    game.pass(100)
    await expect.poll(() => isJoined).toBe(true)
  })
})

describe('a lobby does not come back', () => {
  it.each<[string, (client: Client, lobby: Lobby) => unknown]>([
    ['after the player has left it', (_, lobby) => lobby.leave()],
    ['after a sign-out', (client) => client.signOut()],
    ['if the page leaves it when it is closed', (_, lobby) => lobby.autoLeave()],
  ])('%s', async (_, end) => {
    const ada = await signIn('ada')
    await end(ada, await join(ada, 'moon'))
    await expect.poll(kept).toEqual([])
    const sent = joins()
    await reload(ada)
    expect(joins()).toBe(sent)
  })

  it('to another player who signs in, nor to the first one after that', async () => {
    const page = await signIn('ada')
    await join(page, 'moon')
    await page.signIn({ surface: consentSurface(emulator, { as: 'bruno', redirectUri: REDIRECT }) })
    expect(kept()).toEqual([])
    const bruno = await reload(page)
    expect([bruno.session?.userId, ids(bruno)]).toEqual([idOf('bruno'), []])
  })

  it('attack/220 to the next player of a page that leaves it when it is closed', async () => {
    const page = await signIn('ada')
    const lobby = await join(page, 'moon')
    await lobby.autoLeave()
    await page.signIn({ surface: consentSurface(emulator, { as: 'bruno', redirectUri: REDIRECT }) })
    await settle()
    await join(page, 'sun')
    expect(kept().join()).toContain('sun')
    expect(kept().join()).not.toContain('moon')
  })

  it('attack/220 to a player whose session does not belong to the list', async () => {
    const page = await signIn('ada')
    await join(page, 'moon')
    page.close()
    const key = keptKey()
    const text = store.texts.get(key) ?? ''
    const bruno = await signIn('bruno')
    store.texts.set(key, text)
    const sent = lobbyCalls()
    expect(ids(await reload(bruno))).toEqual([])
    expect(lobbyCalls()).toBe(sent)
  })

  it.each([
    '',
    'no JSON',
    '{}',
    '[]',
    '{"v":1}',
    '{"v":2,"lobbies":[]}',
    `{"v":1,"lobbies":"${'x'.repeat(200)}"}`,
  ])('from a damaged list: %s', async (text) => {
    const page = await signIn('ada')
    await join(page, 'moon')
    const key = keptKey()
    store.texts.set(key, text)
    const sent = joins()
    const next = await reload(page)
    expect([next.session?.userId, ids(next), joins()]).toEqual([idOf('ada'), [], sent])
  })

  it('to a client that turns it off', async () => {
    const ada = await signIn('ada', { keepLobbies: false })
    await ada.createOrJoinLobby('moon')
    await settle()
    expect(kept()).toEqual([])
    await join(await reload(ada), 'moon')
    const sent = joins()
    const page = await reload(load(), { keepLobbies: false })
    expect([page.session?.userId, ids(page), joins()]).toEqual([idOf('ada'), [], sent])
  })
})

describe('two tabs of one player', () => {
  it('share the list: neither loses what the other has joined, and a lobby that one has left comes back to none', async () => {
    const ada = await signIn('ada')
    const other = load()
    await other.resume()
    const moon = await join(ada, 'moon')
    const sun = await join(other, 'sun')
    expect(kept().join()).toContain('moon')
    await moon.leave()
    await expect.poll(() => kept().join()).not.toContain('moon')
    expect(ids(await reload(ada))).toEqual([sun.id])
  })

  it('join at the same moment, and both lobbies are kept', async () => {
    const ada = await signIn('ada')
    const other = load()
    await other.resume()
    await Promise.all([
      ada.createOrJoinLobby('moon'),
      other.createOrJoinLobby('sun'),
      ada.createOrJoinLobby('star'),
    ])
    await expect
      .poll(() => ['moon', 'sun', 'star'].filter((secret) => kept().join().includes(secret)))
      .toHaveLength(3)
  })
})

const stream = () => ({ lobbyUpdates: lobbyStream(`${emulator.url}/lobby-stream`) })

describe('with a stream of updates', () => {
  it('no join is sent: the stream shows the lobbies', async () => {
    const ada = await signIn('ada', stream())
    const { id } = await join(ada, 'moon')
    const sent = joins()
    const page = await reload(ada, stream())
    expect([ids(page), joins()]).toEqual([[id], sent])
    await page.createOrJoinLobby('moon')
    expect(joins()).toBe(sent)
  })

  it('that fails, they are joined again', async () => {
    const ada = await signIn('ada')
    const { id } = await join(ada, 'moon')
    ada.close()
    const page = load({ lobbyUpdates: { subscribe: () => () => undefined } })
    const resuming = page.resume()
    await expect
      .poll(() => {
        game.pass(1000)
        return ids(page)
      })
      .toEqual([id])
    expect(await resuming).not.toBeNull()
  })
})

it('attack/221 secrets of lobbies are in no log, event or state of a client that brings them back', async () => {
  const ada = await signIn('ada')
  const { id } = await join(ada, 'secret-of-the-moon')
  ada.close()
  await game.backend('DELETE', `/${id}`)
  const seen: string[] = []
  const page = load({ logger: (entry) => seen.push(JSON.stringify(entry)) })
  await page.resume()
  await join(page, 'secret-of-the-moon')
  const again = await reload(page, { logger: (entry) => seen.push(JSON.stringify(entry)) })
  seen.push(JSON.stringify([again.lobbies, again.session]))
  expect(again.lobbies.size).toBe(1)
  expect(seen.join()).not.toContain('secret-of-the-moon')
})
