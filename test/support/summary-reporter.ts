/** Prints the last line of a test run: `N passed, N failed, N skipped`, below the reason of every skip and the tests that needed a second try. */
import { mkdirSync, writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node'

export default class SummaryReporter implements Reporter {
  /** True if only tests of a name run: the others are not wanted, rather than skipped. */
  #isNamed = false

  onInit({ config }: Vitest): void {
    this.#isNamed = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    const failures = errors.map(({ message }) => message)
    const retried: string[] = []
    for (const module of modules) {
      // A file that fails to load has no tests to count, but is a failure.
      if (
        module.state() === 'failed' &&
        [...module.children.allTests()].every((test) => test.result().state !== 'failed')
      ) {
        count.failed++
        failures.push(`${module.relativeModuleId}: ${module.errors()[0]?.message ?? 'failed to load'}`)
      }
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') count.passed++
        else if (result.state === 'failed') count.failed++
        else if (!this.#isNamed) count.skipped++
        if (test.diagnostic()?.flaky)
          retried.push(`${module.relativeModuleId} > ${test.fullName}: ${result.errors?.[0]?.message}`)
        if (result.state === 'failed')
          failures.push(`${module.relativeModuleId} > ${test.fullName}: ${result.errors[0]?.message}`)
        if (result.state === 'skipped' && !this.#isNamed)
          console.log(`skipped: ${test.fullName}: ${result.note ?? skipReason(test)}`)
      }
    }
    mkdirSync('.cache', { recursive: true })
    writeFileSync('.cache/test-counts.json', JSON.stringify({ ...count, failures, retried }))
    if (process.env['CI'] && count.skipped > 0) {
      console.log('A skipped test is a failure on CI.')
      process.exitCode = 1
    }
    for (const test of retried) console.log(`PASSED AT THE SECOND TRY ${test}`)
    console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  }
}

/** The reason of a test, or of the nearest suite around it that has one. */
function skipReason(test: TestCase): string {
  for (let task: TestCase | TestSuite | TestModule = test; task.type !== 'module'; task = task.parent) {
    const { skipReason: reason } = task.meta()
    if (reason !== undefined) return reason
  }
  return 'no reason given'
}
