/** Compares command validation of the SDK with that of the emulator, which shares no code with it, on generated bodies; `npm run fuzz` compares 100,000. */
import process from 'node:process'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { validateCommand } from 'foyer-sdk/server'
import { commandBody, pathText, problemsOf } from '../support/emulator-internals'
import { anyBody } from '../cases/bodies'

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000)

/** The body as it arrives: parsed JSON. */
function sent(body: unknown): unknown {
  try {
    const text: unknown = JSON.stringify(body)
    return typeof text === 'string' ? JSON.parse(text) : null
  } catch {
    return null
  }
}

/** Where a type is unknown, the emulator checks less than the SDK. */
const isOfType = (path: string) => path.endsWith('type')

const sorted = (paths: readonly string[]) => [...new Set(paths)].toSorted()

test(
  'SDK and emulator accept the same generated commands and report errors at the same paths',
  { timeout: 600_000 },
  () => {
    const application = { embedded: true, integrationTypes: [0, 1], discoverable: false }
    const agree = (body: unknown, scope: 'global' | 'guild', operation: 'create' | 'overwrite') => {
      const arrived = sent(body)
      const schema = commandBody({
        scope,
        operation,
        application: { activities: true, integrationTypes: [0, 1], discoverable: false },
        otherLocales: 'refuse',
      })
      const errors = validateCommand(arrived, { scope, operation, application }).filter(
        ({ level }) => level === 'error',
      )
      const [sdkPaths, emulatorPaths] = [
        sorted(errors.map(({ path }) => path)),
        sorted(problemsOf(schema, arrived).map(({ path }) => pathText(path))),
      ]
      if ([...sdkPaths, ...emulatorPaths].some(isOfType))
        return sdkPaths.length > 0 === emulatorPaths.length > 0
      return sdkPaths.join('\n') === emulatorPaths.join('\n')
    }
    const property = fc.property(
      anyBody,
      fc.constantFrom('global', 'guild'),
      fc.constantFrom('create', 'overwrite'),
      agree,
    )
    expect(fc.check(property, { numRuns: RUNS })).toMatchObject({ failed: false, numRuns: RUNS })
  },
)
