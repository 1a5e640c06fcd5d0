/** Compiler messages for a wrong command definition: each names the option and the correction. */
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { beforeAll, expect, it } from 'vitest'
import { compileProbe } from '../support/type-probe'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const FILE = `${ROOT}test/types/probe.ts`

const CASES: readonly (readonly [definition: string, says: string, handlers?: string])[] = [
  // Declared elsewhere: without `as const`, or with the general type of a definition.
  ['...loose', 'The definition is not known at compile time: write it in place, or declare it `as const`'],
  ['...wide', 'The definition is not known at compile time: write it in place, or declare it `as const`'],
  [
    `name: 's', description: 'd', options: [{ ...t, name: 'a' }, { ...t, name: 'b', required: true }]`,
    '"b\\" is required, but follows an optional option',
  ],
  [
    `name: 's', description: 'd', options: [{ ...t, name: 'a', choices: [{ name: 'X', value: 1 }] }]`,
    '"a\\" is a STRING option: the values of its choices are strings',
  ],
  [
    `name: 's', description: 'd', options: [{ ...t, name: 'a', requird: true }]`,
    'There is no field \\"requird\\"',
  ],
  [`name: 's', description: 'd', options: [{ ...t, name: 'a', autocomplete: true }]`, "'WithAutocomplete<"],
  [
    `name: 's', description: 'd', options: [{ type: 1, name: 'add', description: 'd' }]`,
    "Property 'add' is missing",
    '{}',
  ],
  [
    `name: 's', type: 4, handler: 2`,
    'SERVICE_LAUNCH_ACTIVITY is configuration only: the service launches the Activity itself',
  ],
]

let messages: string[]

/** One program for all cases: loading the library takes most of the time. */
beforeAll(() => {
  const lines = CASES.map(
    ([definition, , handlers = "() => 'x'"]) => `defineCommand({ ${definition} }, ${handlers})`,
  )
  const text = [
    "import { defineCommand, type GlobalCommandBody } from '../../src/server/index'",
    'declare const wide: GlobalCommandBody',
    "const loose = { name: 's', description: 'd', options: [{ type: 3, name: 'a', description: 'd' }] }",
    "const t = { type: 3, description: 'd' } as const",
    ...lines,
  ].join('\n')
  const { program, source } = compileProbe(FILE, text)
  const found = program.getSemanticDiagnostics(source)
  messages = CASES.map((_, index) =>
    found
      .filter(({ file, start = 0 }) => file?.getLineAndCharacterOfPosition(start).line === index + 4)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
      .join('\n'),
  )
})

it.each(CASES.map(([definition, says], index) => ({ definition, says, index })))(
  'the compiler rejects `$definition` with: $says',
  ({ says, index }) => {
    expect(messages[index]).toContain(says)
  },
)
