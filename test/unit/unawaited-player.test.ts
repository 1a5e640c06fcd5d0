/** A player whose verification was not awaited: reading a field says so, and a refusal does not end the process. */
import {
  clientSecret,
  createPlayerVerifier,
  createSessionHandler,
  memorySessionStore,
  type Player,
} from 'foyer-sdk/server'
import { describe, expect, it } from 'vitest'

const application = { applicationId: '1234567890123456789', service: { host: 'https://service.example' } }
const session = createSessionHandler({
  ...application,
  credentials: clientSecret('secret'),
  origins: ['https://game.example'],
  store: memorySessionStore(),
})
const FIELDS = ['id', 'username', 'globalName', 'expiresAt', 'claims'] satisfies (keyof Player)[]
const anonymous = () => new Request('https://game.example/me')

describe.each([
  ['createPlayerVerifier', createPlayerVerifier(application)],
  ['the verify of a session handler', session.verify],
])('a player of %s', (_, verify) => {
  it.each(FIELDS)('that is not awaited refuses %s, and nothing is left unhandled', (name) => {
    const player = verify(anonymous()) as unknown as Player
    expect(() => player[name]).toThrow('Write await verify(request)')
  })

  it('is refused as ever when it is awaited', async () => {
    await expect(verify(anonymous())).rejects.toMatchObject({ code: 'missing_player_token' })
  })
})
