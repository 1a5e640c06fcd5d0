/** Simulates the return of many players to lobby hubs after an outage, in virtual time: `npm run outage [-- players]`. */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const [players = '10000'] = process.argv.slice(2)
const FILE = 'test/generated/return-after-outage.test.ts'
const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', FILE], {
  env: { ...process.env, FOYER_PLAYERS: players, NODE_OPTIONS: '--max-old-space-size=12000' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
