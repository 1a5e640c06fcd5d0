/** Attacks on Electron sign-ins that one start of the app begins and another completes. */
import { memoryStore, type TokenStore } from 'foyer-sdk'
import type { MainClientOptions } from 'foyer-sdk/electron/main'
import { describe, expect, test } from 'vitest'
import { callbackFor, openedUrl, useMainProcessGame } from '../../support/electron/main-process-game'
import { shell } from '../../support/electron/fake-electron.mjs'

const SCHEME = { scheme: 'com.example.game', registered: true, listen: () => () => undefined }
const KEY = 'foyer:attempts'
const harness = useMainProcessGame()

/** Successive starts of the app with one store. */
function starts(tokenStore: TokenStore) {
  return (options: Partial<MainClientOptions> = {}) =>
    harness.start({ scheme: SCHEME, roads: ['scheme', 'paste'], tokenStore, ...options })
}

/** An attempt of an earlier start of the app, which has ended. */
async function startAttempt() {
  const store = memoryStore()
  const start = starts(store)
  start()
    .client.authorize({ scopes: 'openid' })
    .catch(() => undefined)
  const url = await openedUrl()
  return { store, start, url, link: callbackFor(url) }
}

describe('an attempt of an earlier start', () => {
  test('attack/134 is completed once', async () => {
    const { start, link, store } = await startAttempt()
    expect((await start().client.handleCallback(link))?.code.reveal()).toBe('the-code')
    expect(await store.get(KEY)).toBeUndefined()
    await expect(start().client.handleCallback(link)).rejects.toMatchObject({ code: 'state_mismatch' })
  })

  test.each<[string, Partial<MainClientOptions>]>([
    ['profile', { profile: 'alice' }],
    ['application', { applicationId: '2' }],
    ['service', { service: { host: 'https://other.test' } }],
  ])('attack/147 attack/148 is not completed by a client with another %s', async (_, options) => {
    const { start, link, store } = await startAttempt()
    await expect(start(options).client.handleCallback(link)).rejects.toMatchObject({ code: 'state_mismatch' })
    expect(await store.get(KEY)).toContain('verifier')
    expect((await start().client.handleCallback(link))?.code.reveal()).toBe('the-code')
  })

  test('attack/134 expires after ten minutes', async () => {
    const { start, link, store } = await startAttempt()
    const { client, clock } = start()
    clock.advance(600_001)
    await expect(client.handleCallback(link)).rejects.toMatchObject({ code: 'timed_out' })
    expect(await store.get(KEY)).toBeUndefined()
  })

  test('attack/130 is not completed without its state', async () => {
    const { start, url, link } = await startAttempt()
    const { client } = start()
    for (const state of ['', 'A'.repeat(43), url.searchParams.get('state')?.slice(1) ?? ''])
      await expect(client.handleCallback(callbackFor(url, { state }))).rejects.toMatchObject({
        code: 'state_mismatch',
      })
    expect((await client.handleCallback(link))?.code.reveal()).toBe('the-code')
  })

  test('attack/130 is not completed by another server', async () => {
    const foreign = await startAttempt()
    await expect(
      foreign.start().client.handleCallback(callbackFor(foreign.url, { iss: 'https://evil.test' })),
    ).rejects.toMatchObject({
      code: 'issuer_mismatch',
    })
  })

  test('attack/130 is not completed at another redirect URI', async () => {
    const { start, link } = await startAttempt()
    const moved = link.replace('com.example.game:/authorize', 'com.example.other:/authorize')
    await expect(start().client.handleCallback(moved)).rejects.toMatchObject({ code: 'redirect_mismatch' })
  })

  test('attack/18 is evicted by the eighth later attempt', async () => {
    const store = memoryStore()
    const start = starts(store)
    const urls: URL[] = []
    for (let i = 0; i < 9; i++) {
      start()
        .client.authorize({ scopes: 'openid' })
        .catch(() => undefined)
      urls.push(await openedUrl(i))
    }
    const { client } = start()
    const [first, second] = urls.map((url) => callbackFor(url))
    await expect(client.handleCallback(first)).rejects.toMatchObject({ code: 'state_mismatch' })
    expect((await client.handleCallback(second))?.code.reveal()).toBe('the-code')
  })

  test('attack/134 is deleted from the store when it ends in its own process', async () => {
    const store = memoryStore()
    const { client } = starts(store)()
    const outcome = client.authorize({ scopes: 'openid' }).catch((error: { code: string }) => error.code)
    await openedUrl()
    expect(await store.get(KEY)).toContain('verifier')
    client.abortAuthorize()
    expect(await outcome).toBe('aborted')
    await expect.poll(() => store.get(KEY)).toBeUndefined()
  })

  test('attack/134 is stored before the browser opens, because another process may receive the callback', async () => {
    const store = memoryStore()
    let release: (() => void) | undefined
    const slow = {
      ...store,
      set: (key: string, text: string) =>
        new Promise<void>((done) => (release = done)).then(() => store.set(key, text)),
    }
    const { client } = starts(slow)()
    client.authorize({ scopes: 'openid' }).catch(() => undefined)
    await expect.poll(() => release).toBeDefined()
    await new Promise((resolve) => setImmediate(resolve))
    expect(shell.opened).toEqual([])
    release?.()
    expect((await openedUrl()).searchParams.get('state')).toMatch(/./)
    expect(await store.get(KEY)).toContain('verifier')
  })

  test.each<[string, (record: Record<string, unknown>) => unknown]>([
    ['no object', () => 7],
    ['a state that is not a string', (record) => ({ ...record, state: [record['state']] })],
    ['no nonce', (record) => ({ ...record, nonce: undefined })],
    ['no owner', (record) => ({ ...record, owner: undefined })],
    ['no redirect URI', (record) => ({ ...record, redirectUri: undefined })],
    ['scopes that are not a string', (record) => ({ ...record, scopes: ['openid'] })],
    ['an invalid application ID', (record) => ({ ...record, clientId: '../1' })],
    ['no start time', (record) => ({ ...record, begun: String(record['begun']) })],
  ])('attack/110 with a record changed to %s is ignored', async (_, change) => {
    const { store, start, link } = await startAttempt()
    const [record] = JSON.parse((await store.get(KEY)) ?? '')
    await store.set(KEY, JSON.stringify([change(record)]))
    await expect(start().client.handleCallback(link)).rejects.toMatchObject({ code: 'state_mismatch' })
  })
})
