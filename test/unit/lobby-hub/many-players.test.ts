/** Work of a hub that must not grow with its players: heartbeats, the broker in memory, events to many members, reads for many connections. */
import { memoryLobbyBroker } from 'foyer-sdk/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { HEARTBEAT_STEP, HeartbeatRounds } from '../../support/internals'
import { HubWorld, settled } from '../../support/hub-world'
import { ManualClock } from '../../support/manual-clock'

const range = (count: number) => Array.from({ length: count }, (_, index) => String(index))

/** Runs rounds for a time, and returns the times of each entry's heartbeats, and the most at once. */
function run(entries: Map<string, string>, seconds: number, change: (now: number) => void = () => undefined) {
  const rounds = new HeartbeatRounds(entries)
  const times = new Map<string, number[]>()
  let most = 0
  for (let now = 0; now < seconds * 1000; now += HEARTBEAT_STEP) {
    change(now)
    const due = rounds.next(now)
    most = Math.max(most, due.length)
    for (const id of due) times.set(id, [...(times.get(id) ?? []), now])
  }
  return { times, most }
}
const longestGap = (times: number[]) =>
  Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? 0)))

describe('heartbeats', () => {
  it('of 3,000 streams are sent in thirty parts, to each every 15 s', () => {
    const { times, most } = run(new Map(range(3000).map((id) => [id, id])), 60)
    expect(most).toBe(100)
    expect(times.size).toBe(3000)
    for (const each of times.values()) expect([each.length, longestGap(each)]).toEqual([4, 15_000])
  })

  it('of one stream are sent every 15 s', () => {
    expect(run(new Map([['a', 'a']]), 61).times.get('a')).toEqual([0, 15_000, 30_000, 45_000, 60_000])
  })

  it('reach everybody in time while many come and go, and never many at once', () => {
    const entries = new Map(range(100).map((id) => [id, id]))
    const { times, most } = run(entries, 120, (now) => {
      if (now === 7000) for (const id of range(3000)) entries.set(id, id)
      if (now === 60_000) for (const id of range(3000).slice(100)) entries.delete(id)
    })
    expect(most).toBe(100)
    for (const id of range(100)) expect(longestGap(times.get(id) ?? [])).toBeLessThanOrEqual(30_000)
  })
})

describe('the broker in memory', () => {
  it('renews 20,000 sets at the cost of as many: it does not look for ended ones each time', async () => {
    let looks = 0
    const clock = new ManualClock()
    const counting = { now: () => (looks++, clock.now()), after: clock.after.bind(clock) }
    const broker = memoryLobbyBroker({ clock: counting })
    const sets = range(20_000).map((id) => `streams:${id}`)
    await broker.addMember(sets, 'p', 45_000)
    looks = 0
    for (const set of sets) await broker.addMember([set], 'p', 45_000)
    expect(looks).toBeLessThanOrEqual(20_002)
  })

  it('removes what has ended when as much was added', async () => {
    const clock = new ManualClock()
    const broker = memoryLobbyBroker({ clock })
    await broker.addMember(range(1500), 'p', 1000)
    clock.advance(1000)
    expect(await broker.membersOf(['0'])).toEqual([[]])
    for (const id of range(3000)) await broker.put(id, 'text', 1000)
    clock.advance(1000)
    expect(await broker.getAll(['2999'])).toEqual([undefined])
  })
})

describe('a hub', () => {
  const [LOBBY, MEMBERS] = ['901', 40]
  let world: HubWorld

  beforeEach(() => {
    world = new HubWorld(1, 1)
    world.isFaulty = false
  })
  afterEach(() => world.close())

  async function connect(id: string): Promise<ReadableStreamDefaultReader<Uint8Array>> {
    const headers = { authorization: `Bearer ${id}` }
    const response = await world.hubs[0]?.(new Request(`https://game.test/?lobbies=${LOBBY}`, { headers }))
    if (!response?.body) throw new Error('no stream')
    return response.body.getReader()
  }
  const players = range(MEMBERS).map((id) => `1${id}`)

  it('reads a lobby once when all of its members connect at once', async () => {
    for (const id of players) world.join(id, LOBBY)
    await Promise.all(players.map(connect))
    await settled()
    expect(world.reads).toBe(1)
  })

  it('sends the members of a large lobby who connect at once together, and to each of them', async () => {
    const ids = range(60).map((id) => `2${id}`)
    for (const id of ids) world.join(id, LOBBY)
    const readers = await Promise.all(ids.map(connect))
    let parts = 0
    const read = async (reader: (typeof readers)[number]): Promise<void> => {
      if ((await reader.read()).done) return
      parts += 1
      return read(reader)
    }
    for (const reader of readers) void read(reader)
    const members = ids.map((id) => world.player(id))
    await settled()
    for (const member of members) member.join(LOBBY)
    await world.pass(1000)
    // The first lines, states, updates that were collected, and a heartbeat.
    expect(parts / ids.length).toBeLessThan(10)
    for (const member of members)
      expect(member.presence()).toEqual(Object.fromEntries(ids.map((id) => [id, 'online'])))
  })

  it('encodes a change once for all members', async () => {
    for (const id of players) world.join(id, LOBBY)
    const readers = await Promise.all(players.map(connect))
    const last: Uint8Array[] = []
    for (const [index, reader] of readers.entries()) {
      const read = async (): Promise<void> => {
        const { done, value } = await reader.read()
        if (done) return
        last[index] = value
        return read()
      }
      void read()
    }
    await settled()
    world.join(players[0] ?? '', LOBBY, 'changed')
    world.changedByBackend(LOBBY)
    await settled()
    expect(new TextDecoder().decode(last[0])).toContain('changed')
    expect(new Set(last).size).toBe(1)
  })
})
