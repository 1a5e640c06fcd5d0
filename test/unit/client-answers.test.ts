/** What a client says of itself: whether a player is there, and whether a host window is. */
import { Client } from 'foyer-sdk'
import { expect, it, onTestFinished } from 'vitest'
import { createClientAt } from '../support/local-client'
import { createTokenService, HOST } from '../support/token-service'

it('a client is authenticated from the sign-in until the sign-out', async () => {
  const service = await createTokenService()
  const client = createClientAt(service)
  expect(client.isAuthenticated()).toBe(false)
  await service.signIn(client)
  expect(client.isAuthenticated()).toBe(true)
  await client.signOut()
  expect(client.isAuthenticated()).toBe(false)
})

it('an Activity’s lobby cannot be joined outside of an Activity', async () => {
  const client = new Client({ applicationId: '1', service: { host: HOST } })
  onTestFinished(() => client.close())
  for (const call of [client.joinActivityLobby(), client.connectActivity()])
    await expect(call).rejects.toMatchObject({ name: 'ConfigurationError', code: 'no_activity_host' })
})
