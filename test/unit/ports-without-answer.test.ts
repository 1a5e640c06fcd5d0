/** Objects and functions of a game that never answer: whoever waits for one gets an answer or a typed error in time, and no timer is left. */
import { runInNewContext } from 'node:vm'
import * as server from 'foyer-sdk/server'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CountingService, passTime, settleWork } from '../support/counting-service'
import { ManualClock } from '../support/manual-clock'
import { HANGING_PORTS } from '../support/ports-that-hang'

const STEP = 250
/** ms in which work ends that nobody waits for, such as the release of a lock. */
const AFTERWARDS = 90_000

/** Without them, calls go on or fail, and their failure is a line in the terminal. That of the others is in the error of the call. */
const STORE = /^(SessionStore|TicketStore|LobbyBroker|PurchaseStore|ReplayStore|RateLimitStore)\b/
/** The call does not come as far, or goes on without: the one that counts is `acquire`. */
const UNHEARD: ReadonlySet<string> = new Set([
  'SessionStore.renew',
  'LobbyBroker.nextVersion',
  'LobbyBroker.putNewest',
  'LobbyBroker.getAll of news',
  'RateLimitStore.settle',
  'RateLimitStore.block',
  'RateLimitStore.countRefusals',
  'RateLimitStore.renew',
  'RateLimitStore.close',
])

const watchConsole = (): string[] => {
  const printed: string[] = []
  const spy = vi
    .spyOn(console, 'warn')
    .mockImplementation((text, data) => void printed.push(`${text} ${JSON.stringify(data)}`))
  onTestFinished(() => spy.mockRestore())
  return printed
}

describe.each(Object.entries(HANGING_PORTS))('attack/290 %s', (name, { call, outcome, within = 3000 }) => {
  it(`that never settles ends in ${String(outcome)} within ${within / 1000} s, and of a store the terminal says so once`, async () => {
    const clock = new ManualClock(Date.now())
    const printed = watchConsole()
    const results: unknown[] = []
    void call(clock).then((found) => results.push(found))
    await settleWork()
    for (let passed = 0; passed < within && results.length === 0; passed += STEP)
      await passTime(clock, STEP, STEP)
    expect(results).toEqual([outcome])
    await passTime(clock, AFTERWARDS, 5000)
    expect(clock.waiting).toBe(0)
    const lines = printed.filter((line) => /^foyer-sdk: store.failed .*timed out/.test(line))
    expect(lines).toHaveLength(STORE.test(name) && !UNHEARD.has(name) ? 1 : 0)
  })
})

describe('attack/290 a store', () => {
  const methods = ['get', 'set', 'delete', 'lock', 'unlock']
  const hanging = (): server.SessionStore =>
    runInNewContext('Object.fromEntries(names.map((name) => [name, () => new Promise(() => {})]))', {
      names: methods,
    })
  it.each([
    ['of another realm, such as a test in a context of its own', hanging],
    ['that is frozen', () => Object.freeze({ ...hanging() })],
    ['without a prototype', () => Object.assign(Object.create(null), hanging())],
  ])('%s has a deadline too', async (_, make) => {
    const clock = new ManualClock(Date.now())
    const handler = server.createSessionHandler({
      applicationId: CountingService.applicationId,
      service: { host: CountingService.host },
      credentials: server.clientSecret('a-secret-of-the-application'),
      origins: ['https://game.example'],
      store: make(),
      clock,
    })
    const results: unknown[] = []
    void handler.end('7').catch((error: unknown) => results.push(error))
    await passTime(clock, 3000)
    expect(results).toMatchObject([{ code: 'timed_out' }])
  })
})
