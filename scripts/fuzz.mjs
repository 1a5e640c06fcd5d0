/** Runs the tests on generated command bodies with many more of them than every test run: `npm run fuzz [-- number]`. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [runs = '100000'] = process.argv.slice(2)
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'test/cases/fuzz.test.ts'], {
  env: { ...process.env, FUZZ_RUNS: runs },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
