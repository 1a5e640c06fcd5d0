/** The report of a run: a test that passed at its second try is named at the end, with the reason of the first. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const HERE = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const TESTS = `let tries = 0
describe('a service', () => {
  it('answers late', () => expect(tries++, 'tries').toBe(1))
  it('answers at once', () => expect(tries).toBe(2))
  it('never answers', () => expect(tries).toBe(3))
})
`

/** Runs tests in a folder of their own. */
function runTests(retry: number): { lines: string[]; counts: object } {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-second-try-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'service.test.js'), TESTS)
  const vitest = HERE('../../node_modules/vitest/vitest.mjs')
  const args = [
    'run',
    '--globals',
    `--retry=${retry}`,
    `--reporter=${HERE('../support/summary-reporter.ts')}`,
  ]
  const { CI: _, VITEST: __, ...env } = process.env
  const { stdout } = spawnSync(process.execPath, [vitest, ...args], { cwd: folder, env, encoding: 'utf8' })
  return {
    lines: stdout.trim().split('\n'),
    counts: JSON.parse(readFileSync(join(folder, '.cache/test-counts.json'), 'utf8')),
  }
}

test('names a test that passed at its second try, beside those that failed', () => {
  const { lines, counts } = runTests(1)
  const [retried, , count] = lines.slice(-3)
  expect(retried).toMatch(
    /^PASSED AT THE SECOND TRY service\.test\.js > a service > answers late: tries: expected \+0 to be 1/,
  )
  expect(count).toBe('2 passed, 1 failed, 0 skipped')
  expect(counts).toMatchObject({
    failures: [expect.stringMatching(/never answers: expected 2 to be 3/)],
    retried: [expect.stringMatching(/answers late: tries: expected \+0 to be 1/)],
  })
})

test('names none where tests have one try', () => {
  const { lines, counts } = runTests(0)
  expect(lines.join('\n')).not.toContain('SECOND TRY')
  expect(counts).toMatchObject({ failed: 3, retried: [] })
})
