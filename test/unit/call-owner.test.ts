/** A call belongs to the player who made it: never sent under another player's name, and never after a sign-out. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Client } from 'foyer-sdk'
import { BACKEND, CallOwnerWorld, type PlayerName, slowLine } from '../support/call-owner-world'
import { codeOf } from '../support/settle'

const LOBBY = '42'
const refused = () => Response.json({ code: 0, message: '401: Unauthorized' }, { status: 401 })
const limited = () => Response.json({ message: 'limited', retry_after: 3, global: false }, { status: 429, headers: { 'retry-after': '3' } })

let world: CallOwnerWorld
let ada: Client

beforeEach(async () => {
  world = new CallOwnerWorld()
  ada = world.tab()
  await world.signIn(ada, 'ada')
})

/** Owners of the tokens that Ada's words came with. */
const carriers = () => [...new Set(world.received.filter(({ written }) => written.startsWith('ada')).map(({ owner }) => owner))]
const sentTimes = () => world.received.filter(({ written }) => written.startsWith('ada')).length

const CALLS: readonly [name: string, call: (client: Client, text: string) => Promise<unknown>][] = [
  ['sendLobbyMessage', (client, text) => client.sendLobbyMessage(LOBBY, text)],
  ['createOrJoinLobby', (client, text) => client.createOrJoinLobby(text)],
  ['fetchBackend', (client, text) => client.fetchBackend(`${BACKEND}/score`, { method: 'POST', body: text, token: 'access_token' })],
]

describe.each(CALLS)('%s that meets a 401', (_, call) => {
  it('after its player signed out and another one signed in, in this tab, is not sent again', async () => {
    const { line, release, waiting } = slowLine()
    world.line = line
    const calling = codeOf(() => call(ada, 'ada 1'))
    await expect.poll(waiting).toBe(1)
    world.line = () => undefined
    await ada.signOut({ revoke: true })
    await world.signIn(ada, 'bruno')
    release(refused)
    expect(await calling).toBe('signed_out')
    expect([sentTimes(), carriers()]).toEqual([1, ['ada']])
  })

  it('after another player signed in in another tab of the store, without notice, is not sent again', async () => {
    const other = world.tab()
    await other.resume()
    await other.signOut()
    await world.signIn(other, 'bruno')
    world.revoke('ada')
    expect(await codeOf(() => call(ada, 'ada 1'))).toBe('signed_out')
    expect(carriers()).toEqual(['ada'])
    expect(ada.session?.userId).toBe(other.session?.userId)
  })

  it('is not sent as another player whose session took the place while the token was refreshed', async () => {
    const { line, release, waiting } = slowLine()
    world.expire('ada')
    world.line = (url) => (url.endsWith('/token') ? line() : undefined)
    const calling = codeOf(() => call(ada, 'ada 1'))
    await expect.poll(waiting).toBe(1)
    await world.signIn(ada, 'bruno')
    release(refused)
    expect(await calling).toBe('signed_out')
    expect(carriers()).toEqual(['ada'])
  })

  it('is sent again for the player who made it, with the token that another tab got', async () => {
    const other = world.tab()
    await other.resume()
    await other.refreshToken()
    world.expire('ada')
    await other.refreshToken()
    await call(ada, 'ada 1')
    expect([sentTimes(), carriers()]).toEqual([2, ['ada']])
  })
})

it('calls that wait for a limit are not sent after the sign-out, and end at once', async () => {
  world.line = async () => limited()
  const calls = [1, 2, 3].map((number) => codeOf(() => ada.sendLobbyMessage(LOBBY, `ada ${number}`)))
  await expect.poll(sentTimes).toBeGreaterThan(0)
  await new Promise((resolve) => setImmediate(resolve))
  const before = sentTimes()
  world.line = () => undefined
  await ada.signOut()
  expect(await Promise.all(calls)).toEqual(['signed_out', 'signed_out', 'signed_out'])
  world.clock.advance(60_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(sentTimes()).toBe(before)
})

it('a call whose code is still loading when its player signs out is not sent for the next player', async () => {
  const calling = codeOf(() => ada.createOrJoinLobby('ada 1'))
  await ada.signOut()
  await world.signIn(ada, 'bruno')
  expect([await calling, sentTimes()]).toEqual(['signed_out', 0])
})

it('a join that waits behind another one of the lobby ends with its session', async () => {
  const { line, waiting } = slowLine()
  world.line = line
  void codeOf(() => ada.createOrJoinLobby('ada 1'))
  const second = codeOf(() => ada.createOrJoinLobby('ada 1', { memberMetadata: { a: 'b' } }))
  await expect.poll(waiting).toBe(1)
  await ada.signOut()
  expect([await second, sentTimes()]).toEqual(['signed_out', 1])
})

it('revoking the own token does not sign out the player who signed in meanwhile', async () => {
  const { line, release, waiting } = slowLine()
  const slow = new CallOwnerWorld()
  const client = slow.tab({ fetch: (url) => (url.endsWith('/revoke') ? line() : Promise.resolve(Response.json({ keys: [] }))) })
  await slow.signIn(client, 'ada')
  const revoking = codeOf(() => client.revokeToken())
  await expect.poll(waiting).toBe(1)
  await slow.signIn(client, 'bruno')
  release(() => Response.json({}))
  expect([await revoking, client.session?.userId]).toEqual([undefined, '80351110224678913'])
})

it('new tokens for the same player end no call', async () => {
  const { line, release, waiting } = slowLine()
  world.line = line
  const calling = codeOf(() => ada.sendLobbyMessage(LOBBY, 'ada 1'))
  await expect.poll(waiting).toBe(1)
  world.line = () => undefined
  await world.signIn(ada, 'ada')
  release(refused)
  expect([await calling, carriers(), sentTimes()]).toEqual([undefined, ['ada'], 2])
})

const callBackend = () => ada.fetchBackend(`${BACKEND}/score`, { method: 'POST', body: 'ada', token: 'access_token' })

async function inTurn<Result>(count: number, call: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  while (results.length < count) results.push(await call())
  return results
}

describe('a backend that answers 401 to everything', () => {
  it.each([['one after another', false] as const, ['at once', true] as const])('causes one refresh for 50 calls %s', async (_, atOnce) => {
    world.line = (url) => (url.startsWith(BACKEND) ? Promise.resolve(refused()) : undefined)
    const answers = await (atOnce ? Promise.all(Array.from({ length: 50 }, callBackend)) : inTurn(50, callBackend))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(world.refreshes).toBe(1)
    world.clock.advance(31_000)
    await callBackend()
    expect(world.refreshes).toBe(1)
  })

  it('causes another refresh only after it has accepted a call', async () => {
    let isOpen = false
    world.line = (url) => (url.startsWith(BACKEND) && !isOpen ? Promise.resolve(refused()) : undefined)
    await callBackend()
    isOpen = true
    await callBackend()
    world.clock.advance(31_000)
    world.expire('ada')
    expect([(await callBackend()).status, world.refreshes]).toEqual([200, 2])
  })
})

/** A reproducible random number generator (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const nameOf = ({ session }: Client): PlayerName | undefined => (session && (session.userId.endsWith('2') ? 'ada' : 'bruno')) || undefined

interface Tab {
  client: Client
  /** Number of sign-outs and changes of the player so far. */
  turn: number
}

/** Plays random steps of two tabs of one store, and reports every call that came under a wrong name or too late. */
async function play(seed: number): Promise<string[]> {
  const random = seeded(seed)
  const model = new CallOwnerWorld()
  const tabs: Tab[] = [model.tab(), model.tab()].map((client) => ({ client, turn: 0 }))
  const wrong: string[] = []
  const held: (() => void)[] = []
  let serial = 0
  for (const tab of tabs)
    tab.client.on('sessionChanged', ({ session, previous }) => void (session?.userId !== previous?.userId && tab.turn++))
  model.onCall = ({ written, owner, url }) => {
    // The names of a player who has signed in: no call of the game.
    if (url.endsWith('/users/@me')) return
    const [author = '', index = '', turn = ''] = written.split(' ')
    if (author !== owner) wrong.push(`${written} came as ${owner}`)
    if (Number(turn) !== tabs[Number(index)]?.turn) wrong.push(`${written} came after its session`)
  }
  model.line = (url, init) => {
    const chance = random(6)
    const honest = () => (chance === 0 ? limited() : chance === 1 && !url.endsWith('/token') ? refused() : model.answer(url, init))
    return random(2) === 0 ? new Promise((resolve) => held.push(() => resolve(honest()))) : Promise.resolve(honest())
  }
  const anyTab = () => tabs[random(2)]?.client ?? model.tab()
  const steps: (() => unknown)[] = [
    ...[0, 1, 2, 3].map(() => () => {
      const index = random(2)
      const { client, turn } = tabs[index] as Tab
      const name = nameOf(client)
      const [, call] = CALLS[random(CALLS.length)] ?? []
      if (name) void codeOf(async () => call?.(client, `${name} ${index} ${turn} ${serial++}`))
    }),
    () => void codeOf(() => model.signIn(anyTab(), random(2) === 0 ? 'ada' : 'bruno')),
    () => void codeOf(() => anyTab().signOut({ revoke: random(2) === 0 })),
    () => void codeOf(() => anyTab().resume()),
    () => void codeOf(() => anyTab().refreshToken()),
    () => model[random(2) === 0 ? 'expire' : 'revoke'](random(2) === 0 ? 'ada' : 'bruno'),
    () => model.clock.advance(random(5000)),
    () => model.clock.advance(random(90) * 3_600_000),
    () => held.splice(random(held.length + 1), 1).forEach((release) => release()),
    () => held.splice(0).forEach((release) => release()),
  ]
  for (let count = 0; count < 60; count++) {
    steps[random(steps.length)]?.()
    for (let turns = random(4); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
  }
  for (const { client } of tabs) client.close()
  return wrong
}

it(
  'no interleaving of two tabs, sign-outs, sign-ins, refreshes, limits and refusals sends a call under another name',
  { timeout: 120_000 },
  async () => {
    const runs = Number(process.env['CALL_OWNER_RUNS'] ?? 6)
    for (let seed = 1; seed <= runs; seed++) expect([seed, await play(seed)]).toEqual([seed, []])
  },
)
