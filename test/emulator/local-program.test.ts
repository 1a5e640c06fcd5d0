/** The emulator's local program: with two public clients as they are, and with a game of Foyer for each of two players. */
import { createRequire } from 'node:module'
import { createEmulator, type Emulator, type LocalProgram } from 'foyer-emulator'
import { memoryStore } from 'foyer-sdk'
import type { MainClient } from 'foyer-sdk/electron/main'
import { Client as PublicClient } from '@xhayper/discord-rpc'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { useMainProcessGame } from '../support/electron/main-process-game'
import { systemClock } from '../support/internals'
import { codeOf } from '../support/settle'

const INVALID_PERMISSIONS = 4006
const require = createRequire(import.meta.url)

/** Its types are in another package. It asks for `electron`, whose package would look for its binary on the network. */
function loadOlderClient(): new (options: object) => OlderPublicClient {
  const { ELECTRON_OVERRIDE_DIST_PATH: before } = process.env
  process.env['ELECTRON_OVERRIDE_DIST_PATH'] = '/nowhere'
  try {
    return require('discord-rpc').Client
  } finally {
    setVariable('ELECTRON_OVERRIDE_DIST_PATH', before)
  }
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

interface OlderPublicClient {
  user: { id: string; username: string }
  on(event: string, listener: (data: never) => void): void
  login(options: object): Promise<unknown>
  setActivity(activity: object): Promise<unknown>
  clearActivity(): Promise<unknown>
  subscribe(event: string): Promise<unknown>
  sendJoinInvite(user: string): Promise<unknown>
  closeJoinRequest(user: string): Promise<unknown>
  destroy(): Promise<void>
}

const harness = useMainProcessGame()
let emulator: Emulator
const variables = ['XDG_RUNTIME_DIR', 'FOYER_LOCAL_PROGRAM']
const before = variables.map((name) => [name, process.env[name]] as const)

beforeEach(async () => {
  emulator = await createEmulator()
})
afterEach(async () => {
  for (const [name, value] of before) setVariable(name, value)
  await emulator.close()
})

/** The folder is the only one in which public clients look. */
async function programOf(as: string, options: object = {}): Promise<LocalProgram> {
  const program = await emulator.localProgram({ as, brand: 'discord', ...options })
  process.env['XDG_RUNTIME_DIR'] = program.folder
  return program
}

const nameIn = (data: unknown): unknown => Reflect.get(Object(Reflect.get(Object(data), 'user')), 'username')
const secretsOf = (as: string) => emulator.activity.presence(as)?.['secrets']

describe('a public client, unchanged', () => {
  test('shows a presence, and gets invitations and requests: @xhayper/discord-rpc', async () => {
    const program = await programOf('ada')
    const client = new PublicClient({ clientId: emulator.application.id })
    await client.connect()
    expect(client.user?.username).toBe('ada')
    await client.user?.setActivity({
      state: 'In the lobby',
      partyId: 'p1',
      partySize: 1,
      partyMax: 4,
      joinSecret: 'moon-42',
      instance: true,
    })
    expect(emulator.activity.presence('ada')).toMatchObject({
      state: 'In the lobby',
      party: { id: 'p1', size: [1, 4] },
    })
    const got: unknown[] = []
    client.on('ACTIVITY_JOIN', (data: unknown) => void got.push(Reflect.get(Object(data), 'secret')))
    client.on('ACTIVITY_JOIN_REQUEST', (data: unknown) => void got.push(nameIn(data)))
    await client.subscribe('ACTIVITY_JOIN')
    await client.subscribe('ACTIVITY_JOIN_REQUEST')
    program.ask('bruno')
    await expect.poll(() => got).toEqual(['bruno'])
    await client.user?.sendJoinInvite(emulator.users[1]?.id ?? '')
    await client.user?.closeJoinRequest(emulator.users[1]?.id ?? '')
    program.accept('ada')
    await expect.poll(() => got).toEqual(['bruno', 'moon-42'])
    await client.user?.clearActivity()
    expect(emulator.activity.presence('ada')).toBeUndefined()
    await client.destroy()
    await expect.poll(() => program.games).toBe(0)
  })

  test('shows a presence, and gets invitations and requests: discord-rpc', async () => {
    const program = await programOf('ada')
    const OlderClient = loadOlderClient()
    const client = new OlderClient({ transport: 'ipc' })
    await client.login({ clientId: emulator.application.id })
    expect(client.user.username).toBe('ada')
    await client.setActivity({
      state: 'In the lobby',
      partyId: 'p1',
      partySize: 1,
      partyMax: 4,
      joinSecret: 'moon-42',
    })
    expect(secretsOf('ada')).toEqual({ join: 'moon-42' })
    const got: unknown[] = []
    client.on('ACTIVITY_JOIN', ({ secret }) => void got.push(secret))
    client.on('ACTIVITY_JOIN_REQUEST', ({ user }: { user: { username: string } }) => got.push(user.username))
    await client.subscribe('ACTIVITY_JOIN')
    await client.subscribe('ACTIVITY_JOIN_REQUEST')
    program.ask('bruno')
    // It reads one frame of each piece that arrives.
    await expect.poll(() => got).toEqual(['bruno'])
    program.accept('ada')
    await expect.poll(() => got).toEqual(['bruno', 'moon-42'])
    await client.sendJoinInvite(emulator.users[1]?.id ?? '')
    await client.closeJoinRequest(emulator.users[1]?.id ?? '')
    await client.clearActivity()
    await client.destroy()
    await expect.poll(() => program.games).toBe(0)
  })

  test('of another application is refused, and one without a token where that is required', async () => {
    await programOf('ada', { authenticate: 'required' })
    const stranger = new PublicClient({ clientId: '1234567890123456789' })
    await expect(stranger.connect()).rejects.toThrow('Connection ended')
    const client = new PublicClient({ clientId: emulator.application.id })
    await client.connect()
    await expect(client.user?.setActivity({ state: 'Alone' })).rejects.toMatchObject({
      code: INVALID_PERMISSIONS,
    })
    await client.destroy()
  })
})

/** A game of Foyer on the computer of this player, who is signed in to it. */
async function gameOf(as: string, program: LocalProgram): Promise<MainClient> {
  const { client } = signedOutGame(program)
  await client.signIn({ surface: consentOf(as) })
  await expect.poll(() => client.desktop?.status).toBe('connected')
  return client
}

function signedOutGame(program: LocalProgram) {
  process.env['FOYER_LOCAL_PROGRAM'] = program.folder
  return harness.start({
    applicationId: emulator.application.id,
    service: { host: emulator.url },
    fetch: (url, init) => fetch(url, init),
    tokenStore: memoryStore(),
    clock: systemClock,
    localProgram: true,
  })
}

const consentOf = (as: string) => ({
  redirectUri: () => emulator.application.redirectUris[0] ?? '',
  open: async (url: string) => (await emulator.authorize(url, { as })).redirect,
})

/** Ada's board, which friends can join. */
async function adasBoard() {
  const ada = await gameOf('ada', await emulator.localProgram({ as: 'ada' }))
  const lobby = await ada.createOrJoinLobby('moon-42')
  await ada.desktop?.setPresence({ party: { lobbyId: lobby.id, max: 4 }, secrets: { join: 'moon-42' } })
  return { ada, lobby }
}

/** Lobbies that a game has joined by invitations, and the secrets that it was told. */
function followed({ client }: { client: MainClient }) {
  const [lobbies, secrets]: [string[], string[]] = [[], []]
  client.on('activityLobby', ({ lobby: { id } }) => lobbies.push(id))
  client.on('activityJoin', ({ secret }) => secrets.push(secret))
  client.desktop?.followInvitations()
  return { lobbies, secrets }
}

describe('two players, each with a game and the program', () => {
  test('meet in one lobby by an accepted invitation', async () => {
    const [adas, brunos] = [
      await emulator.localProgram({ as: 'ada' }),
      await emulator.localProgram({ as: 'bruno' }),
    ]
    const ada = await gameOf('ada', adas)
    const bruno = await gameOf('bruno', brunos)
    const lobby = await ada.createOrJoinLobby('moon-42')
    await ada.desktop?.setPresence({ party: { lobbyId: lobby.id, max: 4 }, secrets: { join: 'moon-42' } })
    bruno.desktop?.followInvitations()
    const joined = new Promise<string>((resolve) =>
      bruno.on('activityLobby', ({ lobby: { id } }) => resolve(id)),
    )
    brunos.accept('ada')
    expect(await joined).toBe(lobby.id)
  })

  test('meet after a request that was accepted in the game', async () => {
    const [adas, brunos] = [
      await emulator.localProgram({ as: 'ada' }),
      await emulator.localProgram({ as: 'bruno' }),
    ]
    const ada = await gameOf('ada', adas)
    const bruno = await gameOf('bruno', brunos)
    await ada.createOrJoinLobby('moon-42')
    await ada.desktop?.setPresence({ party: { id: 'p1' }, secrets: { join: 'moon-42' } })
    ada.desktop?.on('joinRequested', ({ user, accept }) => void (user.username === 'bruno' && accept()))
    bruno.desktop?.followInvitations()
    const joined = new Promise((resolve) => bruno.on('activityLobby', resolve))
    adas.ask('bruno')
    expect(await joined).toMatchObject({ lobby: { members: [{}, {}] } })
  })

  test('an invitation that was accepted before the sign-in leads to the lobby after it', async () => {
    const { lobby } = await adasBoard()
    const brunos = await emulator.localProgram({ as: 'bruno' })
    const game = signedOutGame(brunos)
    const { lobbies, secrets } = followed(game)
    await expect.poll(() => game.client.desktop?.status).toBe('connected')
    brunos.accept('ada')
    await expect.poll(() => secrets).toEqual(['moon-42'])
    expect(lobbies).toEqual([])
    await game.client.signIn({ surface: consentOf('bruno') })
    await expect.poll(() => lobbies).toEqual([lobby.id])
  })

  test('another player than the user of the program joins nothing by itself', async () => {
    const { lobby } = await adasBoard()
    const brunos = await emulator.localProgram({ as: 'bruno' })
    const game = signedOutGame(brunos)
    const { lobbies, secrets } = followed(game)
    await game.client.signIn({ surface: consentOf('zoe') })
    await expect.poll(() => game.client.desktop?.status).toBe('connected')
    brunos.accept('ada')
    await expect.poll(() => secrets).toEqual(['moon-42'])
    expect([game.steps().includes('desktop.other_user'), lobbies, lobby.members.length]).toEqual([
      true,
      [],
      1,
    ])
    // The game decides with the secret.
    expect((await game.client.createOrJoinLobby('moon-42')).id).toBe(lobby.id)
  })

  test('the secret of a lobby that everybody has left leads to one with this player alone', async () => {
    const { ada, lobby } = await adasBoard()
    const brunos = await emulator.localProgram({ as: 'bruno' })
    const game = { client: await gameOf('bruno', brunos) }
    await ada.desktop?.setPresence({ party: { id: 'p1' }, secrets: { join: 'moon-42' } })
    await lobby.leave()
    const joined = new Promise<{ lobby: { members: readonly unknown[] } }>((resolve) =>
      game.client.on('activityLobby', resolve),
    )
    followed(game)
    brunos.accept('ada')
    expect((await joined).lobby.members).toHaveLength(1)
  })

  test('an invitation of a player whose game shows nothing is refused', async () => {
    const program = await emulator.localProgram({ as: 'bruno' })
    expect(await codeOf(() => program.accept('ada'))).toBe('bad_request')
    expect(await codeOf(() => emulator.localProgram({ as: 'bruno' }))).toBe('bad_request')
  })

  test('a program that demands the token gets it, and its end is no fault', async () => {
    const program = await emulator.localProgram({ as: 'ada', authenticate: 'required' })
    const ada = await gameOf('ada', program)
    await ada.desktop?.setPresence({ state: 'Alone' })
    await expect.poll(() => emulator.activity.presence('ada')).toMatchObject({ state: 'Alone' })
    await program.quit()
    await expect.poll(() => ada.desktop?.status).toBe('absent')
    await ada.desktop?.setPresence({ state: 'Still alone' })
    expect(emulator.activity.presence('ada')).toBeUndefined()
  })

  test('an accepted invitation starts a game that does not run, and reaches it', async () => {
    const links: string[] = []
    const [adas, brunos] = [
      await emulator.localProgram({ as: 'ada' }),
      await emulator.localProgram({ as: 'bruno', launch: (link) => links.push(link) }),
    ]
    const ada = await gameOf('ada', adas)
    await ada.desktop?.setPresence({ party: { id: 'p1' }, secrets: { join: 'moon-42' } })
    brunos.accept('ada')
    expect(links).toEqual([`service-${emulator.application.id}://`])
    const bruno = await gameOf('bruno', brunos)
    const joined = new Promise((resolve) => bruno.on('activityLobby', resolve))
    bruno.desktop?.followInvitations()
    expect(await joined).toMatchObject({ lobby: { members: [{}] } })
  })

  test('a game without the variable talks to no program', async () => {
    await emulator.localProgram({ as: 'ada' })
    delete process.env['FOYER_LOCAL_PROGRAM']
    const { client, steps } = harness.start({
      applicationId: emulator.application.id,
      service: { host: emulator.url },
      localProgram: true,
    })
    await expect.poll(steps).toEqual(['desktop.no_emulator'])
    expect(client.desktop?.status).toBe('absent')
  })
})
