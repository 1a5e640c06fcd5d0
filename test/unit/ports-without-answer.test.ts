/** Objects and functions of a game that never answer: whoever waits for one gets an answer or a typed error in time, and no timer is left. */
import { runInNewContext } from 'node:vm'
import * as server from 'foyer-sdk/server'
import { describe, expect, it } from 'vitest'
import { CountingService, passTime, settleWork } from '../support/counting-service'
import { ManualClock } from '../support/manual-clock'
import { HANGING_PORTS } from '../support/ports-that-hang'

const STEP = 250
/** ms in which work ends that nobody waits for, such as the release of a lock. */
const AFTERWARDS = 90_000

describe.each(Object.entries(HANGING_PORTS))('attack/290 %s', (_, { call, outcome, within = 3000 }) => {
  it(`that never settles ends in ${String(outcome)} within ${within / 1000} s`, async () => {
    const clock = new ManualClock(Date.now())
    const results: unknown[] = []
    void call(clock).then((found) => results.push(found))
    await settleWork()
    for (let passed = 0; passed < within && results.length === 0; passed += STEP)
      await passTime(clock, STEP, STEP)
    expect(results).toEqual([outcome])
    await passTime(clock, AFTERWARDS, 5000)
    expect(clock.waiting).toBe(0)
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
