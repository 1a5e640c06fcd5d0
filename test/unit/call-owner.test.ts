/** A call belongs to the player who made it: never sent under another player's name, and never after a sign-out. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { Client } from 'foyer-sdk'
import {
  BACKEND,
  CALLS,
  CallOwnerWorld,
  limited,
  PLAYERS,
  refused,
  sendMessage,
  slowLine,
} from '../support/call-owner-world'
import { codeOf } from '../support/settle'

let world: CallOwnerWorld
let ada: Client

beforeEach(async () => {
  world = new CallOwnerWorld()
  ada = world.tab()
  await world.signIn(ada, 'ada')
  await world.enterLobby(ada)
})

/** Owners of the tokens that Ada's words came with. */
const carriers = () => [
  ...new Set(world.received.filter(({ written }) => written.startsWith('ada')).map(({ owner }) => owner)),
]
const sentTimes = () => world.received.filter(({ written }) => written.startsWith('ada')).length

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

  it('once more, after its repetition was on its way when its player signed out and another one signed in, has that as its error', async () => {
    const { line, release, waiting } = slowLine()
    world.expire('ada')
    world.line = (url) => (sentTimes() === 2 && !url.endsWith('/token') ? line() : undefined)
    const calling = codeOf(() => call(ada, 'ada 1'))
    await expect.poll(waiting).toBe(1)
    world.line = () => undefined
    await ada.signOut({ revoke: true })
    await world.signIn(ada, 'bruno')
    release(refused)
    expect(await calling).toBe('signed_out')
    expect([sentTimes(), carriers()]).toEqual([2, ['ada']])
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
  const calls = [1, 2, 3].map((number) => codeOf(() => sendMessage(ada, `ada ${number}`)))
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
  const fresh = world.tab()
  await fresh.resume()
  const calling = codeOf(() => fresh.createOrJoinLobby('ada 1'))
  await fresh.signOut()
  await world.signIn(fresh, 'bruno')
  expect([await calling, sentTimes()]).toEqual(['signed_out', 0])
})

it('a join that waits behind another one of the lobby ends with its session', async () => {
  const { line, waiting } = slowLine()
  world.line = line
  void codeOf(() => ada.createOrJoinLobby('ada 1'))
  const second = codeOf(() => ada.createOrJoinLobby('ada 1', { member: { a: 'b' } }))
  await expect.poll(waiting).toBe(1)
  await ada.signOut()
  expect([await second, sentTimes()]).toEqual(['signed_out', 1])
})

it('revoking the own token does not sign out the player who signed in meanwhile', async () => {
  const { line, release, waiting } = slowLine()
  const slow = new CallOwnerWorld()
  const client = slow.tab({
    fetch: (url) => (url.endsWith('/revoke') ? line() : Promise.resolve(Response.json({ keys: [] }))),
  })
  await slow.signIn(client, 'ada')
  const revoking = codeOf(() => client.revokeToken())
  await expect.poll(waiting).toBe(1)
  await slow.signIn(client, 'bruno')
  release(() => Response.json({}))
  expect([await revoking, client.session?.userId]).toEqual([undefined, '80351110224678913'])
})

it('a call that is refused because its player signed out and revoked the tokens ends with signed_out', async () => {
  const { line, release, waiting } = slowLine()
  world.expire('ada')
  world.line = () => (sentTimes() === 2 ? line() : undefined)
  const calling = codeOf(() => sendMessage(ada, 'ada 1'))
  await expect.poll(waiting).toBe(1)
  await ada.signOut({ revoke: true })
  release(refused)
  expect(await calling).toBe('signed_out')
})

async function revokeSlowly() {
  const { line, release, waiting } = slowLine()
  const names = slowLine()
  const slow = new CallOwnerWorld()
  let isNamed = true
  const fetch = async (url: string) => {
    if (url.endsWith('/revoke')) return line()
    return url.endsWith('/keys') || isNamed ? Response.json({ keys: [] }) : names.line()
  }
  const client = slow.tab({ fetch })
  await slow.signIn(client, 'ada')
  isNamed = false
  const revoking = codeOf(() => client.revokeToken())
  await expect.poll(waiting).toBe(1)
  return { slow, client, revoking, release: () => release(() => Response.json({})), names }
}

describe('revoking the own token, whose answer comes late,', () => {
  it('does not end the adoption of tokens of the next player', async () => {
    const { slow, client, revoking, release, names } = await revokeSlowly()
    const adopting = codeOf(() => slow.signIn(client, 'bruno'))
    await expect.poll(names.waiting).toBe(1)
    release()
    expect(await revoking).toBe(undefined)
    expect(client.session).toBe(null)
    names.release(() => Response.json({}))
    expect([await adopting, client.session?.userId]).toEqual([undefined, PLAYERS.bruno])
  })

  it('does not end the next player, whose tokens are being stored', async () => {
    const { slow, client, revoking, release, names } = await revokeSlowly()
    const set = slow.store.set.bind(slow.store)
    const storing = slowLine()
    slow.store.set = async (...entry) => {
      await storing.line()
      return set(...entry)
    }
    const adopting = codeOf(() => slow.signIn(client, 'bruno'))
    await expect.poll(() => names.waiting() + storing.waiting()).toBe(1)
    names.release(() => Response.json({}))
    await expect.poll(storing.waiting).toBe(1)
    release()
    expect(await Promise.race([revoking, new Promise((resolve) => setTimeout(resolve, 50))])).toBe(undefined)
    slow.store.set = set
    storing.release(() => Response.json({}))
    expect([await adopting, await revoking, client.session?.userId]).toEqual([
      undefined,
      undefined,
      PLAYERS.bruno,
    ])
  })

  it('does not end the next player, who signed in in another tab', async () => {
    const { slow, client, revoking, release } = await revokeSlowly()
    const other = slow.tab()
    await other.resume()
    await other.signOut()
    await slow.signIn(other, 'bruno')
    release()
    expect([await revoking, client.session?.userId, (await slow.tab().resume())?.userId]).toEqual([
      undefined,
      PLAYERS.bruno,
      PLAYERS.bruno,
    ])
  })
})

it('new tokens for the same player end no call', async () => {
  const { line, release, waiting } = slowLine()
  world.line = line
  const calling = codeOf(() => sendMessage(ada, 'ada 1'))
  await expect.poll(waiting).toBe(1)
  world.line = () => undefined
  await world.signIn(ada, 'ada')
  release(refused)
  expect([await calling, carriers(), sentTimes()]).toEqual([undefined, ['ada'], 2])
})

const callBackend = () =>
  ada.backend.fetch(`${BACKEND}/score`, { method: 'POST', body: 'ada', token: 'access_token' })

async function inTurn<Result>(count: number, call: () => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  while (results.length < count) results.push(await call())
  return results
}

describe('a backend that answers 401 to everything', () => {
  it.each([['one after another', false] as const, ['at once', true] as const])(
    'causes one refresh for 50 calls %s',
    async (_, atOnce) => {
      world.line = (url) => (url.startsWith(BACKEND) ? Promise.resolve(refused()) : undefined)
      const answers = await (atOnce
        ? Promise.all(Array.from({ length: 50 }, callBackend))
        : inTurn(50, callBackend))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
      expect(world.refreshes).toBe(1)
      world.clock.advance(31_000)
      await callBackend()
      expect(world.refreshes).toBe(1)
    },
  )

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
