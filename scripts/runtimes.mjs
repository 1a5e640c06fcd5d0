/** Runs the backend parts of the package, and the emulator, in each runtime: `npm run runtimes`, after a build. */
// Installs the runtimes from npm into `.cache/runtimes` (about 900 MB).
// Fails if a result differs from the table in docs/browsers.md.
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import process from 'node:process'

/** @typedef {{ name: string, package: string, path: string, start?: string[] }} Runtime `start`: arguments before the file. */

const HOME = resolve('.cache/runtimes')
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
/** @param {string} version */
const node = (version) => ({
  name: `Node ${version}`,
  package: `node${version.split('.')[0]}@npm:${NODE}@${version}`,
  path: 'bin/node',
})
/** @type {[Runtime, ...Runtime[]]} */
const RUNTIMES = [
  node('20.20.2'),
  node('22.23.3'),
  node('24.21.0'),
  node('26.10.0'),
  { name: 'Bun 1.4.5', package: 'bun@1.4.5', path: 'bin/bun.exe' },
  { name: 'Deno 2.9.6', package: 'deno@2.9.6', path: 'deno', start: ['run', '--allow-all', '--quiet'] },
]
const PARTS = ['server', 'undici', 'redis', 'interactions', 'emulator']

function install() {
  mkdirSync(HOME, { recursive: true })
  writeFileSync(join(HOME, 'package.json'), '{ "private": true }')
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--silent',
    ...RUNTIMES.map((runtime) => runtime.package),
  ]
  execFileSync('npm', args, { cwd: HOME, stdio: 'inherit', shell: process.platform === 'win32' })
}

/**
 * Command and arguments that run a file in the runtime.
 *
 * @param {Runtime} runtime
 * @param {string[]} file
 * @returns {[command: string, args: string[]]}
 */
function commandOf({ package: name, path, start = [] }, file) {
  const folder = join(HOME, 'node_modules', name.slice(0, name.indexOf('@')))
  return [join(folder, path), [...start, ...file]]
}

/**
 * Starts the emulator in a runtime. `settings`: its line of JSON.
 *
 * @param {Runtime} runtime
 */
async function startEmulator(runtime) {
  const [command, args] = commandOf(runtime, [
    resolve('emulator/dist/tools/cli/index.js'),
    'start',
    '--port',
    '0',
    '--json',
    '--limits',
    'off',
  ])
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text) => (errors += text))
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`ended with ${code}: ${errors.trim().split('\n')[0]}`)
  })
  ended.catch(() => undefined)
  let output = ''
  const ready = (async () => {
    for await (const text of child.stdout) {
      output += text
      if (output.includes('\n')) return JSON.parse(output)
    }
    return ended
  })()
  const settings = await Promise.race([ready, ended])
  return { settings, stop: () => child.kill() }
}

/** Starts Redis at a socket. */
async function startRedis() {
  const folder = mkdtempSync(join(HOME, 'redis-'))
  const path = join(folder, 'socket')
  const child = spawn('redis-server', ['--port', '0', '--unixsocket', path, '--save', '', '--dir', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const text of child.stdout) if (String(text).includes('eady to accept connections')) break
  child.stdout.destroy()
  const stop = () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  return { path, stop }
}

/**
 * Uses the backend parts and starts the emulator in one runtime.
 *
 * @param {Runtime} runtime
 * @param {{ settings: object, redis: { path: string } }} services
 */
async function useIn(runtime, { settings, redis }) {
  const work = JSON.stringify({ ...settings, redis: redis.path })
  const [command, args] = commandOf(runtime, [resolve('test/support/runtimes/use-backend.mjs'), work])
  const results = JSON.parse(
    execFileSync(command, args, { encoding: 'utf8', timeout: 120_000 }).trim().split('\n').at(-1) ?? '',
  )
  const emulator = await startEmulator(runtime)
    .then(async ({ settings: own, stop }) => {
      const answer = await fetch(`${own.url}/.well-known/openid-configuration`)
      stop()
      return answer.ok ? 'ok' : `discovery is answered with ${answer.status}`
    })
    .catch((error) => error.message)
  return { ...results, emulator }
}

/** @param {string} line */
const cells = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

/** The expected results by runtime, from the table of the documentation. */
function expectedResults() {
  const lines = readFileSync('docs/browsers.md', 'utf8').split('\n')
  return new Map(
    lines
      .filter((line) => /^\| (?:Node|Bun|Deno) /.test(line))
      .map((line) => [cells(line)[0], cells(line).slice(1)]),
  )
}

install()
const redis = await startRedis()
const { settings, stop } = await startEmulator({ ...RUNTIMES[0] })
const expected = expectedResults()
for (const runtime of RUNTIMES) {
  const results = await useIn(runtime, { settings, redis }).catch((error) => ({ server: error.message }))
  const row = PARTS.map((part) => (results[part] === 'ok' ? 'yes' : 'no'))
  const isExpected = JSON.stringify(row) === JSON.stringify(expected.get(runtime.name))
  console.log(
    `${isExpected ? 'ok    ' : 'FAILED'} ${runtime.name}: ${PARTS.map((part) => `${part} ${results[part]}`).join('; ')}`,
  )
  if (!isExpected) process.exitCode = 1
}
stop()
redis.stop()
