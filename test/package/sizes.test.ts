/** What a game downloads stays within its budget. */
import { expect, test } from 'vitest'
import { pack } from '../support/packed-package'
import { measure, table } from './measure'

test('signing in fits its budget, and so does the classic script', async () => {
  using packed = pack('.')
  const measures = await measure(packed)
  console.log(`\n${table(measures)}\n`)
  expect(measures.filter(({ gzip, budget }) => gzip > budget).map(({ what, gzip, budget }) => `${what}: ${gzip} > ${budget}`)).toEqual([])
})
