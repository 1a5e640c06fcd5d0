/** Runs the tests: once with all mutants inactive, to record which tests execute which mutant, then those tests for each mutant. */
import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { findTestFiles, readCoverage, readReports, storeCoverage } from './coverage-cache.mjs'
import { CACHE } from './mutants.mjs'
import { TestRunner } from './test-runner.mjs'

/** @import { Coverage, Mutant, Selection } from './mutant-types' */
/**
 * A test file, as indexed for a choice of tests. `shares`: fraction of what it executes, by source file.
 *
 * @typedef {object} Indexed
 * @property {string} file
 * @property {number} ms
 * @property {Map<string | undefined, number>} shares
 * @property {Set<string>} outside
 * @property {{ id: string, mutants: Set<string> }[]} tests
 */

/** Time in ms to start a test file. */
const STARTUP_COST = 1000

/**
 * Maps each mutant to the tests that execute it: `{ file, ms, tests }`. First come files that are fast and execute little besides the source
 * file of the mutant: they are likely to be its tests. Files that fail without a mutant are left out. `sources`: source file of each mutant.
 *
 * @param {Mutant[]} mutants
 * @param {Map<string, string>} sources
 */
export async function findCoveringTests(mutants, sources) {
  const known = await readCoverage()
  const changed = (await findTestFiles()).filter(({ name, hash }) => known.get(name)?.hash !== hash)
  if (changed.length > 0) await measureCoverage(changed, known)
  const files = [...known.values()].map((file) => indexed(file, sources))
  console.log(`${files.length} test files.`)
  return new Map(
    mutants.map((mutant) => [
      mutant.id,
      sortBy(files, costOf(mutant.fileName)).flatMap((file) => covering(file, mutant)),
    ]),
  )
}

/**
 * @param {string} source
 * @returns {(file: Indexed) => number}
 */
const costOf = (source) => (file) => (STARTUP_COST + file.ms) / (file.shares.get(source) ?? Number.EPSILON)

/**
 * @param {Coverage} coverage
 * @param {Map<string, string>} sources
 * @returns {Indexed}
 */
function indexed({ file, ms, outside, tests }, sources) {
  const executed = [...new Set([...outside, ...tests.flatMap(({ mutants }) => mutants)])]
  /** @type {Indexed['shares']} */
  const shares = new Map()
  for (const id of executed)
    shares.set(sources.get(id), (shares.get(sources.get(id)) ?? 0) + 1 / executed.length)
  return {
    file,
    ms,
    shares,
    outside: new Set(outside),
    tests: tests.map(({ id, mutants }) => ({ id, mutants: new Set(mutants) })),
  }
}

/**
 * @template Item
 * @param {Item[]} list
 * @param {(item: Item) => number} weigh
 */
function sortBy(list, weigh) {
  return [...list].sort((a, b) => weigh(a) - weigh(b))
}

/**
 * A mutant that runs when its module is loaded may change any test of the file, even if the first one loads the module.
 *
 * @param {Indexed} file
 * @param {Mutant} mutant
 * @returns {Selection[]}
 */
function covering({ file, ms, outside, tests }, { id, isModuleLevel }) {
  if (outside.has(id)) return [{ file, ms }]
  const executing = tests.filter(({ mutants }) => mutants.has(id))
  if (executing.length === 0) return []
  return [isModuleLevel ? { file, ms } : { file, ms, tests: executing.map((test) => test.id) }]
}

/**
 * Runs these test files without a mutant, and stores which mutants each test executes.
 *
 * @param {{ name: string, hash: string }[]} files
 * @param {Map<string, Coverage>} known
 */
async function measureCoverage(files, known) {
  const coverage = join(CACHE, 'coverage')
  const output = join(CACHE, 'tests.json')
  await rm(coverage, { recursive: true, force: true })
  console.log(`Running ${files.length} test files once, to learn which tests run which mutant…`)
  await vitest(['--reporter=json', `--outputFile=${output}`, ...files.map(({ name }) => name)], coverage)
  const { testResults } = JSON.parse(await readFile(output, 'utf8'))
  const reports = new Map((await readReports(coverage)).map((report) => [report.file, report]))
  for (const { name, status, startTime, endTime } of testResults) {
    const hash = files.find((file) => file.name === name)?.hash ?? ''
    const { outside = [], tests = [] } = reports.get(name) ?? {}
    if (status === 'passed') known.set(name, { file: name, hash, ms: endTime - startTime, outside, tests })
    else console.log(`left out, fails without a mutant: ${name}`)
  }
  await storeCoverage(known)
}

/**
 * Sets the `outcome` of each mutant: `failed test` or `timeout` (detected), `passed` or `not run` (survived).
 *
 * @param {{ mutants: Mutant[], tests: Map<string, Selection[]>, cores: number }} options
 */
export async function runMutants({ mutants, tests, cores }) {
  const queue = [...mutants]
  const worker = async () => {
    const runner = new TestRunner()
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      mutant.outcome = await runMutant(runner, mutant, tests.get(mutant.id) ?? [])
      console.log(
        `${mutants.length - queue.length}/${mutants.length} ${mutant.outcome}: ${place(mutant)} ${mutant.mutatorName}`,
      )
    }
    runner.close()
  }
  await Promise.all(Array.from({ length: cores }, worker))
}

/**
 * Formats file and line as editors open them.
 *
 * @param {Mutant} mutant
 */
export function place({ fileName, location }) {
  return `${fileName.slice(process.cwd().length + 1)}:${location.start.line + 1}`
}

/**
 * @param {TestRunner} runner
 * @param {Mutant} mutant
 * @param {Selection[]} selections
 */
async function runMutant(runner, { id }, selections) {
  if (selections.length === 0) return 'not run'
  for (const selection of selections) {
    const outcome = await runner.run(id, selection)
    if (outcome !== 'passed') return outcome
  }
  return 'passed'
}

/**
 * Resolves when the run has ended.
 *
 * @param {string[]} args
 * @param {string} coverage
 */
function vitest(args, coverage) {
  const command = [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--config',
    'scripts/mutate/vitest.config.mjs',
    ...args,
  ]
  const env = { ...process.env, MUTATE_COVERAGE: coverage }
  return new Promise((done) => spawn(process.execPath, command, { env, stdio: 'ignore' }).once('close', done))
}
