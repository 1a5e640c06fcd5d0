/** The client of a window, and its calls when it is closed while the page stays open. */
import { connectMainClient, type TokenSet } from 'foyer-sdk'
import { AuthorizationResult, Secret } from 'foyer-sdk/electron/main'
import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { GAME, useIpcGame } from '../support/electron/ipc-game'
import { openedUrl } from '../support/electron/main-process-game'
import { ipcMain } from '../support/electron/fake-electron.mjs'

const ADA = '175928847299117063'
const BRUNO = '175928847299117064'
const { start } = useIpcGame()
afterEach(() => void Reflect.deleteProperty(globalThis, 'foyerBridge'))

/** Connects a window’s client to a main client without Electron in between. */
function connect() {
  const game = start()
  /** Messages of the main process, held back until `deliver`. */
  const channel = {
    queued: [] as string[],
    listener: undefined as ((text: string) => void) | undefined,
    deliver: () => channel.queued.splice(0).forEach((text) => channel.listener?.(text)),
  }
  Object.assign(game.sender, { send: (_: string, text: string) => channel.queued.push(text) })
  const event = { sender: game.sender, senderFrame: GAME }
  Object.assign(globalThis, {
    foyerBridge: {
      call: async (text: string) => ipcMain.handlers.get('foyer:call')?.(event, text),
      cancel: (id: string) => void ipcMain.emit('foyer:cancel', event, id),
      listen: (listener: (text: string) => void) => {
        channel.listener = listener
        return () => undefined
      },
    },
  })
  return { ...game, channel, main: game.client, client: connectMainClient() }
}

/** Tokens that the main process got elsewhere. */
const tokensOf = (sub: string, expiresAt: number): TokenSet => ({
  accessToken: new Secret('x'),
  tokenType: 'Bearer',
  expiresAt,
  scopes: [],
  claims: { iss: '', sub, aud: '', exp: 0, iat: 0 },
})

/** A window of a player who is in the lobbies 1 and 2, each of which names the watches that end. */
async function connectWatcher() {
  const { main, client, clock } = connect()
  const ended: string[] = []
  await main.updateToken(tokensOf(ADA, clock.now() + 3_600_000))
  for (const id of ['1', '2']) {
    const lobby = await main.lobbies.add({ id, application_id: ADA, members: [{ id: ADA }] })
    lobby.watch = async () => () => ended.push(id)
  }
  await client.resume()
  const watch = async (id: string) => {
    const lobby = client.lobbies.get(id)
    if (!lobby) throw new Error('the window has no lobby')
    return lobby.watch()
  }
  return { client, ended, watch }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

test('closing a window’s client ends each of its watches exactly once', async () => {
  const { client, ended, watch } = await connectWatcher()
  const stop = await watch('1')
  await watch('2')
  stop()
  await expect.poll(() => ended).toEqual(['1'])
  client.close()
  await expect.poll(() => ended).toEqual(['1', '2'])
  expect(await codeOf(client.fetchCurrentUser())).toBe('closed')
})

test('a window’s client shows the rate limits of the main process', async () => {
  const { main, client } = connect()
  const use = { bucket: 'global', limit: 50, inFlight: 1 }
  Object.defineProperty(main, 'rateLimits', { get: () => [use], configurable: true })
  await expect.poll(() => client.rateLimits).toEqual([use])
  Object.defineProperty(main, 'rateLimits', { get: () => [] })
  await expect.poll(() => client.rateLimits).toEqual([])
  client.close()
  expect(client.rateLimits).toEqual([])
})

test('a window’s client creates its own PKCE pair and sends the verifier with getToken', async () => {
  const { main, client } = connect()
  const given: unknown[] = []
  const result = AuthorizationResult.fromTrustedCode('the-code', 'com.example.game:/authorize/callback')
  Object.assign(main, {
    authorize: async () => result,
    getToken: async (_: unknown, verifier: Secret) => void given.push(verifier.reveal()),
  })
  const { verifier, challenge } = client.createAuthorizationCodeVerifier()
  expect(challenge).toEqual({
    method: 'S256',
    challenge: createHash('sha256').update(verifier.reveal()).digest('base64url'),
  })
  await client.getToken(await client.authorize({ scopes: 'openid', codeChallenge: challenge }), verifier)
  expect(given).toEqual([verifier.reveal()])
})

test('a window’s client settles a hundred concurrent calls', async () => {
  const { main, client } = connect()
  Object.assign(main, { fetchCurrentUser: async () => ({ id: ADA }) })
  const users = await Promise.all(Array.from({ length: 100 }, () => client.fetchCurrentUser()))
  expect(users.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, () => ADA))
})

test('closing a window’s client ends a watch that is still starting', async () => {
  const { client, ended, watch } = await connectWatcher()
  const watching = watch('1')
  client.close()
  await watching
  expect(ended).toEqual(['1'])
})

test('closing a window’s client aborts its cancellable calls', async () => {
  const { client } = connect()
  const outcome = codeOf(client.signIn({ signal: new AbortController().signal }))
  await openedUrl()
  client.close()
  expect(await outcome).toBe('aborted')
})

test('closing a window’s client releases its hold on refreshes', async () => {
  const { main, client } = connect()
  let holds = 0
  Object.assign(main, {
    pauseRefresh: () => {
      holds += 1
      return () => (holds -= 1)
    },
  })
  client.pauseRefresh()
  await expect.poll(() => holds).toBe(1)
  client.close()
  await expect.poll(() => holds).toBe(0)
})

test('a session event carries its session, even if it arrives after a sign-out', async () => {
  const { main, client, clock, channel } = connect()
  const received: unknown[] = []
  client.on('tokenExpiring', ({ session }) =>
    received.push([session.userId, String(session.tokens.accessToken)]),
  )
  await main.updateToken(tokensOf(ADA, clock.now() + 3_600_000))
  clock.advance(3_590_000)
  await expect.poll(() => channel.queued.some((text) => text.includes('tokenExpiring'))).toBe(true)
  await client.signOut()
  expect(client.session).toBeNull()
  channel.deliver()
  expect(received).toEqual([[ADA, '[secret]']])
})

test('a window’s client continues with the successor of a closed main client', async () => {
  const { main, client, clock, channel } = connect()
  await main.updateToken(tokensOf(ADA, clock.now() + 3_600_000))
  main.close()
  channel.deliver()
  expect(client.session).toBeNull()
  const { client: next } = start({ profile: 'bruno' })
  await next.updateToken(tokensOf(BRUNO, clock.now() + 3_600_000))
  expect(await client.resume()).toMatchObject({ userId: BRUNO })
  expect(client.session?.userId).toBe(BRUNO)
  await next.signOut()
  channel.deliver()
  expect(client.session).toBeNull()
})

test('a window learns of a sign-out when its lobbies have ended, and of every sign-out', async () => {
  const { main, client, channel, clock } = connect()
  await main.updateToken(tokensOf(ADA, clock.now() + 3_600_000))
  await main.lobbies.add({ id: '1', application_id: ADA, members: [{ id: ADA }] })
  await client.resume()
  const lobby = client.lobbies.get('1')
  const seen: unknown[] = []
  client.on('sessionChanged', ({ session }) => seen.push([session, lobby?.endReason, client.lobbies.size]))
  await main.signOut()
  channel.deliver()
  expect(seen).toEqual([[null, 'signed_out', 0]])
})

test('a window that is loaded again has the lobbies of the main process, each with its calls', async () => {
  const { main, client, clock, sender } = connect()
  await main.updateToken(tokensOf(ADA, clock.now() + 3_600_000))
  const lobby = await main.lobbies.add({ id: '1', application_id: ADA, members: [{ id: ADA }] })
  await client.resume()
  client.close()
  sender.emit('did-navigate', {}, 'app://game/')
  const next = connectMainClient()
  await next.resume()
  expect(Array.from(next.lobbies, ({ id }) => id)).toEqual(['1'])
  lobby.fetchMessages = async () => []
  expect(await next.lobbies.get('1')?.fetchMessages()).toEqual([])
  expect(lobby.endReason).toBeNull()
})
