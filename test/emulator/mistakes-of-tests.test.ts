/** What the author of a test does wrong with an emulator is answered with what to write. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator } from 'foyer-emulator'

let emulator: Emulator

beforeAll(async () => {
  emulator = await createEmulator()
})
afterAll(() => emulator.close())

/** A call that TypeScript would refuse. */
const wrong = (value: unknown): never => value as never

describe('a mistake in a test', () => {
  it('names the fields of a fault and of an effect', () => {
    expect(() => emulator.faults(wrong({ path: '/x', status: 500 }))).toThrow(
      'a fault has no field "path"; it has match.method, match.path, times, effect',
    )
    expect(() => emulator.faults(wrong({ effect: { code: 500 } }))).toThrow(
      'an effect has no field "code"; it has status, headers, body, delay, drop, lostAnswer',
    )
  })

  it.each([
    ['/lobbies', '/api/v10/lobbies'],
    ['/lobbies/*/messages', '/api/v10/lobbies/*/messages'],
    ['/users/@me', '/api/v10/users/@me'],
  ])('names the whole path of a fault at %s, which no request has', (path, whole) => {
    const effect = { status: 500 }
    expect(() => emulator.faults({ match: { path }, effect })).toThrow(`did you mean ${whole}?`)
    expect(emulator.faults({ match: { path: whole }, effect })).toHaveLength(1)
    emulator.faults([])
  })

  it('names the methods of a fault', () => {
    expect(() => emulator.faults({ match: { method: 'PTU' }, effect: { drop: true } })).toThrow(
      'match.method is one of GET, POST, PUT, PATCH, DELETE',
    )
  })

  it('names the profiles of limits', async () => {
    await expect(createEmulator({ limits: wrong(true) })).rejects.toThrow(
      'limits are an object, or one of off, production, development',
    )
  })

  it('names the form of the options, and of a port', async () => {
    await expect(createEmulator(wrong('seed.json'))).rejects.toThrow(
      "the options must be an object, such as createEmulator({ seed: 'seed.json', limits: 'off' })",
    )
    await expect(createEmulator({ port: wrong('4320') })).rejects.toThrow(
      'port must be a number from 0 to 65535, such as { port: 4320 }',
    )
  })

  it('names the option of a busy port as the command line and a program write it', async () => {
    const port = Number(new URL(emulator.url).port)
    await expect(createEmulator({ port })).rejects.toMatchObject({
      code: 'port_in_use',
      message: `Port ${port} is in use; choose another one with --port (in a program with { port }), or 0 for any.`,
    })
  })

  it('says of a closed emulator that it is closed, and not what is missing inside', async () => {
    const closed = await createEmulator()
    const snapshot = closed.snapshot()
    await closed.close()
    const calls: Record<string, () => unknown> = {
      advance: () => closed.advance(1),
      clock: () => closed.clock(),
      faults: () => closed.faults(),
      limits: () => closed.limits('off'),
      launch: () => closed.activity.launch({ as: 'ada' }),
      use: () => closed.interactions.use({ as: 'ada', command: 'x' }),
      disturb: () => closed.gateway.disturb('drop'),
      send: () => closed.webhooks.send({ type: 'X' }),
      reset: () => closed.reset(),
      snapshot: () => closed.snapshot(),
      restore: () => closed.restore(snapshot),
      tokens: () => closed.tokens({ user: 'ada', action: 'revoke' }),
      authorize: () => closed.authorize(`${closed.url}/oauth2/authorize`, { as: 'ada' }),
      device: () => closed.device({ code: 'ABCD', as: 'ada' } as never),
    }
    const refusals = Object.entries(calls).map(async ([name, call]) => {
      const refusal: unknown = await new Promise((resolve) => resolve(call())).catch(
        (error: unknown) => error,
      )
      return { name, refusal }
    })
    const message = `The emulator at ${closed.url} was closed: create one for each test file, and close it in afterAll`
    expect(await Promise.all(refusals)).toMatchObject(
      Object.keys(calls).map((name) => ({ name, refusal: { code: 'closed', message } })),
    )
    expect(closed.requests).toEqual([])
  })
})
