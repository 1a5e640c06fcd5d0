/** The emulator checks with code of its own. Here both are asked about the same generated bodies, in one process; `npm run fuzz` asks 100,000 times. */
import process from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateCommand } from 'foyer-sdk/server'
import { checkCommand } from '../../emulator/src/commands/check-command.js'
import { pathText, ValidationContext } from '../../emulator/src/api/validation-context.js'
import { anyBody } from './bodies'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000)

/** As it would arrive: JSON, and nothing that JSON cannot hold. */
function sent(body: unknown): unknown {
  try {
    const text: unknown = JSON.stringify(body)
    return typeof text === 'string' ? JSON.parse(text) : null
  } catch {
    return null
  }
}

/** Where the type of something is unknown, the emulator asks no more of it, and the SDK does. */
const isOfType = (path: string) => path.endsWith('type')

const sorted = (paths: readonly string[]) => [...new Set(paths)].toSorted()

test('SDK and emulator accept the same commands, and find fault with the same places', { timeout: 600_000 }, () => {
  const application = { embedded: true, integrationTypes: [0, 1], discoverable: false }
  const agree = (body: unknown, scope: 'global' | 'guild', operation: 'create' | 'overwrite') => {
    const arrived = sent(body)
    const spot = new ValidationContext([], [])
    checkCommand(arrived, spot, { scope, operation, application: { activities: true, integrationTypes: [0, 1], discoverable: false } })
    const errors = validateCommand(arrived, { scope, operation, application }).filter(({ level }) => level === 'error')
    const [ours, theirs] = [sorted(errors.map(({ path }) => path)), sorted(spot.errors.map(({ path }) => pathText(path)))]
    if ([...ours, ...theirs].some(isOfType)) return ours.length > 0 === theirs.length > 0
    return ours.join('\n') === theirs.join('\n')
  }
  const property = fc.property(anyBody, fc.constantFrom('global', 'guild'), fc.constantFrom('create', 'overwrite'), agree)
  expect(fc.check(property, { numRuns: RUNS })).toMatchObject({ failed: false, numRuns: RUNS })
})
