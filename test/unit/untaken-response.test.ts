// @vitest-environment happy-dom
/** A page that does not complete a sign-in by redirect, or does not restore the session that it keeps, says so once: in the log, or in the console. */
import {
  Client,
  type ClientOptions,
  type LogEntry,
  memoryStore,
  redirectSurface,
  type TokenStore,
} from 'foyer-sdk'
import { afterEach, beforeEach, describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest'
import { ManualClock } from '../support/manual-clock'
import { settle } from '../support/settle'

const GAME = 'https://game.test/play/'
const HOST = 'https://service.test'
const REMEDY = /call client\.resume\(\) when the page starts/

const visit = (url: string): void =>
  (window as Window & { happyDOM?: { setURL(url: string): void } }).happyDOM?.setURL(url)

let clock: ManualClock
let entries: LogEntry[]
let inConsole: MockInstance
beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  clock = new ManualClock()
  entries = []
  inConsole = vi.spyOn(console, 'warn').mockReturnValue(undefined)
})
afterEach(() => void vi.restoreAllMocks())

function open(address: string, options: Partial<ClientOptions> = {}): Client {
  visit(address)
  const client = new Client({
    applicationId: '1',
    service: { host: HOST },
    clock,
    fetch: async () => Response.error(),
    logger: (entry) => entries.push(entry),
    ...options,
  })
  onTestFinished(() => client.close())
  return client
}

/** Begins a sign-in by redirect, and returns the address at which the player comes back. */
async function leave(): Promise<string> {
  const sent = await new Promise<string>((resolve) => {
    const surface = {
      ...redirectSurface(),
      open: (url: string) => new Promise<string>(() => resolve(url)),
    }
    open(GAME)
      .signIn({ surface })
      .catch(() => undefined)
  })
  const { searchParams } = new URL(sent)
  return `${searchParams.get('redirect_uri')}?code=abc&state=${searchParams.get('state')}&iss=${encodeURIComponent(HOST)}`
}

/** Lets the part of the page load that watches, and then its time pass. */
async function pass(ms: number): Promise<void> {
  await settle()
  clock.advance(ms)
  await settle()
}

const untaken = () => entries.filter(({ step }) => step === 'callback.untaken')
const unresumed = () => entries.filter(({ step }) => step === 'session.unresumed')

describe('a response in the address bar', () => {
  it('that nobody takes within 5 s is named once, with what to do', async () => {
    open(await leave())
    await pass(4999)
    expect(untaken()).toEqual([])
    await pass(1)
    await pass(60_000)
    expect(untaken()).toEqual([
      { level: 'warn', step: 'callback.untaken', data: { remedy: expect.stringMatching(REMEDY) } },
    ])
    expect(inConsole).not.toHaveBeenCalled()
  })

  it('is named in the console by a client without a logger', async () => {
    open(await leave(), { logger: undefined })
    await pass(5000)
    expect(inConsole.mock.calls).toEqual([
      ['foyer-sdk: callback.untaken', { remedy: expect.stringMatching(REMEDY) }],
    ])
  })

  it('is told to the developer panel', async () => {
    const told: unknown[] = []
    const listener = (event: Event) => told.push((event as CustomEvent).detail)
    window.addEventListener('foyer:finding', listener)
    onTestFinished(() => window.removeEventListener('foyer:finding', listener))
    open(await leave())
    await pass(5000)
    expect(told).toEqual(untaken())
  })

  it.each<[how: string, act: (back: string) => unknown]>([
    [
      'that resume takes',
      (back) =>
        open(back)
          .resume()
          .catch(() => undefined),
    ],
    [
      'that handleCallback takes',
      (back) =>
        open(back)
          .handleCallback()
          .catch(() => undefined),
    ],
    ['of another client', (back) => open(back, { profile: 'bob' })],
    ['of a client that is closed', (back) => open(back).close()],
    ['of another service', () => open(`${GAME}?code=4/0AX4&state=google-123`)],
    ['that is none', () => open(GAME)],
  ])('%s is not named', async (_, act) => {
    await act(await leave())
    await pass(60_000)
    expect(untaken()).toEqual([])
    expect(inConsole).not.toHaveBeenCalled()
  })
})

const record = (issuer: string) =>
  JSON.stringify({
    v: 1,
    id: 'a'.repeat(43),
    epoch: 0,
    issuer,
    clientId: '1',
    userId: '1287654321098765433',
    asked: ['openid'],
    obtainedAt: 0,
    accessToken: 'abc',
    scopes: ['openid'],
    expiresAt: 9e12,
  })

describe('a session in the store', () => {
  const KEY = `foyer:session:${HOST} 1 default`
  let tokenStore: TokenStore
  let reads: MockInstance
  beforeEach(async () => {
    tokenStore = memoryStore()
    await tokenStore.set(KEY, record(HOST))
    reads = vi.spyOn(tokenStore, 'get')
  })

  it('that nobody has asked for within 5 s is named once, with what to do', async () => {
    open(GAME, { tokenStore })
    await pass(4999)
    expect(reads).not.toHaveBeenCalled()
    await pass(1)
    await pass(60_000)
    expect(unresumed()).toEqual([
      { level: 'warn', step: 'session.unresumed', data: { remedy: expect.stringMatching(REMEDY) } },
    ])
    expect(inConsole).not.toHaveBeenCalled()
  })

  it('is named in the console by a client without a logger', async () => {
    open(GAME, { tokenStore, logger: undefined })
    await pass(5000)
    expect(inConsole.mock.calls).toEqual([
      ['foyer-sdk: session.unresumed', { remedy: expect.stringMatching(REMEDY) }],
    ])
  })

  it.each<[how: string, act: () => unknown]>([
    [
      'that resume restores',
      async () =>
        expect(await open(GAME, { tokenStore }).resume()).toMatchObject({ userId: '1287654321098765433' }),
    ],
    ['of another profile', () => open(GAME, { tokenStore, profile: 'bob' })],
    [
      'of another service',
      () => tokenStore.set(KEY, record('https://other.test')).then(() => open(GAME, { tokenStore })),
    ],
    ['of a client that is closed', () => open(GAME, { tokenStore }).close()],
    ['of a client that does not keep any', () => open(GAME)],
  ])('%s is not named', async (_, act) => {
    await act()
    await pass(60_000)
    expect(unresumed()).toEqual([])
  })
})
