/** Objects and functions of a game that never answer: whoever waits for one gets an answer or a typed error in time, and no timer is left. */
import { describe, expect, it } from 'vitest'
import { passTime, settleWork } from '../support/counting-service'
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
