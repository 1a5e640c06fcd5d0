/** Download sizes stay within their budgets. */
import { expect, test } from 'vitest'
import { pack } from '../support/packed-package'
import { measure, table } from './measure-sizes'

test('sign-in and the classic script stay within their size budgets', async () => {
  using packed = pack('.')
  const measures = await measure(packed)
  console.log(`\n${table(measures)}\n`)
  expect(
    measures
      .filter(({ gzip, budget }) => gzip > budget)
      .map(({ what, gzip, budget }) => `${what}: ${gzip} > ${budget}`),
  ).toEqual([])
})
