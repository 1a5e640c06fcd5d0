/** Four processes of one application share its limits through a real Redis server, against a service that enforces them. */
import { describe, expect, test } from 'vitest'
import { countTogether, readTogether } from '../../support/backend-processes'
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
