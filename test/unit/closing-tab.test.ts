// @vitest-environment happy-dom
/** A tab that is closed while its session is being stored. */
import { Client, type TokenStore } from 'foyer-sdk'
import { expect, it } from 'vitest'
import { CLIENT_ID, createTokenService, HOST, USER_ID } from '../support/token-service'

it('a closing tab completes pending writes to its store and notifies the other tabs', async () => {
  const texts = new Map<string, string>()
  const writing: (() => void)[] = []
  let isSlow = false
  const tokenStore: TokenStore = {
    get: async (key) => texts.get(key),
    async set(key, text) {
      if (isSlow) await new Promise<void>((resolve) => writing.push(resolve))
      texts.set(key, text)
    },
    delete: async (key) => void texts.delete(key),
  }
  const service = await createTokenService()
  const createTab = () =>
    new Client({
      applicationId: CLIENT_ID,
      service: { host: HOST },
      fetch: service.fetch,
      clock: service.clock,
      tokenStore,
    })
  const [tab, other] = [createTab(), createTab()]
  await service.signIn(tab)
  await other.resume()
  const received = new Promise<string | undefined>((resolve) => {
    other.on('tokenRefreshed', ({ session }) => resolve(session.tokens.refreshToken?.reveal()))
  })

  // Without Web Locks a tab writes its marker, waits a second, and sends its request then.
  const { waiting } = service.clock
  const refreshed = tab.refreshToken().catch(() => undefined)
  await expect.poll(() => service.clock.waiting).toBeGreaterThan(waiting)
  isSlow = true
  service.clock.advance(1000)
  await expect.poll(() => writing.length).toBe(1)
  tab.close()
  isSlow = false
  for (const done of writing.splice(0)) done()
  await refreshed
  expect(await received).toBe('refresh-2')
  other.close()
  const next = createTab()
  expect((await next.resume())?.tokens.refreshToken?.reveal()).toBe('refresh-2')
  expect(next.session?.userId).toBe(USER_ID)
  next.close()
})
