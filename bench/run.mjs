/**
 * Runs the benchmarks on the built SDK and prints ratios to a peer measured in the same run: `npm run bench [-- names…] [--assert]`.
 * With `--assert`, a wrong type in `bench` or a missed target is a failure.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, symlinkSync } from 'node:fs'
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
const isAsserted = process.argv.includes('--assert')
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const unknown = named.filter((name) => !BENCHES.includes(name))
if (unknown.length > 0)
  throw new Error(`No such bench: ${unknown.join(', ')}. There are: ${BENCHES.join(', ')}.`)
if (!existsSync('dist/index.js')) throw new Error('The SDK is not built: run `npm run build` first.')
const { module: packages } = await runnerImport('./test/support/install-packages.ts')
const missing = packages.installPackages('bench')
if (missing !== undefined) throw new Error(missing)
// This folder is a package of its own, in which `foyer-sdk` is no longer the package around it.
if (!existsSync('bench/node_modules/foyer-sdk'))
  symlinkSync(process.cwd(), 'bench/node_modules/foyer-sdk', 'junction')
// `npm run check` cannot check these types, since it runs without the packages of this folder.
if (isAsserted && !hasRightTypes()) process.exitCode = 1

console.log(
  `Node ${process.versions.node}, ${availableParallelism()} cores of ${cpus()[0]?.model ?? 'unknown make'}`,
)
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
if (isAsserted && rows.some(({ passed }) => !passed)) process.exitCode = 1

function hasRightTypes() {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript-7/bin/tsc', '-p', 'bench'], {
    stdio: 'inherit',
  })
  return status === 0
}

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
