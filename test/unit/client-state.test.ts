/** State of a client: authenticated or not, and inside an Activity or not. */
import { Client } from 'foyer-sdk'
import { expect, it, onTestFinished } from 'vitest'
import { createClientAt } from '../support/local-client'
import { createTokenService, HOST } from '../support/token-service'

it('a client is authenticated from the sign-in until the sign-out', async () => {
  const service = await createTokenService()
  const client = createClientAt(service)
  expect(client.session !== null).toBe(false)
  await service.signIn(client)
  expect(client.session !== null).toBe(true)
  await client.signOut()
  expect(client.session !== null).toBe(false)
})

it('a client outside an Activity cannot join an Activity lobby', async () => {
  const client = new Client({ applicationId: '1', service: { host: HOST } })
  onTestFinished(() => client.close())
  for (const call of [client.activity.joinLobby(), client.activity.connect()])
    await expect(call).rejects.toMatchObject({ name: 'ConfigurationError', code: 'no_activity_host' })
})
