/** Refresh times, checks of a refreshed ID token, and optional parts of a stored session. */
import { memoryStore } from 'foyer-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { codeOf } from '../support/settle'
import { createTokenService, type TokenService, USER_ID } from '../support/token-service'

const MINUTE = 60_000
const loseKeys = () => Promise.reject(new TypeError('Failed to fetch'))
let service: TokenService
beforeEach(async () => {
  service = await createTokenService()
})

describe('a session', () => {
  it("with an hour's lifetime is refreshed before three quarters of it are over", async () => {
    const client = createClientAt(service)
    service.override = async () => Response.json(await service.tokens({ expires_in: 3600 }))
    await service.signIn(client)
    service.clock.advance(40 * MINUTE)
    expect(service.refreshes()).toEqual([])
    service.clock.advance(5 * MINUTE)
    await expect.poll(() => service.refreshes().length).toBe(1)
  })

  it('without a refresh token reports its expiry five minutes ahead', async () => {
    const client = createClientAt(service)
    await service.tokens()
    const received: number[] = []
    client.on('tokenExpiring', () => received.push(service.clock.now()))
    await client.updateToken('access-1')
    const end = service.clock.now() + 60 * MINUTE
    service.clock.advance(59 * MINUTE)
    expect(received).toEqual([end - 5 * MINUTE])
  })

  it('without a refresh token and an ID token is restored from its store', async () => {
    const tokenStore = memoryStore()
    await service.tokens()
    await createClientAt(service, { tokenStore }).updateToken('access-1')
    const session = await createClientAt(service, { tokenStore }).resume()
    expect(session).toMatchObject({ userId: USER_ID, state: 'fresh' })
    expect(session?.tokens.accessToken.reveal()).toBe('access-1')
    expect(session?.tokens.refreshToken).toBeUndefined()
  })

  it('whose access token is rejected is refreshed, even right after a refresh of an earlier session', async () => {
    const client = createClientAt(service)
    await service.signIn(client)
    service.access.clear()
    await client.fetchCurrentUser()
    await service.signIn(client)
    service.access.clear()
    expect((await client.fetchCurrentUser()).id).toBe(USER_ID)
    expect(service.refreshes()).toHaveLength(2)
  })
})

describe('a refresh', () => {
  it('is accepted if auth_time is unchanged', async () => {
    const client = createClientAt(service)
    service.claims = { auth_time: 1_700_000_000 }
    await service.signIn(client)
    expect((await client.refreshToken()).accessToken.reveal()).toBe('access-2')
  })

  it('whose keys cannot be fetched is completed later with the response that has arrived', async () => {
    let areKeysThere = true
    const client = createClientAt(service, {
      fetch: (url, init) =>
        url.endsWith('/oauth2/keys') && !areKeysThere ? loseKeys() : service.fetch(url, init),
    })
    await service.signIn(client)
    const release = client.pauseRefresh()
    service.clock.advance(48 * 60 * MINUTE)
    areKeysThere = false
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'keys_unavailable' })
    areKeysThere = true
    service.clock.advance(MINUTE)
    expect((await client.refreshToken()).refreshToken?.reveal()).toBe('refresh-2')
    expect(service.refreshes()).toHaveLength(1)
    release()
  })

  it('is rejected if auth_time has changed', async () => {
    const client = createClientAt(service)
    service.claims = { auth_time: 1_700_000_000 }
    await service.signIn(client)
    service.claims = { auth_time: 1_700_000_001 }
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'invalid_id_token', path: 'auth_time' })
  })
})

describe('an error response to a code', () => {
  it.each([
    ['with status 200', 200],
    ['with status 300', 300],
  ])('%s rejects with its own code, even beside tokens', async (_, status) => {
    const client = createClientAt(service)
    service.override = async () =>
      Response.json({ ...(await service.tokens()), error: 'invalid_grant' }, { status })
    await expect(service.signIn(client)).rejects.toMatchObject({
      name: 'AuthorizationError',
      code: 'invalid_grant',
    })
    expect(client.session).toBeNull()
  })
})

it('a token request of a call that was already aborted is not sent', async () => {
  const client = createClientAt(service)
  await service.signIn(client)
  const before = service.sent.length
  const signal = AbortSignal.abort()
  expect(await codeOf(() => client.updateToken('access-1', { signal }))).toBe('aborted')
  expect(await codeOf(() => client.revokeToken('other', { signal }))).toBe('aborted')
  expect(service.sent).toHaveLength(before)
})
