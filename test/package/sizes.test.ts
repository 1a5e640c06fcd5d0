/** Download sizes stay within their budgets. */
import { expect, test } from 'vitest'
import { pack } from '../support/packed-package'
import { compareBundlers } from './compare-bundlers'
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

test('no bundler loads much more with the page than another, since each part that loads later is a file', async () => {
  using packed = pack('.')
  const sizes = (await compareBundlers(packed.project)).map(({ atLoad }) => atLoad.gzip)
  expect(Math.max(...sizes)).toBeLessThan(1.3 * Math.min(...sizes))
})
