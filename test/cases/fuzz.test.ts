/** Generated bodies: no check ever throws, valid bodies have no fault, and two ways of counting agree. `npm run fuzz` makes 100,000 of them. */
import process from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { measureCommand, validateCommand, validateCommands, validatePermissions, type Issue } from 'foyer-sdk/server'
import { anyBody, validBody } from './bodies'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000)
const options = { numRuns: RUNS }
const TIMEOUT = 600_000

const errors = (issues: readonly Issue[]) => issues.filter(({ level }) => level === 'error')

test('whatever is checked, issues come back and nothing is thrown', { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(
      anyBody,
      fc.constantFrom('global', 'guild'),
      fc.constantFrom('create', 'edit', 'overwrite'),
      (...[body, scope, operation]) => {
        const issues = [
          ...validateCommand(body, { scope, operation }),
          ...validateCommands(body, { scope }),
          ...validateCommands([body, body], { scope }),
          ...validatePermissions(body),
        ]
        expect(issues.filter((issue) => !isSound(issue))).toEqual([])
        measureCommand(body)
      },
    ),
    options,
  )
})

test('what the interface accepts has no fault but its size or names that are alike', { timeout: TIMEOUT }, () => {
  fc.assert(
    fc.property(validBody, (body) => {
      const codes = errors(validateCommand(body, { scope: 'global', operation: 'create' })).map(({ code }) => code)
      expect(codes.filter((code) => code !== 'name_taken' && code !== 'too_large')).toEqual([])
      expect(codes.includes('too_large')).toBe(measureCommand(body).total > 8000)
    }),
    { numRuns: RUNS / 5 },
  )
})

/** A path without holes, and words in which every figure was filled in. */
function isSound({ path, code, message, level }: Issue): boolean {
  const unfilled = /\{(?:expected|allowed|min|max|actual|first|field|type|locale|value|instead)\}/
  const words = message !== '' && !unfilled.test(message)
  // A key may be anything.
  const fields = path.replace(/\['(?:[^'\\]|\\.)*'\]/gs, '')
  return words && !/^\.|\.\.|undefined/.test(fields) && /^[a-z_]+$/.test(code) && (level === 'error' || level === 'warning')
}
