/** Deadlines of token requests, parts that throw, and a machine that reports no network although requests succeed. */
import { FoyerError } from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CoreClient, resolveOptions } from '../support/internals'
import { createClientAt } from '../support/local-client'
import { CLIENT_ID, createTokenService, HOST, type TokenService, USER_ID } from '../support/token-service'

let service: TokenService
beforeEach(async () => {
  service = await createTokenService()
})
afterEach(() => vi.unstubAllGlobals())

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'ok',
    (error: unknown) => (error instanceof FoyerError ? error.code : `not typed: ${String(error)}`),
  )

/** Answers each token request after this time. */
function answerAfter(ms: number): void {
  const { clock } = service
  service.override = (_, honest) => {
    const answer = new Promise<void>((resolve) => void clock.after(ms, resolve)).then(honest)
    void Promise.resolve().then(() => clock.advance(ms))
    return answer
  }
}

describe('a token endpoint', () => {
  it.each([
    [11_000, 60_000, 'ok'],
    [55_000, 60_000, 'ok'],
    [11_000, undefined, 'timed_out'],
    [3000, 2000, 'timed_out'],
  ])('that answers after %i ms, with a requestTimeout of %s', async (ms, requestTimeout, outcome) => {
    const client = createClientAt(service, { ...(requestTimeout && { requestTimeout }) })
    answerAfter(ms)
    expect(await codeOf(service.signIn(client))).toBe(outcome)
    service.override = undefined
    if (outcome !== 'ok') await service.signIn(client)
    answerAfter(ms)
    expect(await codeOf(client.refreshToken())).toBe(outcome)
    expect(client.session?.userId).toBe(USER_ID)
  })

  it.each([Number.NaN, 0, -1, '60s'])(
    'a requestTimeout that is no time is refused with its unit: %s',
    (wrong) => {
      expect(() => createClientAt(service, { requestTimeout: wrong as number })).toThrow('requestTimeout: ms')
    },
  )
})

it.each([
  ['a TypeError', new TypeError('x is not a function')],
  ['a ReferenceError', new ReferenceError('TextDecoder is not defined')],
  ['text', 'no memory'],
])('%s inside a part is no failure to load it, and the cause says what happened', async (_, thrown) => {
  const { fetch, clock } = service
  const client = new CoreClient({
    ...resolveOptions(
      { applicationId: CLIENT_ID, service: { host: HOST }, fetch, clock },
      undefined,
      async () => undefined,
    ),
    loadSessions: () => Promise.reject(thrown),
  })
  onTestFinished(() => client.close())
  const calls = [
    service.signIn(client),
    client.fetchCurrentUser(),
    client.signOut(),
    client.resume(),
    client.createOrJoinLobby('moon'),
  ]
  expect(await Promise.all(calls.map(codeOf))).toEqual(calls.map(() => 'unexpected'))
  const error: unknown = await client.resume().catch((reason: unknown) => reason)
  expect(String(error instanceof FoyerError && error.cause)).toContain(
    thrown instanceof Error ? thrown.message : thrown,
  )
})

/** A page without network, as far as it says, whose locks another script steals or leaves alone. */
function stubPage(locks: 'kept' | 'stolen'): void {
  const request = (_name: string, _options: unknown, work: () => Promise<unknown>) => {
    const running = work()
    return locks === 'kept' ? running : Promise.reject(new DOMException('stolen', 'AbortError'))
  }
  vi.stubGlobal('navigator', { onLine: false, locks: { request } })
  for (const name of ['addEventListener', 'removeEventListener']) vi.stubGlobal(name, () => undefined)
}

describe('a machine that reports no network', () => {
  it('is refreshed all the same if the service answers', async () => {
    stubPage('kept')
    const client = createClientAt(service)
    await service.signIn(client)
    await client.refreshToken()
    expect(service.refreshes()).toHaveLength(1)
  })

  it('reports `offline` if a request fails too', async () => {
    stubPage('kept')
    const client = createClientAt(service)
    await service.signIn(client)
    service.override = () => Promise.reject(new TypeError('Failed to fetch'))
    expect(await codeOf(client.refreshToken())).toBe('offline')
  })
})

it('a refresh goes on when another script of the page steals its lock, and happens once', async () => {
  stubPage('stolen')
  const client = createClientAt(service)
  await service.signIn(client)
  expect(await codeOf(client.refreshToken())).toBe('ok')
  expect(service.refreshes()).toHaveLength(1)
  expect(client.session?.state).toBe('fresh')
})
