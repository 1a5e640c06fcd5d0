/** The emulator's responses to preflight requests of pages (Fetch standard, section 3.2). */
import { afterEach, describe, expect, it } from 'vitest'
import { createEmulator, type Emulator, type EmulatorOptions } from 'foyer-emulator'

let emulator: Emulator
afterEach(() => emulator.close())

/** The names of headers, in lower case, that a page may send to a path. */
async function allowedHeaders(path: string, options?: EmulatorOptions): Promise<string[]> {
  emulator = await createEmulator(options)
  const headers = {
    origin: 'https://game.example',
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization,user-agent,x-of-my-own',
  }
  const response = await fetch(emulator.url + path, { method: 'OPTIONS', headers })
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  return (response.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ')
}

describe('the response to a preflight request', () => {
  it.each(['/lobbies', '/users/@me', '/oauth2/token'])(
    'has the same list of headers whatever is requested, for %s',
    async (path) => {
      const allowed = await allowedHeaders(`/api/v10${path}`)
      expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'x-service-locale']))
      expect(allowed.filter((name) => ['user-agent', 'accept', 'x-of-my-own'].includes(name))).toEqual([])
    },
  )

  it('allows every requested header if a test says so', async () => {
    expect(await allowedHeaders('/api/v10/lobbies', { allowedHeaders: 'requested' })).toEqual([
      'authorization,user-agent,x-of-my-own',
    ])
  })
})
