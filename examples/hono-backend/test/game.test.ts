// `npm test` starts the emulator of the service, and signs players in by the real exchange.
import { gameTest } from 'foyer-emulator/vitest'
import { Client } from 'foyer-sdk'
import { expect } from 'vitest'
import { createBackend } from '../backend.js'

const ORIGIN = 'http://localhost:5173'
const test = gameTest({ seed: 'seed.json' })

/** `fetch` of a page of the game: requests to the backend have the page's origin and its cookie. */
function pageFetch(backend: { fetch: (request: Request) => Response | Promise<Response> }) {
  let cookie = ''
  return async (url: string, init: RequestInit) => {
    const request = new Request(url, init)
    if (!url.startsWith(ORIGIN)) return fetch(request)
    request.headers.set('origin', ORIGIN)
    request.headers.set('cookie', cookie)
    const response = await backend.fetch(request)
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response
  }
}

test('a player signs in by the backend, which keeps the refresh token', async ({ emulator, players }) => {
  const { url: host, application } = emulator
  const { id: applicationId, clientSecret: secret, botToken: token, publicKey } = application
  const backend = await createBackend({ host, applicationId, secret, token, publicKey, origin: ORIGIN })
  const fetchInPage = pageFetch(backend)
  const [ada] = await players(1, (settings) => {
    return new Client({ ...settings, backendSession: `${ORIGIN}/session`, fetch: fetchInPage })
  })
  expect(ada.session?.user.displayName).toBe('Ada Quinn')
  expect(ada.session?.tokens.refreshToken).toBeUndefined()
})
