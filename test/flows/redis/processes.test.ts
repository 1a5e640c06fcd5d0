/** Four processes of one application share its rate limits through a real Redis server, against a service that enforces them. */
import { describe, expect, test } from 'vitest'
import {
  type Cold,
  countCold,
  type CountUse,
  countTogether,
  readCold,
  readTogether,
} from '../../support/backend-processes'
import { loadSharedLimit } from '../../support/shared-limit-load'
import { missingRedis } from '../../support/redis-server'
import { skipIfMissing } from '../../support/skip-if-missing'

const needsRedis = skipIfMissing(missingRedis())

// `npm run bench -- processes` requires shares within 2 and 94 % of the limit; here the machine is shared with other tests.
const SHARES = 4
/** ms. High enough that no request times out on a slow machine: a retry would be sent out of turn. */
const LONG_TIMEOUT = 60_000

describe('four processes of one application', needsRedis, () => {
  test('get fair shares of the limit without a 429', async () => {
    const use = await readTogether(300, { kill: false, requestTimeout: LONG_TIMEOUT })
    expect(use.refused).toBe(0)
    expect(use.unfairness).toBeLessThanOrEqual(SHARES)
  })

  test('get fair shares when one of them dies with a request in flight', async () => {
    const use = await readTogether(400, { kill: true, requestTimeout: LONG_TIMEOUT })
    expect(use.refused).toBe(0)
    expect(use.unfairness).toBeLessThanOrEqual(SHARES)
  })

  test('serialize their changes to the metadata of a lobby, so that none is lost', async () => {
    expect(await countTogether(5)).toBe('20')
  })
})

describe('the cost in Redis', needsRedis, () => {
  test('is at most 15 commands for each request of four processes', async () => {
    const { commands, refused } = await loadSharedLimit({ processes: 4, clients: 1, seconds: 4 })
    expect(refused).toBe(0)
    expect(commands).toBeLessThanOrEqual(15)
  })

  test('is less than a quarter of a core and ten scripts for each request with 128 parties, without a 429', async () => {
    const { redisCore, scripts, refused } = await loadSharedLimit({ processes: 4, clients: 32, seconds: 10 })
    expect(refused).toBe(0)
    expect(redisCore).toBeLessThan(0.25)
    expect(scripts).toBeLessThan(10)
  })
})

describe('eight processes that start at once', needsRedis, () => {
  const cases: [string, number, Cold][] = [
    ['without Redis', 300, { redis: 'absent' }],
    ['when a connection to Redis takes 1.5 s', 300, { redis: { opening: 1500 } }],
    ['with a latency of 250 ms to Redis', 300, { redis: { delay: 125 } }],
    ['when Redis dies and restarts after 3 s', 900, { redis: {}, kill: { after: 200, back: 3000 } }],
  ]

  test.each(cases)('cause no undocumented 429 %s', async (_, requests, coldStart) => {
    const use = await readCold(requests, coldStart)
    expect(use).toMatchObject({ excluded: 0 })
    expect(use.most).toBeLessThanOrEqual(100)
  })
})

const resolvedOf = ({ ends }: CountUse) => ends.filter(([, end]) => end === 'resolved').map(([name]) => name)

describe('eight processes that change the metadata of one lobby', needsRedis, () => {
  test('lose no completed change when Redis dies and restarts after 3 s', async () => {
    const use = await countCold({ redis: 'killed', maxWait: LONG_TIMEOUT })
    expect(use.ends).toHaveLength(80)
    expect(resolvedOf(use).filter((name) => !use.names.includes(name))).toEqual([])
    expect(resolvedOf(use).length).toBeGreaterThan(20)
    expect(use.names).toHaveLength(new Set(use.names).size)
  })

  test('change nothing without Redis, because no lock can be granted', async () => {
    const { ends, names } = await countCold({ redis: 'absent', maxWait: 3000 })
    expect(new Set(ends.map(([, end]) => end))).toEqual(new Set(['rate_limited']))
    expect(names).toEqual([])
  })
})
