/** What the game does while its session is read from the store or refreshed. */
import type { TokenStore } from 'foyer-sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { createClientAt } from '../support/local-client'
import { callbackTo, silentSurface } from '../support/scripted-surface'
import { codeOf, settle } from '../support/settle'
import { createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

let service: TokenService

beforeEach(async () => {
  service = await createTokenService()
})

function openStore() {
  const texts = new Map<string, string>()
  const store: TokenStore = {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => void texts.delete(key),
  }
  return { texts, store }
}

/** Returns a client whose resume() reads a stored session, and the function that ends the read. */
async function startResuming() {
  const { texts, store } = openStore()
  await service.signIn(createClientAt(service, { tokenStore: store }))
  const gate = new EventTarget()
  const opened = new Promise((resolve) => gate.addEventListener('open', resolve))
  const reading = new Promise((resolve) => gate.addEventListener('read', resolve))
  const get: TokenStore['get'] = async (key) => {
    const text = texts.get(key)
    gate.dispatchEvent(new Event('read'))
    await opened
    return text
  }
  const client = createClientAt(service, { tokenStore: { ...store, get } })
  const resuming = client.resume()
  await reading
  return { client, resuming, release: () => void gate.dispatchEvent(new Event('open')) }
}

describe('while the stored session is read', () => {
  it('a token that the game sets is kept and used', async () => {
    const { client, resuming, release } = await startResuming()
    await service.tokens()
    const update = client.updateToken('access-2')
    await expect.poll(() => service.sent.some(({ url }) => url.endsWith('/users/@me'))).toBe(true)
    for (let turn = 0; turn < 10; turn++) await settle()
    release()
    await Promise.all([update, resuming])
    service.access.delete('access-1')
    expect((await client.fetchCurrentUser()).id).toBe(USER_ID)
    expect(service.refreshes()).toEqual([])
  })

  it('a sign-out leaves the game signed out', async () => {
    const { client, resuming, release } = await startResuming()
    const signingOut = client.signOut()
    await settle()
    release()
    await signingOut
    expect(await resuming).toBeNull()
    expect(client).toMatchObject({ session: null, status: 'disconnected' })
  })

  it('close() restores no session', async () => {
    const { client, resuming, release } = await startResuming()
    client.close()
    release()
    await resuming.catch(() => undefined)
    expect(client.session).toBeNull()
  })
})

it('a token that another tab has replaced is not sent again', async () => {
  const { store: tokenStore } = openStore()
  const [tab, other] = [createClientAt(service, { tokenStore }), createClientAt(service, { tokenStore })]
  await service.tokens()
  await tab.updateToken('access-1')
  await other.resume()
  await service.tokens()
  await tab.updateToken('access-2')
  service.access.delete('access-1')
  expect((await other.fetchCurrentUser()).id).toBe(USER_ID)
})

describe('while a refresh is in progress', () => {
  it('a sign-out does not cancel the sign-in that follows', async () => {
    const client = createClientAt(service)
    await service.signIn(client)
    const release = service.delayResponses()
    const refresh = codeOf(() => client.refreshToken())
    await expect.poll(() => service.refreshes().length).toBe(1)
    await client.signOut()
    const surface = silentSurface()
    const signingIn = client.signIn({ surface })
    await expect.poll(() => surface.opened.length).toBe(1)
    release()
    expect(await refresh).toBe('signed_out')
    const [url = new URL(HOST)] = surface.opened
    service.claims = { nonce: url.searchParams.get('nonce') }
    await client.handleCallback(callbackTo(url, { iss: HOST }))
    expect((await signingIn).tokens.accessToken.reveal()).toBe('access-3')
  })

  it('a sign-out stays one, even if the service then rejects the token', async () => {
    const client = createClientAt(service)
    await service.signIn(client)
    const release = service.delayResponses()
    const refresh = codeOf(() => client.refreshToken())
    await expect.poll(() => service.refreshes().length).toBe(1)
    await client.signOut()
    service.good.clear()
    release()
    expect(await refresh).toBe('signed_out')
    expect(await codeOf(() => client.fetchCurrentUser())).toBe('signed_out')
  })
})
