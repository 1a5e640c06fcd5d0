/** Runs the generated tests with many more cases than every test run, and the limiter for longer: `npm run fuzz [-- bodies schedules minutes]`. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [runs = '100000', schedules = '10000', minutes = '60'] = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'generated'],
  {
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
  },
)
process.exitCode = status ?? 1
