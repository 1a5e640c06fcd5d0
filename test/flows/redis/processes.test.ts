/** Four processes of one application share its limits through a real Redis server, against a service that enforces them. */
import { describe, expect, test } from 'vitest'
import { type Cold, countCold, type CountUse, countTogether, readCold, readTogether } from '../../support/backend-processes'
import { missingRedis } from '../../support/redis-server'

const missing = missingRedis()
// A machine without Redis skips these, with the reason; there must be one where everything is proved.
const isSkipped = missing !== undefined && !process.env['CI']
if (isSkipped) console.warn(`Skipped, no Redis to test with: ${missing}.`)

// `npm run bench -- processes` asks for shares within 2, and for 94 % of what the limit gives; here the machine is shared with other tests.
const SHARES = 4
/** ms. Nobody gives up a request because the machine is slow: who does so sends again, later than its turn. */
const PATIENT = 60_000

describe.skipIf(isSkipped)('four processes of one application', () => {
  test('get fair shares of what the limit gives, and are never refused', async () => {
    const use = await readTogether(300, { kill: false, requestTimeout: PATIENT })
    expect(use.refused).toBe(0)
    expect(use.unfairness).toBeLessThanOrEqual(SHARES)
  })

  test('do so also when one of them dies with a request under way', async () => {
    const use = await readTogether(400, { kill: true, requestTimeout: PATIENT })
    expect(use.refused).toBe(0)
    expect(use.unfairness).toBeLessThanOrEqual(SHARES)
  })

  test('take turns at the metadata of a lobby, so that no change is lost', async () => {
    expect(await countTogether(5)).toBe('20')
  })
})

describe.skipIf(isSkipped)('eight processes that begin together', () => {
  const cases: [string, number, Cold][] = [
    ['without Redis', 300, { redis: 'absent' }],
    ['when a connection to Redis takes 1.5 s', 300, { redis: { opening: 1500 } }],
    ['when Redis is 250 ms away', 300, { redis: { delay: 125 } }],
    ['when Redis dies and is back after 3 s', 900, { redis: {}, kill: { after: 200, back: 3000 } }],
  ]

  test.each(cases)('are refused nothing that the manual excludes, %s', async (_, requests, cold) => {
    const use = await readCold(requests, cold)
    expect(use).toMatchObject({ excluded: 0 })
    expect(use.most).toBeLessThanOrEqual(100)
  })
})

const resolvedOf = ({ ends }: CountUse) => ends.filter(([, end]) => end === 'resolved').map(([name]) => name)

describe.skipIf(isSkipped)('eight processes that change the metadata of one lobby', () => {
  test('lose no change that has resolved when Redis dies and is back after 3 s', async () => {
    const use = await countCold({ redis: 'killed', maxWait: PATIENT })
    expect(use.ends).toHaveLength(80)
    expect(resolvedOf(use).filter((name) => !use.names.includes(name))).toEqual([])
    expect(resolvedOf(use).length).toBeGreaterThan(20)
    expect(use.names).toHaveLength(new Set(use.names).size)
  })

  test('change nothing without Redis, since nobody knows whose turn it is', async () => {
    const { ends, names } = await countCold({ redis: 'absent', maxWait: 3000 })
    expect(new Set(ends.map(([, end]) => end))).toEqual(new Set(['rate_limited']))
    expect(names).toEqual([])
  })
})
