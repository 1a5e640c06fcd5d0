/** How an attempt ends: an answer, a refusal, a cancel, a deadline, each exactly once. */
import { type AuthorizationSurface, Client, ConfigurationError, FoyerError } from 'foyer-sdk'
import { describe, expect, it } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import { callbackTo, scriptedSurface, silentSurface } from '../support/scripted-surface'

const ARGS = { scopes: 'openid' }

function createGame() {
  const clock = new ManualClock()
  const client = new Client({ applicationId: '1', service: { host: 'https://service.test' }, clock })
  return { client, clock }
}

/** A surface that tells when it was asked to clean up. */
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

const loopback = (port: number) => silentSurface({ redirectUri: async () => `http://127.0.0.1:${port}/callback` })

describe('authorize', () => {
  it('ends as aborted when the game cancels, and tells the surface to clean up', async () => {
    const { client } = createGame()
    const { surface, ended } = watchedSurface()
    const outcome = client.authorize(ARGS, { surface })
    client.abortAuthorize()
    await expect(outcome).rejects.toMatchObject({ name: 'AuthorizationError', code: 'aborted', retryable: true })
    expect(ended()).toBe(true)
  })

  it('ends as aborted by its signal, also when that was aborted before', async () => {
    const { client } = createGame()
    const controller = new AbortController()
    const outcome = client.authorize(ARGS, { surface: silentSurface(), signal: controller.signal })
    controller.abort()
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
    const surface = silentSurface()
    await expect(client.authorize(ARGS, { surface, signal: controller.signal })).rejects.toMatchObject({ code: 'aborted' })
    expect(surface.opened).toEqual([])
  })

  it.each([
    ['after five minutes', {}, 300_000],
    ['after ten minutes when the page is left', { keep: () => undefined }, 600_000],
    ['after the time the caller gives', { timeout: 1000 }, 1000],
  ])('ends as timed_out %s when nobody answers', async (_, { keep, timeout }: { keep?: () => void; timeout?: number }, limit) => {
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
  })

  it('also ends when a surface never tells its redirect URI', async () => {
    const { client, clock } = createGame()
    const surface = { ...silentSurface(), redirectUri: () => new Promise<string>(() => undefined) }
    const outcome = client.authorize(ARGS, { surface })
    clock.advance(300_000)
    await expect(outcome).rejects.toMatchObject({ code: 'timed_out' })
  })

  it.each([
    ['is cancelled', (client: Client) => client.abortAuthorize()],
    ['is closed', (client: Client) => client.close()],
  ])('opens nothing when the game %s before a surface has told its redirect URI', async (_, end) => {
    const { client } = createGame()
    const told: { uri: (uri: string) => void } = { uri: () => undefined }
    const surface = silentSurface({ redirectUri: () => new Promise((resolve) => (told.uri = resolve)) })
    const outcome = client.authorize(ARGS, { surface })
    end(client)
    told.uri('http://127.0.0.1:7777/callback')
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
    expect(surface.opened).toEqual([])
  })

  it('takes a time without end for one that never comes', async () => {
    const client = new Client({ applicationId: '1', service: { host: 'https://service.test' } })
    const outcome = client.authorize(ARGS, { surface: silentSurface(), timeout: Infinity })
    const soon = client.authorize(ARGS, { surface: silentSurface(), timeout: 20 })
    await expect(soon).rejects.toMatchObject({ code: 'timed_out' })
    client.close()
    await expect(outcome).rejects.toMatchObject({ code: 'aborted' })
  })

  it('drops the late answer of a cancelled attempt, and the next attempt succeeds', async () => {
    const { client } = createGame()
    const surface = silentSurface()
    const first = client.authorize(ARGS, { surface })
    client.abortAuthorize()
    const second = client.authorize(ARGS, { surface })
    const [firstUrl, secondUrl] = surface.opened
    if (!firstUrl || !secondUrl) throw new Error('nothing was opened')
    await expect(first).rejects.toMatchObject({ code: 'aborted' })
    await expect(client.handleCallback(callbackTo(firstUrl))).rejects.toMatchObject({ code: 'state_mismatch' })
    await client.handleCallback(callbackTo(secondUrl))
    expect((await second).code.reveal()).toBe('the-code')
  })

  it('that has the state of another is refused, also when both wait for where the answer will arrive', async () => {
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

  it('is answered although a stranger was refused with the same state just before it began', async () => {
    const { client } = createGame()
    const state = 'a-state-of-the-callers-own'
    const stranger = `http://127.0.0.1:7777/callback?code=x&state=${state}`
    await expect(client.handleCallback(stranger)).rejects.toMatchObject({ code: 'state_mismatch' })
    const surface = silentSurface()
    const outcome = client.authorize({ ...ARGS, state }, { surface })
    await client.handleCallback(callbackTo(surface.opened[0] ?? new URL(stranger)))
    expect((await outcome).code.reveal()).toBe('the-code')
  })

  it.each<[string, AuthorizationSurface]>([
    [
      'throws at once',
      {
        open: () => {
          throw new TypeError('broken')
        },
      },
    ],
    ['rejects', { open: () => Promise.reject(new TypeError('broken')) }],
    ['rejects with no error at all', { open: () => Promise.reject('broken') }],
    ['cannot say where answers arrive', { redirectUri: () => Promise.reject(new TypeError('broken')), open: () => Promise.resolve('') }],
  ])('ends as surface_failed when the surface %s', async (_, surface) => {
    await expect(createGame().client.authorize(ARGS, { surface })).rejects.toMatchObject({ code: 'surface_failed' })
  })

  it("keeps a surface's own typed error", async () => {
    const surface = { open: () => Promise.reject(new ConfigurationError('unsupported', 'no window here')) }
    await expect(createGame().client.authorize(ARGS, { surface })).rejects.toMatchObject({
      name: 'ConfigurationError',
      code: 'unsupported',
    })
  })

  it('says so where nothing can show a page', async () => {
    await expect(createGame().client.authorize(ARGS)).rejects.toMatchObject({ name: 'ConfigurationError', code: 'unsupported' })
  })

  it('leaves no timer behind, whatever the end', async () => {
    const { client, clock } = createGame()
    await client.authorize(ARGS, { surface: scriptedSurface((url) => callbackTo(url)) })
    await client.authorize(ARGS, { surface: scriptedSurface((url) => callbackTo(url, { state: 'x' })) }).catch(() => undefined)
    const waiting = client.authorize(ARGS, { surface: silentSurface() })
    client.close()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    expect(clock.waiting).toBe(0)
  })

  it('takes no further call once the client is closed', async () => {
    const { client } = createGame()
    client.close()
    const calls = [client.authorize(ARGS, { surface: silentSurface() }), client.handleCallback('x'), client.signIn({ args: ARGS })]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'closed' })
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
