/** From one road of a sign-in to the next: a machine that lets no server listen, has no browser, or has neither. */
import { Server } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { MainClient } from 'foyer-sdk/electron/main'
import { openedUrl, SERVICE, useMainProcessGame } from '../support/electron/main-process-game'
import { shell } from '../support/electron/fake-electron.mjs'
import { strayErrors } from '../support/stray-errors'

const file = useMainProcessGame()
afterEach(() => void vi.restoreAllMocks())

/** As a sandbox of the system does. */
function denyServers(): void {
  vi.spyOn(Server.prototype, 'listen').mockImplementation(function (this: Server) {
    setImmediate(() => this.emit('error', new Error('listen EPERM')))
    return this
  })
}

/** A service that hands out a code for another device, and waits for the player for ever. */
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

/** The next code that the player is shown. */
const shown = (client: MainClient) => new Promise<{ userCode?: string }>((resolve) => client.once('browserUnavailable', resolve))

describe('where no server may listen', () => {
  test('the answer comes as a deep link, if the system opens those with the game', async () => {
    const scheme = { ...file.links(), registered: true }
    denyServers()
    const { client, steps } = file.start({ scheme })
    client.authorize({ scopes: 'openid' }).catch(() => undefined)
    expect((await openedUrl()).searchParams.get('redirect_uri')).toBe('com.example.game:/authorize/callback')
    expect(steps()).toContain('loopback.unavailable')
  })

  test('a logger that throws costs no road', async () => {
    using stray = strayErrors()
    const scheme = { ...file.links(), registered: true }
    denyServers()
    const { client } = file.start({ scheme, logger: throws })
    const outcome = codeOf(client.authorize({ scopes: 'openid' }))
    expect(await Promise.race([openedUrl().then(({ protocol }) => protocol), outcome])).toBe('https:')
    expect(new Set(await stray.errors())).toEqual(new Set(['Error: of the game']))
  })

  test('and no link is opened either, the sign-in goes on by a short code', async () => {
    const scheme = { ...file.links(), registered: false }
    denyServers()
    const { client } = file.start({ scheme, roads: ['loopback', 'scheme', 'device'], fetch })
    const code = shown(client)
    const outcome = codeOf(client.signIn())
    expect(await code).toMatchObject({ url: `${SERVICE}/activate`, userCode: 'WDJB-MJHT' })
    expect(shell.opened).toEqual([])
    client.abortAuthorize()
    expect(await outcome).toBe('aborted')
  })

  test('and nothing else is left, the sign-in ends at once', async () => {
    denyServers()
    expect(await codeOf(file.start({ roads: ['loopback', 'scheme', 'paste'] }).client.signIn())).toBe('unsupported')
  })
})

describe.each([[['loopback', 'device'] as const], [['device'] as const]])('a short code of the roads %j', (roads) => {
  const begin = async () => {
    const { client } = file.start({ roads, fetch })
    const code = shown(client)
    const outcome = codeOf(client.signIn())
    await code
    return { client, outcome }
  }

  test('is given up when the player starts over', async () => {
    const { client, outcome } = await begin()
    const code = shown(client)
    const next = codeOf(client.signIn())
    expect(await outcome).toBe('superseded')
    await code
    client.close()
    expect(await next).toBe('aborted')
  })

  test('is given up by the button that cancels a sign-in', async () => {
    const { client, outcome } = await begin()
    client.abortAuthorize()
    expect(await outcome).toBe('aborted')
  })

  test('is given up when the player signs out', async () => {
    const { client, outcome } = await begin()
    await client.signOut()
    expect(await outcome).toBe('aborted')
  })

  test('is given up by the signal of its call', async () => {
    const { client } = file.start({ roads, fetch })
    const stop = new AbortController()
    const code = shown(client)
    const outcome = codeOf(client.signIn({ signal: stop.signal }))
    await code
    stop.abort()
    expect(await outcome).toBe('aborted')
  })

  test('is not shown for scopes that sign nobody in', async () => {
    const { client } = file.start({ roads, fetch })
    let codes = 0
    client.on('browserUnavailable', () => {
      codes += 1
      client.abortAuthorize()
    })
    expect(await codeOf(client.signIn({ args: { scopes: 'identify' } }))).toBe('invalid_argument')
    expect(codes).toBe(0)
  })
})
