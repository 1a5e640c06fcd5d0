/** A window's call belongs to the player whom the window shows: it never goes out under the name of another one. */
import { connectMainClient, type Lobby } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CallOwnerWorld, LOBBY, sendMessage, slowLine } from '../support/call-owner-world'
import { GAME, openWindow, useIpcGame } from '../support/electron/ipc-game'
import { ipcMain } from '../support/electron/fake-electron.mjs'
import { codeOf } from '../support/settle'

type Window = ReturnType<typeof connectMainClient>

const refused = () => Response.json({ code: 0, message: '401: Unauthorized' }, { status: 401 })
const { start } = useIpcGame()

let world: CallOwnerWorld
let game: ReturnType<typeof start>
let main: typeof game.client

beforeEach(async () => {
  world = new CallOwnerWorld()
  game = start(world.options)
  main = game.client
  await world.signIn(main, 'ada')
  await world.enterLobby(main)
})
afterEach(() => void Reflect.deleteProperty(globalThis, 'foyerBridge'))

/** Opens a window. Its notices of the main process wait until `deliver`, as in a busy page. */
async function open() {
  const { sender } = openWindow()
  const event = { sender, senderFrame: GAME }
  const queued: string[] = []
  let listener: ((text: string) => void) | undefined
  Object.assign(sender, { send: (_: string, text: string) => queued.push(text) })
  Object.assign(globalThis, {
    foyerBridge: {
      call: async (text: string) => ipcMain.handlers.get('foyer:call')?.(event, text),
      cancel: (id: string) => void ipcMain.emit('foyer:cancel', event, id),
      listen: (given: (text: string) => void) => {
        listener = given
        return () => undefined
      },
    },
  })
  const client = connectMainClient()
  await client.resume()
  return { client, deliver: () => queued.splice(0).forEach((text) => listener?.(text)) }
}

const carriers = () => [
  ...new Set(world.received.filter(({ written }) => written.startsWith('ada')).map(({ owner }) => owner)),
]
const sentTimes = () => world.received.filter(({ written }) => written.startsWith('ada')).length
const playerOf = ({ session }: { session: { userId: string } | null }) =>
  session?.userId.replace(/.*2$/, 'ada').replace(/.*3$/, 'bruno')

const LOBBY_CALLS: readonly [name: string, call: (client: Window) => Promise<unknown>][] = [
  ['lobby.send', (client) => sendMessage(client, 'ada 1')],
  ['createOrJoinLobby', (client) => client.createOrJoinLobby('ada 1')],
]
/** The window's lobby, which the main process is in. */
function lobbyOf({ lobbies }: Window): Lobby {
  const lobby = lobbies.get(LOBBY)
  if (!lobby) throw new Error('the window has no lobby')
  return lobby
}

const OWN_CALLS: readonly [name: string, call: (client: Window) => Promise<unknown>][] = [
  ...LOBBY_CALLS,
  [
    'createOrJoinLobby with metadata',
    (client) => client.createOrJoinLobby('ada 1', { metadata: {}, member: {} }),
  ],
  ['lobby.leave', (client) => lobbyOf(client).leave()],
  ['lobby.fetchMessages', (client) => lobbyOf(client).fetchMessages({ limit: 10 })],
  ['lobby.link', (client) => lobbyOf(client).link('7')],
  ['lobby.unlink', (client) => lobbyOf(client).unlink()],
  ['lobby.createGuildInvite', (client) => lobbyOf(client).createGuildInvite()],
  ['lobby.watch', (client) => lobbyOf(client).watch()],
  ['fetchCurrentUser', (client) => client.fetchCurrentUser()],
  ['lobbies.fetchGuilds', (client) => client.lobbies.fetchGuilds()],
  ['lobbies.fetchGuildChannels', (client) => client.lobbies.fetchGuildChannels('7')],
  ['refreshToken', (client) => client.refreshToken()],
  ['revokeToken', (client) => client.revokeToken()],
]

describe('a window that still shows a player who has been replaced', () => {
  it.each(OWN_CALLS)(
    'ends %s with signed_out, sends nothing, and shows the new player then',
    async (_, call) => {
      const window = await open()
      await world.signIn(main, 'bruno')
      expect(playerOf(window.client)).toBe('ada')
      const before = [world.received.length, world.refreshes]
      expect(await codeOf(() => call(window.client))).toBe('signed_out')
      expect([world.received.length, world.refreshes]).toEqual(before)
      expect([playerOf(window.client), playerOf(main)]).toEqual(['bruno', 'bruno'])
    },
  )

  it('ends a call with signed_out even if the older player signed in again', async () => {
    const window = await open()
    await main.signOut()
    await world.signIn(main, 'ada')
    expect([await codeOf(() => sendMessage(window.client, 'ada 1')), sentTimes()]).toEqual(['signed_out', 0])
    await world.enterLobby(main)
    window.deliver()
    await sendMessage(window.client, 'ada 2')
    expect(carriers()).toEqual(['ada'])
  })

  it('does not sign out the new player', async () => {
    const window = await open()
    await world.signIn(main, 'bruno')
    expect(await window.client.signOut({ revoke: true })).toEqual({ revoked: false })
    expect([playerOf(main), playerOf(window.client)]).toEqual(['bruno', 'bruno'])
    await window.client.signOut()
    expect(main.session).toBeNull()
  })

  it('can use tokens that it was given, for their own player', async () => {
    const window = await open()
    const { accessToken, refreshToken } = window.client.session?.tokens ?? {}
    await world.signIn(main, 'bruno')
    expect(await window.client.fetchCurrentUser({ accessToken: accessToken as never })).toMatchObject({
      id: '80351110224678912',
    })
    expect(await codeOf(() => window.client.revokeToken(refreshToken as never))).toBeUndefined()
    expect(playerOf(main)).toBe('bruno')
  })
})

it('a window that shows nobody sends nothing for a player who signed in elsewhere, and can sign out', async () => {
  await main.signOut()
  const window = await open()
  await world.signIn(main, 'bruno')
  expect([await codeOf(() => window.client.createOrJoinLobby('ada 1')), sentTimes()]).toEqual([
    'signed_out',
    0,
  ])
  const other = await open()
  expect(playerOf(other.client)).toBe('bruno')
  await main.signOut()
  const late = await open()
  await world.signIn(main, 'bruno')
  await late.client.signOut()
  expect(main.session).toBeNull()
})

it('a window works on after the notice of another player, and after a refresh', async () => {
  const window = await open()
  await world.signIn(main, 'bruno')
  window.deliver()
  expect(playerOf(window.client)).toBe('bruno')
  await window.client.fetchCurrentUser()
  await main.refreshToken()
  await window.client.createOrJoinLobby('bruno 1')
  expect(world.received.at(-1)?.owner).toBe('bruno')
})

describe.each(LOBBY_CALLS)('%s of a window that meets a 401', (_, call) => {
  it('is not sent again after another player signed in', async () => {
    const window = await open()
    const { line, release, waiting } = slowLine()
    world.line = line
    const calling = codeOf(() => call(window.client))
    await expect.poll(waiting).toBe(1)
    world.line = () => undefined
    await world.signIn(main, 'bruno')
    release(refused)
    expect([await calling, sentTimes(), carriers()]).toEqual(['signed_out', 1, ['ada']])
  })

  it('is not sent as another player whose sign-in took place while the token was refreshed', async () => {
    const window = await open()
    const { line, release, waiting } = slowLine()
    world.expire('ada')
    world.line = (url) => (url.endsWith('/token') ? line() : undefined)
    const calling = codeOf(() => call(window.client))
    await expect.poll(waiting).toBe(1)
    await world.signIn(main, 'bruno')
    release(refused)
    expect([await calling, carriers()]).toEqual(['signed_out', ['ada']])
  })
})

it('calls of a window that wait for a limit end with the session of their player', async () => {
  const window = await open()
  world.line = async () =>
    Response.json({ message: 'limited', retry_after: 3 }, { status: 429, headers: { 'retry-after': '3' } })
  const calls = [1, 2, 3].map((number) => codeOf(() => sendMessage(window.client, `ada ${number}`)))
  await expect.poll(sentTimes).toBeGreaterThan(0)
  await new Promise((resolve) => setImmediate(resolve))
  const before = sentTimes()
  world.line = () => undefined
  await world.signIn(main, 'bruno')
  expect(await Promise.all(calls)).toEqual(['signed_out', 'signed_out', 'signed_out'])
  world.clock.advance(60_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(sentTimes()).toBe(before)
})

it('a watch that a window began ends with its player', async () => {
  const window = await open()
  const polls = () => world.received.filter(({ url }) => url.includes('/messages')).length
  world.line = (url) => (url.includes('/messages') ? Promise.resolve(Response.json([])) : undefined)
  await lobbyOf(window.client).watch()
  world.clock.advance(5000)
  await expect.poll(polls).toBe(2)
  await world.signIn(main, 'bruno')
  world.clock.advance(60_000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(polls()).toBe(2)
})

it.each(['1', null, {}, -1, 1e99])(
  'a message that claims to show %j, which no window does, sends nothing',
  async (player) => {
    const answer = await game.send(
      JSON.stringify({ id: '1', path: 'lobby.send', args: [LOBBY, 'ada 1'], playerRevision: player }),
    )
    expect([JSON.parse(answer.error ?? '{}').code, sentTimes()]).toEqual(['signed_out', 0])
  },
)
