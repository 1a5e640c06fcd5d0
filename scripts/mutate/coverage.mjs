/** Limits the time of tests and skips those after a failed one, or records which mutants each test executes. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeEach, expect, vi } from 'vitest'

const { MUTATE_COVERAGE: folder, MUTATE_TEST_LIMIT: limit } = process.env
if (limit) {
  vi.setConfig({ testTimeout: Number(limit), hookTimeout: Number(limit) })
  // One failed test is enough. Vitest's own `bail` cancels a run when the next one may have begun, which then counts as passed.
  let hasFailed = false
  beforeEach(({ skip, onTestFailed }) => {
    onTestFailed(() => void (hasFailed = true))
    if (hasFailed) skip()
  })
}
if (folder) {
  /** @type {{ currentTestId?: string, mutantCoverage?: { static?: object, perTest?: Record<string, object> } }} */
  const stryker = {}
  Reflect.set(globalThis, '__stryker__', stryker)
  // What runs between two tests belongs to the first of them.
  beforeEach(({ task }) => void (stryker.currentTestId = task.id))
  afterAll(() => {
    const { static: outside = {}, perTest = {} } = stryker.mutantCoverage ?? {}
    const tests = Object.entries(perTest).map(([id, executed]) => ({ id, mutants: Object.keys(executed) }))
    mkdirSync(folder, { recursive: true })
    const report = { file: expect.getState().testPath, outside: Object.keys(outside), tests }
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(report))
  })
}
