/** The promises of a broker of lobby hubs, as tests for any implementation. */
import { systemClock } from '../../shared/foundation/clock'
import { randomText } from '../../shared/foundation/crypto'
import type { LobbyBroker } from '../../server/hub/lobby-broker'
import { type StoreTests, type StoreUnderTest, withDefaults } from './store-under-test'
import { LONG, newGroup } from './test-keys'

/** Most ms between two looks at what has arrived, and looks until a note is taken for lost. */
const LOOK = 50
const LOOKS = 200

/** Two processes of a hub. */
interface Processes extends StoreUnderTest<LobbyBroker> {
  readonly a: LobbyBroker
  readonly b: LobbyBroker
  readonly until: Until
}
type BrokerTest = (processes: Processes) => Promise<void>

/** Defines the tests that the option `broker` of `createLobbyHub` has to pass. */
export function testLobbyBroker(given: StoreTests<LobbyBroker>): void {
  const options = withDefaults(given)
  for (const [title, run] of Object.entries(PROMISES))
    options.test(title, async () => {
      const group = newGroup()
      const [a, b] = [await options.open(group), await options.open(group)]
      await run({ ...options, a, b, until: untilWith(options.unit) })
    })
}

/** Resolves with false if it has not become true. */
type Until = (check: () => Promise<boolean> | boolean) => Promise<boolean>

const untilWith =
  (unit: number): Until =>
  async (check) => {
    for (let look = 0; look < LOOKS; look++) {
      if (await check()) return true
      await new Promise<void>((resolve) => void systemClock.after(Math.min(LOOK, unit / 2), resolve))
    }
    return false
  }

/** Notes that a broker delivers, from when it surely does. A note may come twice. */
async function listenTo(broker: LobbyBroker, until: Until): Promise<{ heard: Set<string>; end: () => void }> {
  const heard = new Set<string>()
  const end = broker.subscribe({ note: (text) => void heard.add(text), gap: () => undefined })
  const first = `first-${randomText()}`
  await until(async () => {
    await broker.publish(first)
    return heard.has(first)
  })
  return { heard, end }
}

const NOTES: Record<string, BrokerTest> = {
  async 'a note reaches every listener of every process as it was sent, until it has unsubscribed'({
    a,
    b,
    until,
    expect,
  }) {
    const [one, two, other] = [await listenTo(a, until), await listenTo(a, until), await listenTo(b, until)]
    const note = JSON.stringify({ lobby: '1', names: ['Ada ♞', ''] })
    await a.publish(note)
    expect(await until(() => [one, two, other].every(({ heard }) => heard.has(note)))).toBe(true)
    one.end()
    await b.publish('later')
    expect(await until(() => [two, other].every(({ heard }) => heard.has('later')))).toBe(true)
    expect(one.heard.has('later')).toBe(false)
    two.end()
    other.end()
  },

  async 'a note of another group reaches nobody'({ a, open, until, expect }) {
    const other = await open(newGroup())
    const [mine, theirs] = [await listenTo(a, until), await listenTo(other, until)]
    await a.publish('mine')
    await other.publish('theirs')
    expect(await until(() => mine.heard.has('mine') && theirs.heard.has('theirs'))).toBe(true)
    expect([mine.heard.has('theirs'), theirs.heard.has('mine')]).toEqual([false, false])
    mine.end()
    theirs.end()
  },

  async 'two applications of one broker share neither notes nor texts'({ a, b, until, expect }) {
    const [mine, same, other] = [a, b, b].map((broker, index) =>
      broker.forApplication?.(index < 2 ? '1082700000000000001' : '1082700000000000002'),
    )
    if (!mine || !same || !other) return
    await mine.put('k', 'x', LONG)
    expect([await same.getAll(['k']), await other.getAll(['k'])]).toEqual([['x'], [undefined]])
    const [near, far] = [await listenTo(same, until), await listenTo(other, until)]
    await mine.publish('news')
    await other.publish('last')
    expect(await until(() => near.heard.has('news') && far.heard.has('last'))).toBe(true)
    expect(far.heard.has('news')).toBe(false)
    near.end()
    far.end()
  },
}

const TEXTS: Record<string, BrokerTest> = {
  async 'versions rise in all processes, and above what the caller has'({ a, b, expect }) {
    const versions = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => (index % 2 ? a : b).nextVersion(0)),
    )
    expect(new Set(versions).size).toBe(40)
    const ahead = Math.max(...versions) + 1_000_000_000
    expect(await a.nextVersion(ahead)).toBeGreaterThan(ahead)
    expect(await b.nextVersion(0)).toBeGreaterThan(ahead + 1)
  },

  async 'the text of the greatest version stays, also of twenty that are stored at once'({ a, b, expect }) {
    expect(await a.putNewest('k', { version: 5, text: 'five' }, LONG)).toBe(true)
    expect(await b.putNewest('k', { version: 4, text: 'four' }, LONG)).toBe(false)
    expect(await b.getAll(['k'])).toEqual(['five'])
    const order = Array.from({ length: 20 }, (_, index) => 6 + ((index * 7) % 20))
    const stored = await Promise.all(
      order.map(async (version, index) =>
        (index % 2 ? a : b).putNewest('k', { version, text: `${version}` }, LONG),
      ),
    )
    expect(stored[order.indexOf(25)]).toBe(true)
    expect(await a.getAll(['k'])).toEqual(['25'])
  },

  async 'texts come in the order of their keys, as they were put'({ a, b, expect }) {
    const texts = ['{"id":"1","n":[1]}', '12', 'null', '=x', 'Ada ♞']
    await Promise.all(texts.map(async (text, index) => a.put(`k${index}`, text, LONG)))
    expect(await b.getAll(['none', ...texts.map((_, index) => `k${index}`)])).toEqual([undefined, ...texts])
    expect(await b.getAll([])).toEqual([])
    const many = Array.from({ length: 1200 }, (_, index) => `k${index % 7}`)
    expect((await b.getAll(many)).filter((text) => text !== undefined)).toHaveLength(858)
  },

  async 'of twenty that take one text at once, one receives it'({ a, b, expect }) {
    await a.put('ticket', 'x', LONG)
    const taken = Array.from({ length: 20 }, async (_, index) => (index % 2 ? a : b).take('ticket'))
    expect((await Promise.all(taken)).filter((text) => text === 'x')).toHaveLength(1)
  },

  async 'a text is gone when its time is over'({ a, b, pass, unit, expect }) {
    await a.put('k', 'x', unit * 4)
    await a.putNewest('newest', { version: 1, text: 'x' }, unit * 4)
    await pass(unit * 6)
    expect(await b.getAll(['k', 'newest'])).toEqual([undefined, undefined])
    expect(await b.take('k')).toBe(undefined)
  },
}

const NUMBERS_AND_SETS: Record<string, BrokerTest> = {
  async 'a number is the sum of what all processes add, and ends with the time of its first addition'({
    a,
    b,
    pass,
    unit,
    expect,
  }) {
    const adding = Array.from({ length: 20 }, async (_, index) => (index % 2 ? a : b).increment('n', 2, LONG))
    expect(Math.max(...(await Promise.all(adding)))).toBe(40)
    expect(await a.increment('short', 1, unit * 10)).toBe(1)
    await pass(unit * 7)
    expect(await b.increment('short', 1, unit * 10)).toBe(2)
    await pass(unit * 7)
    expect(await a.increment('short', 1, unit * 10)).toBe(1)
  },

  async 'a set has what any process has added, and not what was removed'({ a, b, expect }) {
    await a.addMember(['s', 't'], 'ada', LONG)
    await b.addMember(['t'], 'bruno', LONG)
    const members = await a.membersOf(['empty', 't', 's'])
    expect(members.map((names) => [...names].sort())).toEqual([[], ['ada', 'bruno'], ['ada']])
    await b.removeMember('t', 'ada')
    await b.removeMember('t', 'nobody')
    expect(await a.membersOf(['t', 's'])).toEqual([['bruno'], ['ada']])
  },

  async 'a member ends when its time since its last addition is over'({ a, b, pass, unit, expect }) {
    await a.addMember(['s'], 'renewed', unit * 10)
    await a.addMember(['s'], 'short', unit * 10)
    await pass(unit * 7)
    await b.addMember(['s'], 'renewed', unit * 10)
    await pass(unit * 7)
    expect(await a.membersOf(['s'])).toEqual([['renewed']])
  },
}

const PROMISES = { ...NOTES, ...TEXTS, ...NUMBERS_AND_SETS }
