/** Effects of a store's content on a session: its end, its age, and a refresh whose outcome is unknown. */
import type { ClientOptions, TokenStore } from 'foyer-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

const KEY = `foyer:session:${HOST} ${CLIENT_ID} default`
const EPOCH_KEY = `${KEY} epoch`
const IN_DOUBT = { code: 'refresh_in_doubt', retryable: true }
let service: TokenService
let texts: Map<string, string>
let tokenStore: TokenStore

beforeEach(async () => {
  service = await createTokenService()
  texts = new Map()
  tokenStore = {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => void texts.delete(key),
  }
})

const createGame = (options?: Partial<ClientOptions>) => createClientAt(service, { tokenStore, ...options })
const stored = (): Record<string, unknown> => JSON.parse(texts.get(KEY) ?? '{}') as Record<string, unknown>
const change = (changes: Record<string, unknown>) =>
  texts.set(KEY, JSON.stringify({ ...stored(), ...changes }))

describe('a sign-out', () => {
  it('leaves an end marker for the other tabs', async () => {
    const client = createGame()
    await service.signIn(client)
    const { id } = stored()
    await client.signOut()
    expect(stored()).toEqual({ v: 1, ended: id, why: 'signed_out' })
  })

  it('leaves one even if the store was cleared', async () => {
    const client = createGame()
    await service.signIn(client)
    const { id } = stored()
    texts.clear()
    await client.signOut()
    expect(stored()).toEqual({ v: 1, ended: id, why: 'signed_out' })
  })

  it('replaces the end marker of an earlier session', async () => {
    const client = createGame()
    await service.signIn(client)
    const { id } = stored()
    texts.set(KEY, JSON.stringify({ v: 1, ended: 'e'.repeat(43), why: 'refresh_rejected' }))
    await client.signOut()
    expect(stored()).toEqual({ v: 1, ended: id, why: 'signed_out' })
  })

  it('ends a stored session that was not restored', async () => {
    await service.signIn(createGame())
    const { id } = stored()
    await createGame().signOut()
    expect(stored()).toEqual({ v: 1, ended: id, why: 'signed_out' })
  })

  it('stores nothing if there is no session', async () => {
    await createGame().signOut()
    expect(texts.size).toBe(0)
  })

  it('leaves the record of another player, who signed in meanwhile', async () => {
    const client = createGame()
    await service.signIn(client)
    change({ id: 'o'.repeat(43) })
    await client.signOut()
    expect(stored()).toMatchObject({ id: 'o'.repeat(43), accessToken: 'access-1' })
  })

  it('leaves the record of a later version', async () => {
    const client = createGame()
    await service.signIn(client)
    texts.set(KEY, '{"v":2}')
    await client.signOut()
    expect(client.session).toBeNull()
    expect(texts.get(KEY)).toBe('{"v":2}')
  })
})

it('a session without a store is in memory', async () => {
  expect((await service.signIn(createClientAt(service))).storage).toBe('memory')
})

describe('a record of a later version', () => {
  it('is replaced neither by a sign-in nor by a refresh, and the session stays in memory', async () => {
    texts.set(KEY, '{"v":2}')
    const client = createGame()
    expect((await service.signIn(client)).storage).toBe('memory')
    await client.refreshToken()
    expect(client.session).toMatchObject({ userId: USER_ID, storage: 'memory' })
    expect(texts.get(KEY)).toBe('{"v":2}')
  })
})

/** Signs in, refreshes once, stores this in place of the record and its age, and restores it; resolves with the code of its refresh. */
async function rejectedAfter(set: (first: string) => void): Promise<string> {
  const client = createGame()
  await service.signIn(client)
  const first = texts.get(KEY) ?? ''
  await client.refreshToken()
  set(first)
  const next = createGame()
  expect((await next.resume())?.userId).toBe(USER_ID)
  service.good.clear()
  return next.refreshToken().then(String, (error: { code: string }) => error.code)
}

const get: TokenStore['get'] = async (key) =>
  key === EPOCH_KEY ? Promise.reject(new Error('broken')) : texts.get(key)

describe('a refresh', () => {
  it('is recorded before it is sent, and changes the age of the record when it has succeeded', async () => {
    const client = createGame()
    await service.signIn(client)
    const written: string[] = []
    tokenStore.set = async (key, text) => {
      written.push(key)
      texts.set(key, text)
    }
    await client.refreshToken()
    expect(written).toEqual([KEY, KEY, EPOCH_KEY])
  })
})

describe('a refresh token that the service rejects', () => {
  it('was revoked if the store holds the latest record', async () => {
    expect(await rejectedAfter(() => undefined)).toBe('refresh_rejected')
    expect(stored()).toMatchObject({ why: 'refresh_rejected' })
  })

  it('was used before if the store was set back to an earlier state', async () => {
    expect(await rejectedAfter((first) => texts.set(KEY, first))).toBe('token_rolled_back')
    expect(stored()).toMatchObject({ why: 'token_rolled_back' })
  })

  it.each([
    ['unknown', () => texts.delete(EPOCH_KEY)],
    ['that of another session', () => texts.set(EPOCH_KEY, `${'o'.repeat(43)} 9`)],
    ['unreadable', () => texts.set(EPOCH_KEY, String(stored()['id']))],
  ])('was revoked if the age of the record is %s', async (_, set) => {
    expect(await rejectedAfter((first) => (texts.set(KEY, first), set()))).toBe('refresh_rejected')
  })

  it('was revoked if the age of the record cannot be read', async () => {
    await service.signIn(createGame())
    const client = createGame({ tokenStore: { ...tokenStore, get } })
    expect((await client.resume())?.userId).toBe(USER_ID)
    service.good.clear()
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'refresh_rejected' })
  })
})

/** A tab on the session of another one, which died this many ms after sending a refresh. */
async function afterCrash(ms: number, changes: Record<string, unknown> = {}) {
  await service.signIn(createGame())
  const at = service.clock.now() - ms
  change({ attempt: { at, tries: 1, outcome: 'sent', retryAt: at + 30_000 }, ...changes })
  const client = createGame()
  await client.resume()
  return client
}

describe('a refresh that follows one with an unknown outcome', () => {
  it('is in doubt for half a minute, and sent then', async () => {
    const client = await afterCrash(29_999)
    await expect(client.refreshToken()).rejects.toMatchObject(IN_DOUBT)
    expect(service.refreshes()).toEqual([])
    service.clock.advance(1)
    expect((await client.refreshToken()).refreshToken?.reveal()).toBe('refresh-2')
  })

  it('does not end the session if it is rejected once, since the other response may still be stored', async () => {
    const client = await afterCrash(31_000)
    service.good.clear()
    await expect(client.refreshToken()).rejects.toMatchObject(IN_DOUBT)
    expect(client.session?.userId).toBe(USER_ID)
    const at = service.clock.now()
    expect(stored()['attempt']).toEqual({ at, tries: 2, outcome: 'refused', retryAt: at + 30_000 })
    service.clock.advance(29_999)
    await expect(client.refreshToken()).rejects.toMatchObject(IN_DOUBT)
    expect(service.refreshes()).toHaveLength(1)
  })

  it('ends the session if it is rejected again', async () => {
    const client = await afterCrash(31_000)
    service.good.clear()
    await expect(client.refreshToken()).rejects.toMatchObject(IN_DOUBT)
    service.clock.advance(30_000)
    await expect(client.refreshToken()).rejects.toMatchObject({ code: 'refresh_answer_lost' })
    expect(client.session).toBeNull()
    expect(stored()).toMatchObject({ why: 'refresh_answer_lost' })
  })

  it.each([
    ['is sent at once if the access token ends within five seconds', 5000, 'refresh-2'],
    ['is in doubt if the access token can still be used', 5001, 'refresh_in_doubt'],
  ])('%s', async (_, lifetime, expected) => {
    const client = await afterCrash(0, { expiresAt: service.clock.now() + lifetime })
    const outcome = client.refreshToken().then(
      ({ refreshToken }) => refreshToken?.reveal(),
      (error: { code: string }) => error.code,
    )
    expect(await outcome).toBe(expected)
  })
})
