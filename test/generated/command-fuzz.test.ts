/** Generated bodies: validation never throws, valid bodies have no error, and two ways of counting agree. `npm run fuzz` generates 100,000. */
import process from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  measureCommand,
  validateCommand,
  validateCommands,
  validatePermissions,
  type Issue,
} from 'foyer-sdk/server'
import { anyBody, validBody } from '../cases/bodies'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000)
const options = { numRuns: RUNS }
const TIMEOUT = 600_000

const errors = (issues: readonly Issue[]) => issues.filter(({ level }) => level === 'error')

test('validation of any value returns issues and never throws', { timeout: TIMEOUT }, () => {
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

test(
  'a body that the interface accepts has no errors except its size or duplicate names',
  { timeout: TIMEOUT },
  () => {
    fc.assert(
      fc.property(validBody, (body) => {
        const codes = errors(validateCommand(body, { scope: 'global', operation: 'create' })).map(
          ({ code }) => code,
        )
        expect(codes.filter((code) => code !== 'name_taken' && code !== 'too_large')).toEqual([])
        const size = countedByHand(body)
        expect(measureCommand(body).total).toBe(size)
        expect(codes.includes('too_large')).toBe(size > 8000)
      }),
      { numRuns: RUNS / 5 },
    )
  },
)

test('a command of more than 8,000 characters is too large, wherever they are and whether its type is explicit or not', () => {
  const property = fc.property(
    fc.integer({ min: 7990, max: 8010 }),
    fc.boolean(),
    fc.constantFrom({}, { type: 1 }),
    (...[size, isTranslated, type]) => {
      const body = { ...ofSize(size, { isTranslated }), ...type }
      expect([countedByHand(body), measureCommand(body).total]).toEqual([size, size])
      const codes = errors(validateCommand(body, { scope: 'global', operation: 'create' })).map(
        ({ code }) => code,
      )
      expect(codes).toEqual(size > 8000 ? ['too_large'] : [])
    },
  )
  fc.assert(property, { numRuns: 200 })
})

type Fields = Readonly<Record<string, unknown>>

/** docs/interface/commands.md#limits, implemented literally: of every part of a slash command the longest name, the longest description, and the value if it is a string. */
function countedByHand(body: unknown): number {
  const { type = 1 } = fieldsOf(body)
  if (type !== 1) return 0
  const parts: Fields[] = []
  const waiting: unknown[] = [body]
  for (const part of waiting) {
    const fields = fieldsOf(part)
    parts.push(fields)
    for (const list of [fields['options'], fields['choices']]) if (Array.isArray(list)) waiting.push(...list)
  }
  const texts = parts.flatMap((part) => [
    [part['name'], ...Object.values(fieldsOf(part['name_localizations']))],
    [part['description'], ...Object.values(fieldsOf(part['description_localizations']))],
    [part['value']],
  ])
  const lengths = texts.map((variants) =>
    variants.map((text) => (typeof text === 'string' ? Array.from(text).length : 0)),
  )
  return lengths.reduce((total, variants) => total + Math.max(...variants), 0)
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {}
}

/** A command of that many characters, in the descriptions of its options or their translations and in the values of their choices. */
function ofSize(size: number, { isTranslated }: { isTranslated: boolean }) {
  const letters = Array.from('abcdefghijklmnopqrst')
  // The name and the description, and of each option its name, its description and the names of four choices.
  let left = size - 2 - letters.length * (1 + 1 + 4)
  const take = (most: number) => {
    const count = Math.min(most, left)
    left -= count
    return count
  }
  const parameters = letters.map((name) => {
    const description = 'd'.repeat(1 + take(99))
    const choices = ['1', '2', '3', '4'].map((choice) => ({ name: choice, value: 'v'.repeat(take(100)) }))
    const texts = isTranslated
      ? { description: 'd', description_localizations: { de: description, fr: 'd' } }
      : { description }
    return { type: 3, name, ...texts, choices }
  })
  return { name: 'a', description: 'x', options: parameters }
}

/** A path without gaps, and a message with all its numbers. */
function isSound({ path, code, message, level }: Issue): boolean {
  const unfilled = /\{(?:expected|allowed|min|max|actual|first|field|type|locale|value|instead)\}/
  const words = message !== '' && !unfilled.test(message)
  // A key may be any string.
  const fields = path.replace(/\['(?:[^'\\]|\\.)*'\]/gs, '')
  return (
    words &&
    !/^\.|\.\.|undefined/.test(fields) &&
    /^[a-z_]+$/.test(code) &&
    (level === 'error' || level === 'warning')
  )
}
