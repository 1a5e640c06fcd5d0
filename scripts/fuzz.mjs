/** Runs the tests on generated command bodies and schedules with many more of them than every test run: `npm run fuzz [-- bodies [schedules]]`. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [runs = '100000', schedules = '10000'] = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/cases/fuzz.test.ts', 'test/unit/rate-limit/invariants.test.ts'],
  {
    env: { ...process.env, FUZZ_RUNS: runs, FOYER_SCHEDULES: schedules },
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
