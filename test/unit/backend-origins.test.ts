/** Origins of a game's backend: which ones a client accepts, and where a request may go. */
import { describe, expect, it } from 'vitest'
import { allowedOrigins, isOfOrigin, localServiceOrigin, resolveBackendUrl } from '../support/internals'
import { codeOf } from '../support/settle'

const ORIGINS = ['https://game.example', 'https://other.example']

describe('an origin of a backend', () => {
  it.each([
    ['https://game.example', 'https://game.example'],
    ['https://game.example:8443/', 'https://game.example:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.10.0.255', 'http://127.10.0.255'],
    ['http://[::1]', 'http://[::1]'],
  ])('may be %s', (given, origin) => {
    expect(allowedOrigins([given])).toEqual([origin])
  })

  it.each([
    ['https://game.example/api', 'invalid_argument'],
    ['https://game.example?a', 'invalid_argument'],
    ['game.example', 'invalid_argument'],
    ['', 'invalid_argument'],
    [7, 'invalid_argument'],
    ['http://game.example', 'insecure_endpoint'],
    ['http://localhost.example', 'insecure_endpoint'],
    ['http://my.localhost', 'insecure_endpoint'],
    ['http://1127.0.0.1.example', 'insecure_endpoint'],
    ['ftp://game.example', 'insecure_endpoint'],
  ])('may not be %s', async (origin, code) => {
    expect(await codeOf(() => allowedOrigins([origin] as string[]))).toBe(code)
  })

  it('is in a list, which may be missing', async () => {
    expect(allowedOrigins()).toEqual([])
    expect(await codeOf(() => allowedOrigins('https://game.example' as never))).toBe('invalid_argument')
  })

  it.each([
    ['http://localhost:3333', true],
    ['http://127.1.2.3:1', true],
    ['https://[::1]', true],
    ['https://service.test', false],
    ['x', false],
    ['http://127.0.0.1.example', false],
  ])('may be that of the service on this machine: %s %s', (host, isLocal) => {
    expect(localServiceOrigin(host)).toBe(isLocal ? host : undefined)
  })
})

describe('a request to a backend', () => {
  it.each([
    ['/score?a=b', 'https://game.example/score?a=b'],
    ['https://other.example/x', 'https://other.example/x'],
  ])('goes from %s to %s', (url, expected) => {
    expect(resolveBackendUrl(url, ORIGINS)).toBe(expected)
    expect(isOfOrigin(expected, ORIGINS)).toBe(true)
  })

  it.each([
    'https://evil.example/',
    'https://a@game.example/',
    'https://:b@game.example/',
    'http://game.example/',
    '//evil.example',
    'https://[',
  ])('does not go to %s', async (url) => {
    expect(await codeOf(() => resolveBackendUrl(url, ORIGINS))).toBe('invalid_argument')
  })

  it('goes nowhere without an origin, and the text of no URL is of an origin', async () => {
    expect(await codeOf(() => resolveBackendUrl('/score', []))).toBe('invalid_argument')
    expect([
      isOfOrigin('https://evil.example', ORIGINS),
      isOfOrigin('x', ORIGINS),
      isOfOrigin('x', [undefined]),
    ]).toEqual([false, false, false])
  })
})
