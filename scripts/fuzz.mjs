/** Runs the generated tests with many more cases than every test run, and the limiter for longer: `npm run fuzz [-- bodies schedules minutes]`. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const FILES = [
  'test/cases/fuzz.test.ts',
  'test/cases/agreement.test.ts',
  'test/cases/lobby-agreement.test.ts',
  'test/unit/rate-limit/invariants.test.ts',
  'test/unit/rate-limit/soak.test.ts',
  'test/unit/lobby-hub/convergence.test.ts',
  'test/unit/hostile-values.test.ts',
  'test/emulator/hostile-requests.test.ts',
  'test/unit/interactions/visibility-schedules.test.ts',
]
const [runs = '100000', schedules = '10000', minutes = '60'] = process.argv.slice(2)
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...FILES], {
  env: {
    ...process.env,
    FUZZ_RUNS: runs,
    FOYER_SCHEDULES: schedules,
    SCHEDULES: schedules,
    FOYER_SOAK_MINUTES: minutes,
    HOSTILE_CALLS: '20000',
    HOSTILE_REQUESTS: '20000',
  },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
