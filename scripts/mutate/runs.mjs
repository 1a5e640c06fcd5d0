/** Runs the tests: once on all mutants switched off, to learn which test files run which mutant, then once for each mutant. */
import { spawn } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { CACHE } from './mutants.mjs'

/** Starting the test runner, on a busy machine. */
const STARTUP_MS = 60_000
const HANGS_AFTER = 5

/** The test files that run each mutant, quick ones first, with the time each file takes. Files that fail without a mutant are left out. */
export async function findCoveringTests(mutants) {
  const coverage = join(CACHE, 'coverage')
  const output = join(CACHE, 'tests.json')
  console.log('Running all tests once, to learn which files run which mutant…')
  await vitest({ args: ['--reporter=json', `--outputFile=${output}`], env: { MUTATE_COVERAGE: coverage } })
  const { testResults } = JSON.parse(await readFile(output, 'utf8'))
  for (const { name } of testResults.filter(({ status }) => status !== 'passed')) console.log(`left out, fails without a mutant: ${name}`)
  const took = new Map(testResults.filter(({ status }) => status === 'passed').map((file) => [file.name, file.endTime - file.startTime]))
  const reports = await Promise.all((await readdir(coverage)).map(async (name) => JSON.parse(await readFile(join(coverage, name), 'utf8'))))
  const known = reports.filter(({ file }) => took.has(file)).sort((a, b) => took.get(a.file) - took.get(b.file))
  console.log(`${known.length} test files.`)
  return new Map(
    mutants.map(({ id }) => [id, known.filter((report) => report.mutants.includes(id)).map(({ file }) => ({ file, ms: took.get(file) }))]),
  )
}

/** Gives each mutant its `outcome`: `failed test` or `timeout` (noticed), `passed` or `not run` (survived). */
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

/** File and line, as editors open them. */
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

/** The exit code of a run, or null when it was ended for taking too long. */
function vitest({ args, env, timeout }) {
  const command = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'scripts/mutate/vitest.config.mjs', ...args]
  // A group of its own, so that a test process that hangs ends with the run.
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
