/** Runs the steps of a list, even after one has failed: `node scripts/run-list.mjs merge|proof [names…]`. */
// With `--programs` it prints the Debian packages that the steps need instead.
// Ends with the minutes of each step and `N passed, N failed, N skipped`.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { LISTS } from './lists.mjs'

/**
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], retried: string[] }} Counts Written by
 * `test/support/summary-reporter.ts`.
 */

const COUNTS = '.cache/test-counts.json'
/** Without them no other step can do its work. */
const REQUIRED = new Set(['fast', 'build'])

const { values, positionals } = parseArgs({
  options: { programs: { type: 'boolean' } },
  allowPositionals: true,
})
const selected = selectSteps(positionals)
if (selected === undefined) process.exitCode = 2
else if (values.programs)
  console.log([...new Set(selected.flatMap(([, { programs = [] }]) => programs))].join(' '))
else process.exitCode = report(runAll(selected), selected)

/**
 * Returns undefined, after a message, for a word that is no list or no step of it.
 *
 * @param {string[]} words
 */
function selectSteps([list = '', ...names]) {
  if (list !== 'merge' && list !== 'proof')
    return console.error(`Name a list first: ${Object.keys(LISTS).join(' or ')}.`)
  const unknown = names.filter((name) => !(name in LISTS[list]))
  if (unknown.length > 0)
    return console.error(
      `Not in ${list}: ${unknown.join(', ')}. There are: ${Object.keys(LISTS[list]).join(', ')}.`,
    )
  return Object.entries(LISTS[list]).filter(([name]) => names.length === 0 || names.includes(name))
}

/** @param {[string, import('./lists.mjs').Step][]} steps */
function runAll(steps) {
  const results = []
  for (const [name, { run }] of steps) {
    console.log(`\n== ${name}: ${run}`)
    rmSync(COUNTS, { force: true })
    const begin = performance.now()
    const { status } = spawnSync(run, { shell: true, stdio: 'inherit' })
    const result = {
      name,
      passes: status === 0,
      minutes: (performance.now() - begin) / 60_000,
      counts: readCounts(),
    }
    results.push(result)
    console.log(`== ${name}: ${result.passes ? 'ok' : 'FAILED'}, ${result.minutes.toFixed(1)} min`)
    // A failed test of the first lane stops nothing else.
    if (!result.passes && REQUIRED.has(name) && result.counts.passed === 0) break
  }
  return results
}

/** @returns {Counts} */
function readCounts() {
  if (!existsSync(COUNTS)) return { passed: 0, failed: 0, skipped: 0, failures: [], retried: [] }
  return JSON.parse(readFileSync(COUNTS, 'utf8'))
}

/**
 * Returns the exit code.
 *
 * @param {ReturnType<typeof runAll>} results
 * @param {[string, import('./lists.mjs').Step][]} steps
 */
function report(results, steps) {
  let [passed, failed, skipped] = [0, 0, 0]
  console.log()
  for (const { name, passes, counts } of results) {
    passed += counts.passed
    skipped += counts.skipped
    // A step that fails without a failed test, such as a check, is a failure of its own.
    failed += passes ? counts.failed : Math.max(counts.failed, 1)
    // Once more at the end, where whoever reads only the last lines finds them.
    for (const failure of counts.failures) console.log(`FAILED ${name}: ${failure.slice(0, 600)}`)
    // They count as passed, but each is a test, or a fault, to look at.
    for (const test of counts.retried) console.log(`PASSED AT THE SECOND TRY ${name}: ${test.slice(0, 600)}`)
  }
  console.log('\nminutes')
  for (const { name, passes, minutes } of results)
    console.log(`${minutes.toFixed(1).padStart(7)}  ${name}${passes ? '' : ' FAILED'}`)
  console.log(
    `${results
      .reduce((sum, { minutes }) => sum + minutes, 0)
      .toFixed(1)
      .padStart(7)}  in all`,
  )
  for (const [name] of steps.slice(results.length)) console.log(`         ${name} did not run`)
  console.log(`\n${passed} passed, ${failed} failed, ${skipped} skipped`)
  return failed > 0 || (process.env['CI'] && skipped > 0) || results.length < steps.length ? 1 : 0
}
