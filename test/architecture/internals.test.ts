/** Tests and benchmarks name the paths of inner modules in three files only, so that a move of code touches no test. */
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { readSources, ROOT } from './source'

const ENTRY =
  /^(?:emulator\/)?src\/(?:index|core|(?:server|server\/redis|server\/workers|tools\/\w+|desktop\/\w+)(?:\/index)?)(?:\.[jt]s)?$/
const HOMES = [
  'test/support/internals.ts',
  'test/support/electron/internals.ts',
  'test/support/emulator-internals.ts',
]

/** Lists the imports of modules that are no entry, as `file > module`. */
function innerImports(sources: Record<string, string>): string[] {
  return Object.entries(sources).flatMap(([file, text]) =>
    ts
      .preProcessFile(text)
      .importedFiles.filter(({ fileName }) => fileName.startsWith('.'))
      .map(({ fileName }) => relative(ROOT, join(ROOT, dirname(file), fileName)))
      .filter((path) => /^(?:emulator\/)?src\//.test(path) && !ENTRY.test(path))
      .map((path) => `${file} > ${path}`),
  )
}

test('inner modules are imported through the files that export them to tests', () => {
  const sources = { ...readSources('test'), ...readSources('bench') }
  for (const home of HOMES) expect(innerImports({ [home]: sources[home] ?? '' })).not.toEqual([])
  const others = Object.entries(sources).filter(([path]) => !HOMES.includes(path))
  expect(innerImports(Object.fromEntries(others))).toEqual([])
})

test('an import of an inner module is found, one of an entry is not', () => {
  const text = [
    "import { Bucket } from '../../src/shared/rate-limit/bucket'",
    "import type { Clock } from '../../src/shared/foundation/clock.js'",
    "const load = () => import('../../emulator/src/faults/fault-rule')",
    "export { Client } from '../../src/index'",
    "import { redisStore } from '../../src/server/redis/index'",
    "import { playerOf } from '../../src/server'",
    "import { render } from 'kit/panel'",
    'const text = "import { x } from \'../../src/foundation/ids\'"',
  ].join('\n')
  expect(innerImports({ 'test/unit/a.test.ts': text })).toEqual([
    'test/unit/a.test.ts > src/shared/rate-limit/bucket',
    'test/unit/a.test.ts > src/shared/foundation/clock.js',
    'test/unit/a.test.ts > emulator/src/faults/fault-rule',
  ])
})
