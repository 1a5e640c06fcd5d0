/** Whoever only checks commands, in an editor's page for example, loads little for it. */
import { expect, test } from 'vitest'
import { pack } from '../support/packed-package'
import { measureValidator, table } from './measure'

test('the validator alone fits its budget, with all its rules and words', async () => {
  using packed = pack('.')
  const validator = await measureValidator(packed)
  console.log(`\n${table([validator])}\n`)
  expect(validator.gzip).toBeLessThanOrEqual(validator.budget)
  expect(validator.gzip).toBeGreaterThan(4000)
})
