// `npm test` starts the emulator of the service, and signs players in by the real exchange.
import { gameTest } from 'foyer-emulator/vitest'
import { Client } from 'foyer-sdk'
import { expect } from 'vitest'
import { createBackend } from '../backend.js'

const test = gameTest({ seed: 'seed.json' })

test('a player signs in by the backend, which keeps the refresh token', async ({ emulator, players }) => {
  const { url: host, application } = emulator
  const { id: applicationId, clientSecret: secret, botToken: token, publicKey } = application
  const origin = 'http://localhost:5173'
  const backend = await createBackend({ host, applicationId, secret, token, publicKey, origin })
  const [ada] = await players(1, (settings) => {
    const send = async (url: string, init: RequestInit) => {
      const request = new Request(url, init)
      if (!url.startsWith(origin)) return fetch(request)
      request.headers.set('origin', origin)
      return backend.fetch(request)
    }
    return new Client({ ...settings, backendSession: `${origin}/session`, fetch: send })
  })
  expect(ada.session?.user.displayName).toBe('Ada Quinn')
  expect(ada.session?.tokens.refreshToken).toBeUndefined()
})
