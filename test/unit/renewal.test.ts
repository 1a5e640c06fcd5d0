/** When a session is renewed, what a renewal must have in common with the sign-in, and what a stored session may lack. */
import { memoryStore } from 'foyer-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { createTokenService, type TokenService, USER_ID } from '../support/token-service'

const MINUTE = 60_000
let service: TokenService
beforeEach(async () => {
  service = await createTokenService()
})

describe('a session', () => {
  it('of an hour is renewed before three quarters of it are over', async () => {
    const client = createClientAt(service)
    service.trick = async () => Response.json(await service.tokens({ expires_in: 3600 }))
    await service.signIn(client)
    service.clock.advance(40 * MINUTE)
    expect(service.refreshes()).toEqual([])
    service.clock.advance(5 * MINUTE)
    await expect.poll(() => service.refreshes().length).toBe(1)
  })

  it('that cannot be renewed is told of five minutes before its end, to the second', async () => {
    const client = createClientAt(service)
    await service.tokens()
    const told: number[] = []
    client.on('tokenExpiring', () => told.push(service.clock.now()))
    await client.updateToken('Bearer', 'access-1')
    const end = service.clock.now() + 60 * MINUTE
    service.clock.advance(59 * MINUTE)
    expect(told).toEqual([end - 5 * MINUTE])
  })

  it('without a refresh token and an ID token comes back from its store', async () => {
    const tokenStore = memoryStore()
    await service.tokens()
    await createClientAt(service, { tokenStore }).updateToken('Bearer', 'access-1')
    const session = await createClientAt(service, { tokenStore }).resume()
    expect(session).toMatchObject({ userId: USER_ID, state: 'fresh' })
    expect(session?.tokens.accessToken.reveal()).toBe('access-1')
    expect(session?.tokens.refreshToken).toBeUndefined()
  })
})

describe('a renewal', () => {
  it('of the same sign-in is taken: its auth_time is the one of before', async () => {
    const client = createClientAt(service)
    service.claims = { auth_time: 1_700_000_000 }
    await service.signIn(client)
    expect((await client.refreshToken()).accessToken.reveal()).toBe('access-2')
  })

  it('of another sign-in is refused: its auth_time is another', async () => {
    const client = createClientAt(service)
    service.claims = { auth_time: 1_700_000_000 }
    await service.signIn(client)
    service.claims = { auth_time: 1_700_000_001 }
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'invalid_id_token', path: 'auth_time' })
  })
})

describe('a refusal of a code', () => {
  it.each([
    ['with status 200', 200],
    ['with status 300', 300],
  ])('%s is a refusal with its own code, even beside tokens', async (_, status) => {
    const client = createClientAt(service)
    service.trick = async () => Response.json({ ...(await service.tokens()), error: 'invalid_grant' }, { status })
    await expect(service.signIn(client)).rejects.toMatchObject({ name: 'AuthorizationError', code: 'invalid_grant' })
    expect(client.session).toBeNull()
  })
})
