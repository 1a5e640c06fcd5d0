/**
 * Runs the benchmarks on the built SDK and prints ratios to a peer measured in the same run: `npm run bench [-- names…] [--assert]`.
 * With `--assert`, a missed target is a failure.
 */
import { existsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import process from 'node:process'
import { runnerImport } from 'vite'

const BENCHES = [
  'begin-sign-in',
  'client-limits',
  'hostile-accounts',
  'interactions',
  'limiter',
  'loading',
  'lobby-hub',
  'processes',
  'redis-faults',
  'shared-limits',
  'stores',
  'tabs',
  'validate-command',
  'verify-id-token',
]
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = named.filter((name) => !BENCHES.includes(name))
if (unknown.length > 0) throw new Error(`No such bench: ${unknown.join(', ')}. There are: ${BENCHES.join(', ')}.`)
if (!existsSync('dist/index.js')) throw new Error('The SDK is not built: run `npm run build` first.')

console.log(`Node ${process.versions.node}, ${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown make'}`)
const [load] = loadavg()
if (load > availableParallelism()) console.log(`The machine is busy (load ${load.toFixed(1)}): ratios waver.`)
const rows = []
for (const name of named.length > 0 ? named : BENCHES) {
  console.log(`${name} …`)
  const { module } = await runnerImport(`./bench/${name}/index.ts`)
  rows.push(...(await module.bench()))
}
console.log()
print(
  ['bench', 'where', 'ours', 'peer', 'ratio', 'target', ''],
  rows.map((row) => [
    row.bench,
    row.where,
    `${row.ours.toFixed(1)} ${row.unit ?? 'µs'}`,
    `${row.peer.toFixed(1)} ${row.unit ?? 'µs'}`,
    `${row.ratio.toFixed(2)} times`,
    row.target,
    row.passed ? 'pass' : 'FAIL',
  ]),
)
if (process.argv.includes('--assert') && rows.some(({ passed }) => !passed)) process.exitCode = 1

function print(head, body) {
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((row) => row[column].length)))
  for (const row of [head, ...body])
    console.log(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    )
}
