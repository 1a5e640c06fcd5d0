/** Records which mutants a test file executes, if the run requests it. */
import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect } from 'vitest'

const folder = process.env.MUTATE_COVERAGE
if (folder) {
  afterAll(() => {
    const { mutantCoverage } = Reflect.get(globalThis, '__stryker__') ?? {}
    mkdirSync(folder, { recursive: true })
    const report = { file: expect.getState().testPath, mutants: Object.keys(mutantCoverage?.static ?? {}) }
    writeFileSync(join(folder, `${randomUUID()}.json`), JSON.stringify(report))
  })
}
