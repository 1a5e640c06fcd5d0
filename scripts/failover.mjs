/** Runs the tests of lobby hubs on a failing Redis with the time limit of a quiet machine: `npm run failover [-- ms]`. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [within = '10000'] = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', 'test/flows/redis/lobby-hub'],
  {
    env: { ...process.env, FOYER_HEALED_WITHIN: within },
    stdio: 'inherit',
  },
)
process.exitCode = status ?? 1
