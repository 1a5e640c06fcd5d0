/** Lobby broker in memory, for hubs of one process. */
import { type Clock, systemClock } from '../../shared/foundation/clock'
import type { BrokerListener, LobbyBroker, VersionedText } from './lobby-broker'
import { takeOptions } from '../../shared/foundation/take-options'

interface Entry extends VersionedText {
  /** Epoch ms. */
  readonly end: number
}

/** Fewest additions between two removals of ended entries. */
const SWEEP_SIZE = 1000

/** Options of `memoryLobbyBroker`. */
export interface MemoryLobbyBrokerOptions {
  /** Time source, for tests. Default: the system clock. */
  clock?: Clock | undefined
}

/** Creates a broker for the hubs of one process; the default of `createLobbyHub`. */
export function memoryLobbyBroker(options?: MemoryLobbyBrokerOptions): LobbyBroker {
  const { clock = systemClock } = takeOptions({ ...options }, ['clock'])
  const listeners = new Set<BrokerListener>()
  const applications = new Map<string, LobbyBroker>()
  let version = 0
  return {
    forApplication(id) {
      const own = applications.get(id) ?? memoryLobbyBroker({ clock })
      applications.set(id, own)
      return own
    },
    ...createTexts(clock),
    ...createSets(clock),
    async publish(note) {
      for (const listener of listeners) listener.note(note)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async nextVersion(least) {
      version = Math.max(version + 1, least + 1, Math.floor(clock.now() * 1000))
      return version
    },
  }
}

function createTexts(clock: Clock): Pick<LobbyBroker, 'getAll' | 'increment' | 'put' | 'putNewest' | 'take'> {
  const texts = new Map<string, Entry>()
  const read = (key: string): Entry | undefined => {
    const entry = texts.get(key)
    return entry && entry.end > clock.now() ? entry : undefined
  }
  const sweepSometimes = createSweeper(texts, () => {
    for (const [old, { end }] of texts) if (end <= clock.now()) texts.delete(old)
  })
  const put = (key: string, value: VersionedText, ttl: number): void => {
    texts.set(key, { ...value, end: clock.now() + ttl })
    sweepSometimes()
  }
  return {
    put: async (key, text, ttl) => put(key, { version: 0, text }, ttl),
    getAll: async (keys) => keys.map((key) => read(key)?.text),
    async putNewest(key, value, ttl) {
      if ((read(key)?.version ?? 0) > value.version) return false
      put(key, value, ttl)
      return true
    },
    async increment(key, amount, ttl) {
      const known = read(key)
      const sum = Number(known?.text ?? 0) + amount
      put(key, { version: 0, text: String(sum) }, known ? known.end - clock.now() : ttl)
      return sum
    },
    async take(key) {
      const text = read(key)?.text
      texts.delete(key)
      return text
    },
  }
}

function createSets(clock: Clock): Pick<LobbyBroker, 'addMember' | 'membersOf' | 'removeMember'> {
  const sets = new Map<string, Map<string, number>>()
  const sweepSometimes = createSweeper(sets, () => sweep(sets, clock.now()))
  return {
    async addMember(names, member, ttl) {
      for (const name of names) {
        const members = sets.get(name) ?? new Map<string, number>()
        sets.set(name, members.set(member, clock.now() + ttl))
        sweepSometimes()
      }
    },
    async removeMember(set, member) {
      const members = sets.get(set)
      if (members?.delete(member) && members.size === 0) sets.delete(set)
    },
    membersOf: async (names) => names.map((name) => living(sets.get(name), clock.now())),
  }
}

const living = (members: ReadonlyMap<string, number> = new Map(), now: number): string[] =>
  [...members].filter(([, end]) => end > now).map(([member]) => member)

/** Calls `sweepAll` once for as many additions as there are entries, so that the cost of an addition does not grow with their number. */
function createSweeper(entries: { readonly size: number }, sweepAll: () => void): () => void {
  let additions = 0
  return () => {
    if (++additions < Math.max(SWEEP_SIZE, entries.size)) return
    additions = 0
    sweepAll()
  }
}

/** Removes members whose time has passed, and empty sets. */
function sweep(sets: Map<string, Map<string, number>>, now: number): void {
  for (const [name, members] of sets) {
    for (const [member, end] of members) if (end <= now) members.delete(member)
    if (members.size === 0) sets.delete(name)
  }
}
