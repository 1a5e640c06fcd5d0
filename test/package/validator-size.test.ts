/** Size of command validation alone, for example in the page of an editor. */
import { expect, test } from 'vitest'
import { pack } from '../support/packed-package'
import { measureValidator, table } from './measure-sizes'

test('the validator alone stays within its size budget, with all rules and messages', async () => {
  using packed = pack('.')
  const validator = await measureValidator(packed)
  console.log(`\n${table([validator])}\n`)
  expect(validator.gzip).toBeLessThanOrEqual(validator.budget)
  expect(validator.gzip).toBeGreaterThan(4000)
})
