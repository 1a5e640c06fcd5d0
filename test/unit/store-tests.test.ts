/** The suites for stores: our own stores in memory pass them, and a store that breaks any promise fails them. */
import {
  createReplayMemory,
  memoryLobbyBroker,
  MemoryRateLimitStores,
  memoryPurchaseStore,
  memorySessionStore,
  type PurchaseStore,
  type SessionStore,
  type TicketStore,
} from 'foyer-sdk/server'
import * as suites from 'foyer-sdk/store-tests'
import type { LobbyBroker, ReplayStore, StoreKey, StoreTests } from 'foyer-sdk/store-tests'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../support/manual-clock'

const clock = new ManualClock()
const time = { pass: async (ms: number) => clock.advance(ms), now: () => clock.now(), unit: 10 }

/** One store for each group, however many parties open it. */
function shared<Store>(create: () => Store): (group: string) => Store {
  const stores = new Map<string, Store>()
  return (group) => {
    const store = stores.get(group) ?? create()
    stores.set(group, store)
    return store
  }
}

const openSessions = shared(() => memorySessionStore({ clock }))
const openTickets = shared<TicketStore>(() => memoryLobbyBroker({ clock }))
const openPurchases = shared(() => memoryPurchaseStore({ clock }))
const openBrokers = shared(() => memoryLobbyBroker({ clock }))
const openReplays = shared<ReplayStore>(() => createReplayMemory({ clock }))

describe('a store in memory', () => {
  describe('of sessions', () => {
    suites.testSessionStore({ test: it, expect, open: openSessions, ...time })
  })
  describe('of tickets', () => {
    suites.testTicketStore({ test: it, expect, open: openTickets, ...time })
  })
  describe('of purchases', () => {
    suites.testPurchaseStore({ test: it, expect, open: openPurchases, ...time })
  })
  describe('of received requests', () => {
    suites.testReplayStore({ test: it, expect, open: openReplays, ...time })
  })
  describe('of what the processes of a hub share', () => {
    suites.testLobbyBroker({ test: it, expect, open: openBrokers, ...time })
  })
})

/** Titles of the tests of a suite that a store fails. */
async function failures<Store>(
  suite: (given: StoreTests<Store>) => void,
  open: (group: string) => Store,
): Promise<string[]> {
  const tests: { title: string; run: () => Promise<void> }[] = []
  suite({ test: (title, run) => tests.push({ title, run }), expect, open, ...time })
  const failed: string[] = []
  for (const { title, run } of tests) await run().catch(() => failed.push(title))
  return failed
}

/** A store that breaks one promise. */
type Broken<Store> = (store: Store) => Partial<Store>
const lastOf = (key: string) => key.split(':').slice(1).join(':') as StoreKey

const BROKEN_SESSIONS: Record<string, Broken<SessionStore>> = {
  'keeps no text': () => ({ set: async () => undefined }),
  'deletes nothing': () => ({ delete: async () => undefined }),
  'keeps texts for ever': (store) => ({ set: (key, text) => store.set(key, text, 1e9) }),
  'knows no applications': (store) => ({
    get: (key) => store.get(lastOf(key)),
    set: (key, text, ttl) => store.set(lastOf(key), text, ttl),
    delete: (key) => store.delete(lastOf(key)),
  }),
  'gives everybody a lock': () => ({ lock: async () => true }),
  'locks in two steps': (store) => ({
    async lock(key, owner, ttl) {
      const isFree = (await store.get(key)) === undefined
      await Promise.resolve()
      if (isFree) await store.set(key, owner, ttl)
      return isFree
    },
  }),
  'locks for ever': (store) => ({ lock: (key, owner) => store.lock(key, owner, 1e9) }),
  'releases the lock of anybody': (store) => ({ unlock: (key) => store.delete(key) }),
  'releases no lock': () => ({ unlock: async () => undefined }),
  'renews the lock of anybody': () => ({ renew: async () => true }),
  'renews nothing': () => ({ renew: async () => false }),
}
const BROKEN_TICKETS: Record<string, Broken<TicketStore>> = {
  'gives a text twice': (store) => ({
    async take(key) {
      const text = await store.take(key)
      if (text !== undefined) await store.put(key, text, 1e9)
      return text
    },
  }),
  'keeps texts for ever': (store) => ({ put: (key, text) => store.put(key, text, 1e9) }),
  'drops empty texts': (store) => ({ take: async (key) => (await store.take(key)) || undefined }),
  'knows no applications': (store) => ({
    put: (key, text, ttl) => store.put(lastOf(key), text, ttl),
    take: (key) => store.take(lastOf(key)),
  }),
}
const BROKEN_REPLAYS: Record<string, Broken<ReplayStore>> = {
  'knows nothing': () => ({ seen: async () => false }),
  'knows everything': () => ({ seen: async () => true }),
  'knows no applications': (store) => ({ seen: (key, ttl) => store.seen(lastOf(key), ttl) }),
  'forgets at once': (store) => ({ seen: (key) => store.seen(key, 1) }),
}
const BROKEN_PURCHASES: Record<string, Broken<PurchaseStore>> = {
  'records nothing': () => ({ get: async () => undefined }),
  'says that everything is new': (store) => ({
    async claim(key, owner, ttl) {
      return (await store.claim(key, owner, ttl)) === 'busy' ? 'busy' : 'new'
    },
  }),
  'forgets a claim that has ended': (store) => ({
    async claim(key, owner, ttl) {
      const before = await store.claim(key, owner, ttl)
      return before === 'claimed' ? 'new' : before
    },
  }),
  'claims in two steps': (store) => ({
    async claim(key, owner) {
      const state = await store.get(key)
      await Promise.resolve()
      if (state === undefined) await store.claim(key, owner, 1e9)
      return state ?? 'new'
    },
  }),
  'claims for ever': (store) => ({ claim: (key, owner) => store.claim(key, owner, 1e9) }),
  'claims for one owner again': (store) => {
    const owners = new Map<string, string>()
    return {
      async claim(key, owner, ttl) {
        const isOwn = owners.get(key) === owner
        owners.set(key, owner)
        const before = await store.claim(key, owner, ttl)
        return before === 'busy' && isOwn ? 'claimed' : before
      },
    }
  },
  'settles for anybody': (store) => {
    const owners = new Map<string, string>()
    return {
      async claim(key, owner, ttl) {
        const before = await store.claim(key, owner, ttl)
        if (before !== 'busy') owners.set(key, owner)
        return before
      },
      settle: (key, _, state) => store.settle(key, owners.get(key) ?? '', state),
    }
  },
  'says that everything is settled': (store) => ({
    async settle(key, owner, state) {
      await store.settle(key, owner, state)
      return true
    },
  }),
  'knows no applications': (store) => ({
    get: (key) => store.get(lastOf(key)),
    claim: (key, owner, ttl) => store.claim(lastOf(key), owner, ttl),
    settle: (key, owner, state) => store.settle(lastOf(key), owner, state),
  }),
  forgets: (store) => {
    const since = new Map<string, number>()
    const isOld = (key: string) => clock.now() - (since.get(key) ?? clock.now()) > 50
    return {
      get: async (key) => (isOld(key) ? undefined : store.get(key)),
      async settle(key, owner, state) {
        since.set(key, clock.now())
        return store.settle(key, owner, state)
      },
    }
  },
}

const BROKEN_BROKERS: Record<string, Broken<LobbyBroker>> = {
  'brings each note once, to one process': (broker) => {
    let isTaken = false
    return {
      subscribe(listener) {
        const isFirst = !isTaken
        isTaken = true
        return broker.subscribe({
          gap: () => undefined,
          note: (text) => (isFirst || text.startsWith('first')) && listener.note(text),
        })
      },
    }
  },
  'brings notes after the end too': (broker) => ({
    subscribe(listener) {
      broker.subscribe(listener)
      return () => undefined
    },
  }),
  'changes notes': (broker) => ({ publish: (note) => broker.publish(note.replace('♞', '')) }),
  'knows no groups': () => ({ ...everybodys }),
  'knows no applications': () => ({ forApplication: () => everybodys }),
  'gives one version twice': () => ({ nextVersion: async (least) => least + 1 }),
  'takes the last text for the newest': (broker) => ({
    async putNewest(key, { text }, ttl) {
      await broker.put(key, text, ttl)
      return true
    },
  }),
  'compares versions in two steps': (broker) => {
    const versions = new Map<string, number>()
    return {
      async putNewest(key, { version, text }, ttl) {
        const isNewest = (versions.get(key) ?? 0) <= version
        await Promise.resolve()
        if (!isNewest) return false
        versions.set(key, version)
        await broker.put(key, text, ttl)
        return true
      },
    }
  },
  'leaves out keys without a text': (broker) => ({
    getAll: async (keys) => (await broker.getAll(keys)).filter((text) => text !== undefined),
  }),
  'gives a text twice': (broker) => ({ take: async (key) => (await broker.getAll([key]))[0] }),
  'keeps texts for ever': (broker) => ({ put: (key, text) => broker.put(key, text, 1e9) }),
  'adds in two steps': (broker) => ({
    async increment(key, amount, ttl) {
      const [known = '0'] = await broker.getAll([key])
      const sum = Number(known) + amount
      await broker.put(key, String(sum), ttl)
      return sum
    },
  }),
  'renews a number': (broker) => {
    const sums = new Map<string, { sum: number; end: number }>()
    return {
      async increment(key, amount, ttl) {
        const known = sums.get(key)
        const sum = (known && known.end > clock.now() ? known.sum : 0) + amount
        sums.set(key, { sum, end: clock.now() + ttl })
        return broker.increment(`${key}-other`, 0, ttl).then(() => sum)
      },
    }
  },
  'adds to the first set only': (broker) => ({
    addMember: ([set = ''], member, ttl) => broker.addMember([set], member, ttl),
  }),
  'removes nobody': () => ({ removeMember: async () => undefined }),
  'keeps members for ever': (broker) => ({
    addMember: (sets, member) => broker.addMember(sets, member, 1e9),
  }),
  'renews nobody': (broker) => {
    const known = new Set<string>()
    return {
      async addMember(sets, member, ttl) {
        if (known.has(`${sets.join()} ${member}`)) return
        known.add(`${sets.join()} ${member}`)
        await broker.addMember(sets, member, ttl)
      },
    }
  },
}
/** What a broker has that does not tell one from another. */
const everybodys = memoryLobbyBroker({ clock })

const broken = <Store extends object>(create: () => Store, breakIt: Broken<Store>) =>
  shared(() => {
    const store = create()
    return { ...store, ...breakIt(store) }
  })
const openAlone = () => new MemoryRateLimitStores(clock).store()

describe('a broken store is found, if it', () => {
  it.each(Object.entries(BROKEN_SESSIONS))('holds sessions and %s', async (_, breakIt) => {
    const open = broken(() => memorySessionStore({ clock }), breakIt)
    expect(await failures(suites.testSessionStore, open)).not.toEqual([])
  })

  it.each(Object.entries(BROKEN_TICKETS))('holds tickets and %s', async (_, breakIt) => {
    const open = broken<TicketStore>(() => {
      const broker = memoryLobbyBroker({ clock })
      return { put: broker.put.bind(broker), take: broker.take.bind(broker) }
    }, breakIt)
    expect(await failures(suites.testTicketStore, open)).not.toEqual([])
  })

  it.each(Object.entries(BROKEN_REPLAYS))('holds received requests and %s', async (_, breakIt) => {
    const open = broken<ReplayStore>(() => createReplayMemory({ clock }), breakIt)
    expect(await failures(suites.testReplayStore, open)).not.toEqual([])
  })

  it.each(Object.entries(BROKEN_PURCHASES))('holds purchases and %s', async (_, breakIt) => {
    const open = broken(() => memoryPurchaseStore({ clock }), breakIt)
    expect(await failures(suites.testPurchaseStore, open)).not.toEqual([])
  })

  it.each(Object.entries(BROKEN_BROKERS))('connects hubs and %s', async (_, breakIt) => {
    const open = broken<LobbyBroker>(() => memoryLobbyBroker({ clock }), breakIt)
    expect(await failures(suites.testLobbyBroker, open)).not.toEqual([])
  })

  it('is of limits and grants more than the limit', async () => {
    expect(await failures(suites.testRateLimitStore, openAlone)).toContain('counts the parties')
  })
})

/** Titles of a suite's tests that none of the broken stores fails. */
async function unbroken<Store extends object>(
  suite: (given: StoreTests<Store>) => void,
  create: () => Store,
  breaks: Record<string, Broken<Store>>,
): Promise<string[]> {
  const found = new Set<string>()
  for (const breakIt of Object.values(breaks))
    for (const title of await failures(suite, broken(create, breakIt))) found.add(title)
  const all: string[] = []
  suite({ test: (title) => all.push(title), expect, open: create })
  return all.filter((title) => !found.has(title))
}

it('every promise of a suite is broken by one of these stores', async () => {
  const sessions = await unbroken(
    suites.testSessionStore,
    () => memorySessionStore({ clock }),
    BROKEN_SESSIONS,
  )
  const brokers = await unbroken(suites.testLobbyBroker, () => memoryLobbyBroker({ clock }), BROKEN_BROKERS)
  const purchases = await unbroken(
    suites.testPurchaseStore,
    () => memoryPurchaseStore({ clock }),
    BROKEN_PURCHASES,
  )
  expect([...sessions, ...brokers, ...purchases]).toEqual([])
})
