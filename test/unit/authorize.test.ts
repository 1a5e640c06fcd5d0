/** Outcomes of an authorization attempt: response, rejection, cancellation, timeout, each exactly once. */
import { type AuthorizationSurface, Client, ConfigurationError, FoyerError } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import { callbackTo, scriptedSurface, silentSurface } from '../support/scripted-surface'
import { codeOf, settle } from '../support/settle'

const ARGS = { scopes: 'openid' }

/** A service that cannot be reached. */
const nobody = async () => Response.error()

function createGame() {
  const clock = new ManualClock()
  const client = new Client({
    applicationId: '1',
    service: { host: 'https://service.test' },
    clock,
    fetch: nobody,
  })
  return { client, clock }
}

/** A surface that records its cleanup. */
function watchedSurface() {
  let signal: AbortSignal | undefined
  const surface = silentSurface({
    open: (_, options) => {
      signal = options.signal
      return new Promise<string>(() => undefined)
    },
  })
  return { surface, ended: () => signal?.aborted }
}

const loopback = (port: number) =>
  silentSurface({ redirectUri: async () => `http://127.0.0.1:${port}/callback` })

describe('authorize', () => {
  it('rejects with aborted when the game cancels, and cleans up the surface', async () => {
    const { client } = createGame()
    const { surface, ended } = watchedSurface()
    const outcome = client.authorize(ARGS, { surface })
    client.abortAuthorize()
    await expect(outcome).rejects.toMatchObject({
      name: 'AuthorizationError',
      code: 'aborted',
      retryable: true,
    })
    expect(ended()).toBe(true)
  })

  it('reports a window that may have been closed, and goes on waiting', async () => {
    const { client, clock } = createGame()
    const times: number[] = []
    client.on('maybeClosed', ({ at }) => times.push(at))
    const surface = silentSurface({
      open: (_, { maybeClosed }) => {
        maybeClosed()
        return new Promise<string>(() => undefined)
      },
    })
    const outcome = client.authorize(ARGS, { surface })
    await settle()
    expect(times).toEqual([clock.now()])
    client.abortAuthorize()
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
  })

  it('rejects with aborted on its signal, even one that is aborted already', async () => {
    const { client } = createGame()
    const controller = new AbortController()
    const outcome = client.authorize(ARGS, { surface: silentSurface(), signal: controller.signal })
    controller.abort()
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
    const surface = silentSurface()
    await expect(client.authorize(ARGS, { surface, signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect(surface.opened).toEqual([])
  })

  it.each([
    ['after five minutes', {}, 300_000],
    ['after ten minutes when the page is left', { keep: () => undefined }, 600_000],
    ['after the given time', { timeout: 1000 }, 1000],
  ])(
    'rejects with timed_out %s without a response',
    async (_, { keep, timeout }: { keep?: () => void; timeout?: number }, limit) => {
      const { client, clock } = createGame()
      let settled = false
      const outcome = client
        .authorize(ARGS, { surface: silentSurface({ ...(keep && { keep }) }), ...(timeout && { timeout }) })
        .finally(() => (settled = true))
      outcome.catch(() => undefined)
      clock.advance(limit - 1)
      await Promise.resolve()
      expect(settled).toBe(false)
      clock.advance(1)
      await expect(outcome).rejects.toMatchObject({ code: 'timed_out' })
    },
  )

  it('times out if a surface never provides its redirect URI', async () => {
    const { client, clock } = createGame()
    const surface = { ...silentSurface(), redirectUri: () => new Promise<string>(() => undefined) }
    const outcome = client.authorize(ARGS, { surface })
    clock.advance(300_000)
    await expect(outcome).rejects.toMatchObject({ code: 'timed_out' })
  })

  it.each([
    ['is cancelled', (client: Client) => client.abortAuthorize()],
    ['is closed', (client: Client) => client.close()],
  ])('opens nothing if the client %s before the surface provides its redirect URI', async (_, end) => {
    const { client } = createGame()
    const received: { uri: (uri: string) => void } = { uri: () => undefined }
    const surface = silentSurface({ redirectUri: () => new Promise((resolve) => (received.uri = resolve)) })
    const outcome = client.authorize(ARGS, { surface })
    end(client)
    received.uri('http://127.0.0.1:7777/callback')
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
    expect(surface.opened).toEqual([])
  })

  it('with an infinite timeout never times out', async () => {
    const client = new Client({ applicationId: '1', service: { host: 'https://service.test' } })
    const outcome = client.authorize(ARGS, { surface: silentSurface(), timeout: Infinity })
    const soon = client.authorize(ARGS, { surface: silentSurface(), timeout: 100 })
    await expect(soon).rejects.toMatchObject({ code: 'timed_out' })
    client.close()
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
  })

  it('drops the late response of a cancelled attempt, and the next attempt succeeds', async () => {
    const { client } = createGame()
    const surface = silentSurface()
    const first = client.authorize(ARGS, { surface })
    client.abortAuthorize()
    const second = client.authorize(ARGS, { surface })
    const [firstUrl, secondUrl] = surface.opened
    if (!firstUrl || !secondUrl) throw new Error('nothing was opened')
    await expect(first).rejects.toMatchObject({ code: 'aborted' })
    await expect(client.handleCallback(callbackTo(firstUrl))).rejects.toMatchObject({
      code: 'state_mismatch',
    })
    await client.handleCallback(callbackTo(secondUrl))
    expect((await second).code.reveal()).toBe('the-code')
  })

  it('rejects a second attempt with the same state, even while both wait for their redirect URIs', async () => {
    const { client } = createGame()
    const state = 'a-state-of-the-callers-own'
    const surface = loopback(7001)
    const first = client.authorize({ ...ARGS, state }, { surface })
    const second = client.authorize({ ...ARGS, state }, { surface: loopback(7002) })
    await expect(second).rejects.toMatchObject({ code: 'invalid_argument', issues: [{ path: 'state' }] })
    const [url = new URL('https://none.test')] = surface.opened
    await client.handleCallback(callbackTo(url))
    expect((await first).redirectUri).toBe('http://127.0.0.1:7001/callback')
  })

  it('asks for no redirect URI when its arguments are invalid, so that no loopback server starts', async () => {
    let asked = 0
    const surface = silentSurface({ redirectUri: () => `http://127.0.0.1:700${++asked}/callback` })
    await expect(createGame().client.authorize({ scopes: ' ' }, { surface })).rejects.toMatchObject({
      code: 'invalid_argument',
    })
    expect(asked).toBe(0)
  })

  it('accepts its response after a foreign callback with the same state was rejected', async () => {
    const { client } = createGame()
    const state = 'a-state-of-the-callers-own'
    const foreignCallback = `http://127.0.0.1:7777/callback?code=x&state=${state}`
    await expect(client.handleCallback(foreignCallback)).rejects.toMatchObject({ code: 'state_mismatch' })
    const surface = silentSurface()
    const outcome = client.authorize({ ...ARGS, state }, { surface })
    await client.handleCallback(callbackTo(surface.opened[0] ?? new URL(foreignCallback)))
    expect((await outcome).code.reveal()).toBe('the-code')
  })

  it.each<[string, AuthorizationSurface]>([
    [
      'throws synchronously',
      {
        open: () => {
          throw new TypeError('broken')
        },
      },
    ],
    ['rejects', { open: () => Promise.reject(new TypeError('broken')) }],
    ['rejects with a string', { open: () => Promise.reject('broken') }],
    [
      'rejects its redirect URI',
      { redirectUri: () => Promise.reject(new TypeError('broken')), open: () => Promise.resolve('') },
    ],
  ])('rejects with surface_failed if the surface %s', async (_, surface) => {
    await expect(createGame().client.authorize(ARGS, { surface })).rejects.toMatchObject({
      code: 'surface_failed',
    })
  })

  it.each<[string, unknown]>([
    ['an error', new Error('redirect_uri is not registered')],
    ['a text', 'redirect_uri is not registered'],
  ])('tells the cause in its message, which the surface threw as %s', async (_, thrown) => {
    const surface = { open: () => Promise.reject(thrown) }
    await expect(createGame().client.authorize(ARGS, { surface })).rejects.toMatchObject({
      code: 'surface_failed',
      message: expect.stringContaining('redirect_uri is not registered') as string,
    })
  })

  it('keeps a typed error of the surface', async () => {
    const surface = { open: () => Promise.reject(new ConfigurationError('unsupported', 'no window here')) }
    await expect(createGame().client.authorize(ARGS, { surface })).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'unsupported',
    })
  })

  it('rejects with unsupported if nothing can show a page', async () => {
    await expect(createGame().client.authorize(ARGS)).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'unsupported',
    })
  })

  it('leaves no timer after any outcome', async () => {
    const { client, clock } = createGame()
    await client.authorize(ARGS, { surface: scriptedSurface((url) => callbackTo(url)) })
    await client
      .authorize(ARGS, { surface: scriptedSurface((url) => callbackTo(url, { state: 'x' })) })
      .catch(() => undefined)
    const waiting = client.authorize(ARGS, { surface: silentSurface() })
    client.close()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    expect(clock.waiting).toBe(0)
  })

  it('rejects calls after the client is closed', async () => {
    const { client } = createGame()
    client.close()
    const calls = [
      client.authorize(ARGS, { surface: silentSurface() }),
      client.handleCallback('x'),
      client.signIn({ args: ARGS }),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'closed' })
  })

  it('opens nothing for a sign-in whose signal is aborted already', async () => {
    const { client } = createGame()
    const surface = silentSurface()
    const outcome = codeOf(() => client.signIn({ surface, args: ARGS, signal: AbortSignal.abort() }))
    await settle()
    expect(surface.opened).toEqual([])
    expect(await outcome).toBe('aborted')
  })

  it('rejects with errors that are safe to serialize', async () => {
    const { client } = createGame()
    const surface = scriptedSurface((url) => callbackTo(url, { state: 'wrong' }))
    const error: unknown = await client.authorize(ARGS, { surface }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(FoyerError)
    expect(JSON.parse(JSON.stringify(error))).toEqual({
      name: 'AuthorizationError',
      code: 'state_mismatch',
      retryable: true,
      help: 'docs/errors.md#state_mismatch',
      message: expect.any(String),
    })
  })
})
