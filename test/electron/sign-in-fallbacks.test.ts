/** Fallbacks of a desktop sign-in between the callback methods (option `roads`): no loopback server, no browser, or neither. */
import { Server } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { MainClient } from 'foyer-sdk/electron/main'
import { openedUrl, SERVICE, useMainProcessGame } from '../support/electron/main-process-game'
import { shell } from '../support/electron/fake-electron.mjs'
import { strayErrors } from '../support/stray-errors'

const harness = useMainProcessGame()
afterEach(() => void vi.restoreAllMocks())

/** Fails `listen` as an operating system sandbox does. */
function denyServers(): void {
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    setImmediate(() => this.emit('error', new Error('listen EPERM')))
    return this
  })
}

/** A service that issues a device code and leaves the request pending forever. */
const fetch = async () =>
  Response.json({
    device_code: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS',
    user_code: 'WDJB-MJHT',
    verification_uri: `${SERVICE}/activate`,
    expires_in: 300,
    interval: 5,
  })

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )

const throws = () => {
  throw new Error('of the game')
}

/** Resolves with the next user code that the client shows. */
const nextUserCode = (client: MainClient) =>
  new Promise<{ userCode?: string }>((resolve) => client.on('browserUnavailable', resolve))

describe('a desktop sign-in without a loopback server', () => {
  test('uses a deep link if the scheme is registered', async () => {
    const scheme = { ...harness.links(), registered: true }
    denyServers()
    const { client, steps } = harness.start({ scheme })
    client.authorize({ scopes: 'openid' }).catch(() => undefined)
    expect((await openedUrl()).searchParams.get('redirect_uri')).toBe('com.example.game:/authorize/callback')
    expect(steps()).toContain('loopback.unavailable')
  })

  test('opens the browser even if the logger throws', async () => {
    using stray = strayErrors()
    const scheme = { ...harness.links(), registered: true }
    denyServers()
    const { client } = harness.start({ scheme, logger: throws })
    const outcome = codeOf(client.authorize({ scopes: 'openid' }))
    expect(await Promise.race([openedUrl().then(({ protocol }) => protocol), outcome])).toBe('https:')
    expect(new Set(await stray.errors())).toEqual(new Set(['Error: of the game']))
  })

  test('falls back to a device code if the scheme is not registered either', async () => {
    const scheme = { ...harness.links(), registered: false }
    denyServers()
    const { client } = harness.start({ scheme, roads: ['loopback', 'scheme', 'device'], fetch })
    const code = nextUserCode(client)
    const outcome = codeOf(client.signIn())
    expect(await code).toMatchObject({ url: `${SERVICE}/activate`, userCode: 'WDJB-MJHT' })
    expect(shell.opened).toEqual([])
    client.abortAuthorize()
    expect(await outcome).toBe('aborted')
  })

  test('rejects with unsupported at once if no callback method is left', async () => {
    denyServers()
    expect(await codeOf(harness.start({ roads: ['loopback', 'scheme', 'paste'] }).client.signIn())).toBe(
      'unsupported',
    )
  })
})

describe.each([[['loopback', 'device'] as const], [['device'] as const]])(
  'a device code sign-in with roads %j',
  (roads) => {
    const startDeviceSignIn = async () => {
      const { client } = harness.start({ roads, fetch })
      const code = nextUserCode(client)
      const outcome = codeOf(client.signIn())
      await code
      return { client, outcome }
    }

    test('is superseded by a new sign-in', async () => {
      const { client, outcome } = await startDeviceSignIn()
      const code = nextUserCode(client)
      const next = codeOf(client.signIn())
      expect(await outcome).toBe('superseded')
      await code
      client.close()
      expect(await next).toBe('aborted')
    })

    test('is aborted by abortAuthorize', async () => {
      const { client, outcome } = await startDeviceSignIn()
      client.abortAuthorize()
      expect(await outcome).toBe('aborted')
    })

    test('is aborted by a sign-out', async () => {
      const { client, outcome } = await startDeviceSignIn()
      await client.signOut()
      expect(await outcome).toBe('aborted')
    })

    test('is aborted by the signal of its call', async () => {
      const { client } = harness.start({ roads, fetch })
      const stop = new AbortController()
      const code = nextUserCode(client)
      const outcome = codeOf(client.signIn({ signal: stop.signal }))
      await code
      stop.abort()
      expect(await outcome).toBe('aborted')
    })

    test('shows no code for scopes without openid', async () => {
      const { client } = harness.start({ roads, fetch })
      let codes = 0
      client.on('browserUnavailable', () => {
        codes += 1
        client.abortAuthorize()
      })
      expect(await codeOf(client.signIn({ args: { scopes: 'identify' } }))).toBe('invalid_argument')
      expect(codes).toBe(0)
    })
  },
)
