/** `client.desktop`: presence, invitations and join requests by the service's program, as its public page describes the socket. */
import { describe, expect, test } from 'vitest'
import { useDesktopGame } from '../support/desktop-game'
import { PRESENCE_TEXTS } from '../support/electron/internals'
import { READY } from '../support/public-program'
import { codeOf, settle } from '../support/settle'
import { CLIENT_ID } from '../support/token-service'

const harness = useDesktopGame()
const FRIEND = { id: '80351110224678913', username: 'bruno', discriminator: '0', global_name: null }

/** A game that is connected to a program. */
async function startConnected(
  setUp: (program: ReturnType<typeof harness.program>) => void = () => undefined,
) {
  const program = harness.program()
  setUp(program)
  await program.start()
  const game = await harness.start(program)
  await expect.poll(() => program.commands('SUBSCRIBE')).toHaveLength(3)
  await expect.poll(() => game.desktop.status).toBe('connected')
  const activities = () => program.commands('SET_ACTIVITY').map(({ args }) => args?.['activity'])
  return { ...game, program, activities }
}

describe('the program of the service', () => {
  test('is off by default', async () => {
    const program = await harness.program().start()
    const { client } = await harness.start(program)
    client.close()
    const { client: other } = harness.plain()
    expect(other.desktop).toBeNull()
  })

  test('is greeted with version and application, and tells whose it is', async () => {
    const { program, desktop } = await startConnected()
    expect(program.received[0]).toEqual([0, { v: 1, client_id: CLIENT_ID }])
    expect(program.commands('SUBSCRIBE').map(({ evt }) => evt)).toEqual([
      'ACTIVITY_JOIN',
      'ACTIVITY_JOIN_REQUEST',
      'ACTIVITY_INVITE',
    ])
    expect(desktop.user).toEqual({ id: READY.user.id, username: 'nelly', globalName: 'Nelly' })
  })

  test('gets the presence with the id of the process', async () => {
    const { program, desktop } = await startConnected()
    await desktop.setPresence({ details: 'On the moon', assets: { largeImage: 'moon' } })
    await desktop.setPresence(null)
    expect(program.commands('SET_ACTIVITY').map(({ args }) => args)).toEqual([
      { pid: process.pid, activity: { details: 'On the moon', assets: { large_image: 'moon' } } },
      { pid: process.pid, activity: null },
    ])
  })

  test('gets a presence that was set before it ran, and again after it ran anew', async () => {
    const program = harness.program()
    const { desktop, pass } = await harness.start(program)
    const statuses: string[] = []
    desktop.on('statusChanged', ({ status }) => statuses.push(status))
    await desktop.setPresence({ state: 'Alone' })
    await program.start()
    await pass(2000)
    await expect.poll(() => program.commands('SET_ACTIVITY')).toHaveLength(1)
    await program.stop()
    await expect.poll(() => desktop.status).toBe('absent')
    await desktop.setPresence({ state: 'Still alone' })
    await program.start()
    await pass(2000)
    await expect.poll(() => program.commands('SET_ACTIVITY')).toHaveLength(2)
    expect(program.commands('SET_ACTIVITY')[1]?.args?.['activity']).toEqual({ state: 'Still alone' })
    expect(statuses).toEqual(['connecting', 'connected', 'absent', 'connecting', 'connected'])
  })

  test('gets five of 10,000 presences in 20 s, and the last one', async () => {
    const { desktop, activities, pass } = await startConnected()
    const all: Promise<void>[] = []
    for (let second = 0; second < 19; second++) {
      for (let number = 0; number < 526; number++)
        all.push(desktop.setPresence({ state: `${second} ${number}` }))
      await pass(1000)
    }
    expect(activities()).toHaveLength(5)
    all.push(desktop.setPresence({ state: 'The last' }))
    await pass(25_000)
    await Promise.all(all)
    expect(activities().at(-1)).toEqual({ state: 'The last' })
    expect(activities().length).toBeLessThanOrEqual(7)
  })

  test('is looked for after 0.5 s, then after twice as long, up to a minute', async () => {
    const program = harness.program()
    program.ready = 4002
    await program.start()
    const { desktop, pass } = await harness.start(program)
    let lost = 0
    desktop.on('statusChanged', ({ status }) => (lost += Number(status === 'absent')))
    for (const [index, delay] of [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000].entries()) {
      await expect.poll(() => lost).toBe(index + 1)
      await pass(delay - 1, delay)
      expect(program.connections).toBe(index + 1)
      await pass(1)
    }
    await expect.poll(() => program.connections).toBe(10)
  })

  test.each([4000, 4001, 4004, 4005])('that refuses the application with %i is tried once', async (code) => {
    const program = harness.program()
    program.ready = code
    await program.start()
    const { desktop, pass } = await harness.start(program)
    await expect.poll(() => desktop.status).toBe('refused')
    await pass(120_000, 10_000)
    expect(program.connections).toBe(1)
    await desktop.setPresence({ state: 'Alone' })
  })

  test('that is busy is tried again', async () => {
    const program = harness.program()
    program.ready = 4002
    await program.start()
    const { desktop, pass } = await harness.start(program)
    await expect.poll(() => program.connections).toBe(1)
    program.ready = READY
    await expect.poll(() => pass(500).then(() => desktop.status)).toBe('connected')
  })

  test('is found behind nine sockets without a listener', async () => {
    const program = harness.program()
    const [dead, alive] = [harness.deadSockets(program, 9), program.path(9)]
    expect(await dead).toHaveLength(9)
    await program.start(alive)
    const { desktop } = await harness.start(program)
    await expect.poll(() => desktop.status).toBe('connected')
  })
})

describe('a presence', () => {
  test.each(Object.entries(PRESENCE_TEXTS))('has %s within its length', async (path, { min, max }) => {
    const { desktop } = await harness.start(harness.program())
    const presenceWith = (length: number) => ({
      party: { id: 'p1' },
      ...(path
        .split('.')
        .reduceRight<unknown>((value, name) => ({ [name]: value }), 'x'.repeat(length)) as object),
    })
    const codes = [min - 1, min, max, max + 1].map((length) =>
      codeOf(() => desktop.setPresence(presenceWith(length))),
    )
    expect(await Promise.all(codes)).toEqual(['invalid_argument', undefined, undefined, 'invalid_argument'])
  })

  test('that the program refuses is refused with its code', async () => {
    const { desktop } = await startConnected((program) => {
      program.respond = ({ cmd }) => (cmd === 'SET_ACTIVITY' ? new Error('4000') : {})
    })
    expect(await codeOf(() => desktop.setPresence({ state: 'Alone' }))).toBe('invalid_payload')
  })

  test('that follows a lobby ends with the session of its player', async () => {
    const { client, desktop, activities, signIn, pass } = await startConnected()
    await signIn()
    const lobby = await client.createOrJoinLobby('moon')
    await desktop.setPresence({ party: { lobbyId: lobby.id, max: 4 }, secrets: { join: 'moon' } })
    expect(activities()).toEqual([{ party: { id: '77', size: [1, 4] }, secrets: { join: 'moon' } }])
    await client.signOut()
    await pass(25_000)
    await expect.poll(() => activities().at(-1)).toBeNull()
  })
})

describe('an accepted invitation', () => {
  test('is joined once the game shows a join secret, and told in any case', async () => {
    const { client, program, desktop, joined, signIn } = await startConnected()
    const events: string[] = []
    client.on('activityJoin', ({ secret }) => events.push(`join ${secret}`))
    client.on('activityLobby', ({ lobby }) => events.push(`lobby ${lobby.id}`))
    await signIn()
    program.event('ACTIVITY_JOIN', { secret: 'moon' })
    await expect.poll(() => events).toEqual(['join moon'])
    expect(joined).toEqual([])
    await desktop.setPresence({ party: { id: 'p1' }, secrets: { join: 'sun' } })
    await expect.poll(() => events).toEqual(['join moon', 'lobby 77'])
    expect(joined).toEqual(['moon'])
  })

  test('that came before the sign-in waits for it', async () => {
    const { program, desktop, joined, signIn } = await startConnected()
    desktop.followInvitations()
    program.event('ACTIVITY_JOIN', { secret: 'moon' })
    await settle()
    await signIn()
    await expect.poll(() => joined).toEqual(['moon'])
  })

  test('of another user than the player is told, and not joined', async () => {
    const { client, program, desktop, joined, signIn, steps } = await startConnected((other) => {
      other.ready = { ...READY, user: FRIEND }
    })
    const secrets: string[] = []
    client.on('activityJoin', ({ secret }) => secrets.push(secret))
    await signIn()
    desktop.followInvitations()
    program.event('ACTIVITY_JOIN', { secret: 'moon' })
    await expect.poll(() => steps()).toContain('desktop.other_user')
    expect([joined, secrets]).toEqual([[], ['moon']])
  })
})

describe('a request to join', () => {
  test('is accepted or refused by the game', async () => {
    const { program, desktop } = await startConnected()
    desktop.on('joinRequested', ({ user, accept, refuse }) => {
      void (user.username === 'bruno' ? accept() : refuse())
    })
    program.event('ACTIVITY_JOIN_REQUEST', { user: FRIEND })
    program.event('ACTIVITY_JOIN_REQUEST', { user: { ...FRIEND, username: 'carl' } })
    await expect.poll(() => program.commands('CLOSE_ACTIVITY_REQUEST')).toHaveLength(1)
    expect(program.commands('SEND_ACTIVITY_JOIN_INVITE').map(({ args }) => args)).toEqual([
      { user_id: FRIEND.id },
    ])
  })

  test('is refused by the name that the program knows', async () => {
    const { program, desktop } = await startConnected((other) => {
      other.respond = ({ cmd }) => (cmd === 'CLOSE_ACTIVITY_REQUEST' ? new Error('4002') : {})
    })
    await desktop.refuseRequest(FRIEND.id)
    expect(program.commands('CLOSE_ACTIVITY_JOIN_REQUEST')).toHaveLength(1)
  })

  test('cannot be answered without the program', async () => {
    const { desktop } = await harness.start(harness.program())
    expect(await codeOf(() => desktop.acceptRequest(FRIEND.id))).toBe('activity_closed')
  })

  test('and an invitation tell who it is', async () => {
    const { program, desktop } = await startConnected()
    const users: unknown[] = []
    desktop.on('invited', ({ user }) => users.push(user))
    program.event('ACTIVITY_INVITE', { user: FRIEND })
    await expect.poll(() => users).toEqual([{ id: FRIEND.id, username: 'bruno', globalName: null }])
  })
})
