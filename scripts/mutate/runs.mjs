/** Runs the tests: once with all mutants inactive, to record which test files execute which mutant, then once for each mutant. */
import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { STORED, findTestFiles, readCoverage, readReports } from './coverage-cache.mjs'
import { CACHE } from './mutants.mjs'

/** Start-up time of the test runner on a busy machine. */
const STARTUP_MS = 60_000
const HANGS_AFTER = 5

/** Maps each mutant to the test files that execute it, fastest first, with their times. Files that fail without a mutant are left out. */
export async function findCoveringTests(mutants) {
  const known = await readCoverage()
  const changed = (await findTestFiles()).filter(({ name, hash }) => known.get(name)?.hash !== hash)
  if (changed.length > 0) await measureCoverage(changed, known)
  const tests = [...known.values()].sort((a, b) => a.ms - b.ms)
  console.log(`${tests.length} test files.`)
  return new Map(mutants.map(({ id }) => [id, tests.filter((test) => test.mutants.includes(id)).map(({ file, ms }) => ({ file, ms }))]))
}

/** Runs these test files without a mutant, and stores which mutants each executes. */
async function measureCoverage(files, known) {
  const coverage = join(CACHE, 'coverage')
  const output = join(CACHE, 'tests.json')
  await rm(coverage, { recursive: true, force: true })
  console.log(`Running ${files.length} test files once, to learn which of them run which mutant…`)
  await vitest({
    args: ['--reporter=json', `--outputFile=${output}`, ...files.map(({ name }) => name)],
    env: { MUTATE_COVERAGE: coverage },
  })
  const { testResults } = JSON.parse(await readFile(output, 'utf8'))
  const reports = new Map((await readReports(coverage)).map(({ file, mutants }) => [file, mutants]))
  for (const { name, status, startTime, endTime } of testResults) {
    const hash = files.find((file) => file.name === name)?.hash
    if (status === 'passed') known.set(name, { file: name, hash, ms: endTime - startTime, mutants: reports.get(name) ?? [] })
    else console.log(`left out, fails without a mutant: ${name}`)
  }
  await writeFile(STORED, JSON.stringify([...known.values()]))
}

/** Sets the `outcome` of each mutant: `failed test` or `timeout` (detected), `passed` or `not run` (survived). */
export async function runMutants({ mutants, tests, cores }) {
  const queue = [...mutants]
  const worker = async () => {
    for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
      mutant.outcome = await runMutant(mutant, tests.get(mutant.id))
      console.log(`${mutants.length - queue.length}/${mutants.length} ${mutant.outcome}: ${place(mutant)} ${mutant.mutatorName}`)
    }
  }
  await Promise.all(Array.from({ length: cores }, worker))
}

/** Formats file and line as editors open them. */
export function place({ fileName, location }) {
  return `${fileName.slice(process.cwd().length + 1)}:${location.start.line + 1}`
}

async function runMutant({ id }, tests) {
  if (tests.length === 0) return 'not run'
  const files = tests.map(({ file }) => file)
  const timeout = STARTUP_MS + HANGS_AFTER * tests.reduce((sum, { ms }) => sum + ms, 0)
  const env = { __STRYKER_ACTIVE_MUTANT__: id, MUTATE_TESTS: JSON.stringify(files) }
  const code = await vitest({ args: ['--reporter=dot', ...files], env, timeout })
  if (code === null) return 'timeout'
  return code === 0 ? 'passed' : 'failed test'
}

/** Resolves with the exit code of a run, or null if it was killed after its time limit. */
function vitest({ args, env, timeout }) {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutate/vitest.config.mjs', ...args]
  // A separate process group, so that a hanging test process is killed with the run.
  const run = spawn(process.execPath, command, { env: { ...process.env, ...env }, stdio: 'ignore', detached: true })
  const end = () => process.kill(0 - run.pid, 'SIGKILL')
  const interrupt = () => (end(), process.exit(130))
  const timer = timeout && setTimeout(end, timeout)
  process.once('SIGINT', interrupt)
  return new Promise((done) => {
    run.once('close', (code) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupt)
      done(code)
    })
  })
}
