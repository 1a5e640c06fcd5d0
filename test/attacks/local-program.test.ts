/** Attacks by what listens in the place of the service's program: any process may make a socket with its name. */
import { chownSync, lchownSync, symlinkSync } from 'node:fs'
import process from 'node:process'
import { describe, expect, test } from 'vitest'
import { useDesktopGame } from '../support/desktop-game'
import { frameOf, type PublicProgram, READY } from '../support/public-program'
import { settle } from '../support/settle'

const harness = useDesktopGame()
const FRIEND = { id: '80351110224678913', username: 'bruno' }
const JOIN = 'ACTIVITY_JOIN'
/** Only the superuser can give a file to another user. */
const isSuperuser = process.getuid?.() === 0
const NOBODY = 65_534

async function startConnected(setUp: (program: PublicProgram) => void = () => undefined) {
  const program = harness.program()
  setUp(program)
  await program.start()
  const game = await harness.start(program)
  const secrets: string[] = []
  game.client.on('activityJoin', ({ secret }) => secrets.push(secret))
  await expect.poll(() => program.commands('SUBSCRIBE')).toHaveLength(3)
  await expect.poll(() => game.desktop.status).toBe('connected')
  return { ...game, program, secrets }
}

describe.skipIf(!isSuperuser)('a socket of another user', () => {
  test('attack/340 is not even connected to', async () => {
    const program = await harness.program().start()
    chownSync(program.path(), NOBODY, NOBODY)
    const { desktop, pass, steps } = await harness.start(program)
    await expect.poll(() => steps()).toContain('desktop.foreign_socket')
    await pass(5000)
    expect([program.connections, desktop.status]).toEqual([0, 'absent'])
    expect(steps()).toContain('desktop.foreign_socket')
  })

  test("attack/340 is not reached by another user's link to a socket of this user", async () => {
    const program = await harness.program().start()
    const folder = harness.program()
    symlinkSync(program.path(), folder.path())
    lchownSync(folder.path(), NOBODY, NOBODY)
    const { pass, steps } = await harness.start(folder)
    await expect.poll(() => steps()).toContain('desktop.foreign_socket')
    await pass(5000)
    expect(program.connections).toBe(0)
  })
})

describe('a broken program', () => {
  test('attack/341 that announces a frame of 2 GiB is left at once, and looked for again later', async () => {
    const { program, desktop, steps } = await startConnected()
    const header = Buffer.alloc(8)
    header.writeUInt32LE(1, 0)
    header.writeUInt32LE(2 ** 31, 4)
    program.write(header)
    await expect.poll(() => desktop.status).toBe('absent')
    expect(steps()).toContain('desktop.malformed')
  })

  test.each([
    ['no JSON', frameOf(1, '{"cmd":')],
    ['a list', frameOf(1, [])],
    ['null', frameOf(1, null)],
    ['a text', frameOf(1, '"text"')],
    ['an unknown opcode', frameOf(77, {})],
    ['an empty payload', frameOf(1, '')],
    ['another READY', frameOf(1, { cmd: 'DISPATCH', evt: 'READY', data: { user: FRIEND } })],
    ['deep data', frameOf(1, `${'['.repeat(20_000)}${']'.repeat(20_000)}`)],
    ['a prototype', frameOf(1, '{"cmd":"DISPATCH","evt":"__proto__","data":{"__proto__":{"secret":"a"}}}')],
    ['an answer to nothing', frameOf(1, { cmd: 'SET_ACTIVITY', nonce: 'x', evt: 'ERROR', data: null })],
  ])('attack/341 that sends %s is still spoken to, and believed nothing', async (_, frame) => {
    const { program, desktop, secrets } = await startConnected()
    program.write(frame)
    program.event('ACTIVITY_JOIN', { secret: 'moon' })
    await expect.poll(() => secrets).toEqual(['moon'])
    expect(desktop.user).toMatchObject({ id: READY.user.id })
    await desktop.setPresence({ state: 'Alone' })
    expect(program.commands('SET_ACTIVITY')).toHaveLength(1)
  })

  test('attack/341 whose user is hostile has none', async () => {
    for (const user of [
      null,
      'nelly',
      { id: '1' },
      { ...FRIEND, id: '../users/1' },
      { ...FRIEND, username: 'a\nb' },
    ]) {
      const { client, desktop } = await startConnected((program) => (program.ready = { ...READY, user }))
      expect(desktop.user).toBeNull()
      client.close()
    }
  })

  test('attack/347 that never answers, or never reads, keeps neither calls nor memory', async () => {
    const { program, desktop, pass } = await startConnected()
    program.respond = () => undefined
    const sent = desktop.setPresence({ state: 'Alone' })
    await pass(11_000)
    expect(await sent).toBeUndefined()
    for (const socket of program.sockets) socket.pause()
    const ping = frameOf(3, JSON.stringify('x'.repeat(60_000)))
    for (let number = 0; number < 100; number++) program.write(ping)
    await expect.poll(() => desktop.status).toBe('absent')
  })

  test('attack/347 that does not greet is left after 10 s', async () => {
    const program = harness.program()
    program.ready = null
    await program.start()
    const { desktop, pass } = await harness.start(program)
    let lost = 0
    desktop.on('statusChanged', ({ status }) => (lost += Number(status === 'absent')))
    await expect.poll(() => program.connections).toBe(1)
    await pass(9000)
    expect(lost).toBe(0)
    await pass(1100)
    await expect.poll(() => lost).toBe(1)
  })
})

describe('a program that wants the player somewhere', () => {
  test('attack/342 causes ten joins in a minute at most, and 30 questions', async () => {
    const { program, desktop, joined, secrets, signIn, pass } = await startConnected()
    await signIn()
    desktop.followInvitations()
    let asked = 0
    desktop.on('joinRequested', () => (asked += 1))
    const flood = Array.from({ length: 20_000 }, (_, number) =>
      frameOf(1, { cmd: 'DISPATCH', evt: JOIN, data: { secret: `s-${number}` } }),
    )
    program.write(Buffer.concat(flood))
    program.write(
      Buffer.concat(
        flood.map(() =>
          frameOf(1, { cmd: 'DISPATCH', evt: 'ACTIVITY_JOIN_REQUEST', data: { user: FRIEND } }),
        ),
      ),
    )
    await expect.poll(() => asked).toBe(30)
    await pass(2000)
    expect(secrets).toHaveLength(10)
    expect(joined.length).toBeLessThanOrEqual(10)
    expect(joined.length).toBeGreaterThan(0)
  })

  test('attack/343 joins nothing before the game has shown a join secret or follows invitations', async () => {
    const { program, desktop, joined, signIn } = await startConnected()
    await signIn()
    await desktop.setPresence({ state: 'Alone' })
    program.event(JOIN, { secret: 'moon' })
    for (let turn = 0; turn < 20; turn++) await settle()
    expect(joined).toEqual([])
  })

  test.each([
    '',
    ' ',
    '__proto__',
    '<b>',
    'a\nb',
    'a\u0000b',
    'x'.repeat(129),
    7,
    null,
    ['moon'],
    { moon: 1 },
  ])('attack/344 with the secret %j is ignored', async (secret) => {
    const { program, desktop, joined, secrets, signIn, steps } = await startConnected()
    await signIn()
    desktop.followInvitations()
    program.event(JOIN, { secret })
    await expect.poll(() => steps()).toContain('desktop.malformed_event')
    expect([joined, secrets]).toEqual([[], []])
  })

  test('attack/345 with markup as a name passes a text, and with control characters nobody', async () => {
    const { program, desktop } = await startConnected()
    const users: unknown[] = []
    desktop.on('joinRequested', ({ user }) => users.push(user))
    program.event('ACTIVITY_JOIN_REQUEST', { user: { ...FRIEND, username: 'a\u202e\u0007' } })
    program.event('ACTIVITY_JOIN_REQUEST', { user: { ...FRIEND, username: 'x'.repeat(129) } })
    program.event('ACTIVITY_JOIN_REQUEST', {
      user: { ...FRIEND, username: '<img src=x>', global_name: 7, token: 'a' },
    })
    await expect.poll(() => users).toEqual([{ id: FRIEND.id, username: '<img src=x>', globalName: null }])
  })

  test('attack/346 of another application is ignored', async () => {
    const { program, secrets, steps } = await startConnected()
    program.event(JOIN, { secret: 'moon', application_id: '1' })
    await expect.poll(() => steps()).toContain('desktop.malformed_event')
    expect(secrets).toEqual([])
  })
})

/** Refuses everything until it has the token. */
const demanding = (program: PublicProgram) => {
  let given = 0
  program.respond = ({ cmd }) => {
    if (cmd === 'AUTHENTICATE') given += 1
    return cmd === 'AUTHENTICATE' || given > 0 ? {} : new Error('4006')
  }
}

describe('a program that demands the token', () => {
  test('attack/348 gets that of the signed-in player, once, and everything then works', async () => {
    const { client, program, desktop, joined, signIn, steps } = await startConnected(demanding)
    expect(program.commands('AUTHENTICATE')).toEqual([])
    expect(steps()).toContain('desktop.refused')
    await signIn()
    await expect.poll(() => program.commands('SUBSCRIBE').length).toBeGreaterThanOrEqual(6)
    await desktop.setPresence({ party: { id: 'p1' }, secrets: { join: 'sun' } })
    program.event(JOIN, { secret: 'moon' })
    await expect.poll(() => joined).toEqual(['moon'])
    const { accessToken } = client.session?.tokens ?? {}
    expect(program.commands('AUTHENTICATE').map(({ args }) => args)).toEqual([
      { access_token: accessToken?.reveal() },
    ])
  })

  test('attack/348 and refuses it gets it once', async () => {
    const { program, desktop, signIn } = await startConnected((other) => {
      other.respond = ({ cmd }) => new Error(cmd === 'AUTHENTICATE' ? '4009' : '4006')
    })
    await signIn()
    await expect.poll(() => program.commands('AUTHENTICATE')).toHaveLength(1)
    for (let number = 0; number < 3; number++)
      await desktop.setPresence({ state: 'Alone' }).catch(() => undefined)
    expect(program.commands('AUTHENTICATE')).toHaveLength(1)
  })

  test('attack/348 and does not demand it gets none', async () => {
    const { program, desktop, signIn } = await startConnected()
    await signIn()
    await desktop.setPresence({ state: 'Alone' })
    expect(JSON.stringify(program.received)).not.toContain('access-')
  })
})
