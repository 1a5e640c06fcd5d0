/** The address of a backend's session must be of the page's own site: browsers keep no cookie of another one. */
import { Client } from 'foyer-sdk'
import { expect, it, onTestFinished, vi } from 'vitest'

/** `resume` asks the backend, which has no session. */
async function resume(
  page: string,
  backendSession: string,
  fetch = async () => Response.json({ error: 'signed_out' }, { status: 401 }),
): Promise<unknown> {
  vi.stubGlobal('location', new URL(page))
  onTestFinished(() => void vi.unstubAllGlobals())
  const client = new Client({
    applicationId: '1287654321098765433',
    service: { host: 'https://service.example' },
    backendSession,
    fetch,
  })
  onTestFinished(() => client.close())
  return client.resume()
}

it.each([
  ['http://localhost:5173/', 'http://127.0.0.1:8080/session', 'localhost', '127.0.0.1'],
  ['http://127.0.0.1:5173/', 'http://localhost:8080/session', '127.0.0.1', 'localhost'],
  ['http://127.0.0.1:5173/', 'http://127.0.0.2:8080/session', '127.0.0.1', '127.0.0.2'],
  ['https://game.example/', 'https://api.other.example/session', 'game.example', 'api.other.example'],
])('a page of %s and a backend at %s are refused, with both names', async (page, backend, ...names) => {
  const named = names.map((name) => expect.stringContaining(name))
  for (const message of named)
    await expect(resume(page, backend)).rejects.toMatchObject({ code: 'invalid_argument', message })
})

it.each([
  ['http://localhost:5173/', '/session'],
  ['http://localhost:5173/', 'http://localhost:8080/session'],
  ['http://127.0.0.1:5173/', 'http://127.0.0.1:8080/session'],
  ['https://play.game.example/', 'https://api.game.example/session'],
  ['https://game.example/', 'https://game.example/session'],
])('a page of %s and a backend at %s are of one site', async (page, backend) => {
  expect(await resume(page, backend)).toBeNull()
})

/** As a browser does with an answer without CORS headers. */
const unreadable = async () => Promise.reject(new TypeError('Failed to fetch'))

it('a backend of another origin that no answer comes from is named with its origins', async () => {
  await expect(
    resume('http://localhost:5173/', 'http://localhost:8080/session', unreadable),
  ).rejects.toMatchObject({
    code: 'connection_failed',
    message: expect.stringContaining(
      'does createSessionHandler answer below /session, with http://localhost:5173 in its origins?',
    ),
  })
})
