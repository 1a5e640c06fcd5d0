/** The address of a backend's session must be of the page's own site: browsers keep no cookie of another one. */
import type { Fetch } from 'foyer-sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connectBackend, type ClientContext } from '../support/internals'

function connect(page: string, backendSession: string): unknown {
  vi.stubGlobal('location', new URL(page))
  onTestFinished(() => void vi.unstubAllGlobals())
  const context = {
    backendSession,
    service: { baseUrl: 'https://service.example' },
    fetch: (async () => new Response()) as Fetch,
  }
  return connectBackend(context as unknown as ClientContext)
}

it.each([
  ['http://localhost:5173/', 'http://127.0.0.1:8080/session', 'localhost', '127.0.0.1'],
  ['http://127.0.0.1:5173/', 'http://localhost:8080/session', '127.0.0.1', 'localhost'],
  ['http://127.0.0.1:5173/', 'http://127.0.0.2:8080/session', '127.0.0.1', '127.0.0.2'],
  ['https://game.example/', 'https://api.other.example/session', 'game.example', 'api.other.example'],
])('a page of %s and a backend at %s are refused, with both names', (page, backend, ...names) => {
  const named = names.map((name) => expect.stringContaining(name))
  for (const message of named)
    expect(() => connect(page, backend)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message }),
    )
})

it.each([
  ['http://localhost:5173/', '/session'],
  ['http://localhost:5173/', 'http://localhost:8080/session'],
  ['http://127.0.0.1:5173/', 'http://127.0.0.1:8080/session'],
  ['https://play.game.example/', 'https://api.game.example/session'],
  ['https://game.example/', 'https://game.example/session'],
])('a page of %s and a backend at %s are of one site', (page, backend) => {
  expect(connect(page, backend)).toMatchObject({ post: expect.any(Function) })
})
