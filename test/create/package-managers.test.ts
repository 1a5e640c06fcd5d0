/** A new game with the other package managers, and inside of a repository with workspaces: installed, tested, built and served. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type PackageRegistry, startRegistry } from '../support/package-registry'

let registry: PackageRegistry
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-managers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts a command of a shell; resolves with all that it prints once the pattern is there, or when it has ended. */
function start(command: string, cwd: string, until?: RegExp): Promise<string> {
  const { VITEST: _, NODE_ENV: __, CI: ___, ...inherited } = process.env
  const settings = {
    npm_config_registry: registry.url,
    npm_config_yes: 'true',
    YARN_NPM_REGISTRY_SERVER: registry.url.replace(/\/$/, ''),
    YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
    YARN_ENABLE_TELEMETRY: '0',
    YARN_ENABLE_IMMUTABLE_INSTALLS: '0',
  }
  const child = spawn(command, {
    cwd,
    shell: true,
    detached: true,
    env: { ...inherited, ...settings, NO_COLOR: '1' },
  })
  onTestFinished(() => void (child.pid && child.exitCode === null && process.kill(-child.pid, 'SIGTERM')))
  let output = ''
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output += String(text)
        if (until?.test(output)) resolve(output)
      })
    child.once('close', (code) =>
      code === 0 && !until ? resolve(output) : reject(new Error(`${command} ended with ${code}:\n${output}`)),
    )
  })
}

const PNPM = 'npx --package pnpm@10.20.0 -- pnpm'
const YARN = 'npx --package @yarnpkg/cli-dist@4.10.3 -- yarn'
const CREATE = `node ${join(process.cwd(), 'create-foyer/index.js')}`

test.each([
  {
    name: 'npm, in a workspace',
    manager: 'npm',
    path: 'packages/moon',
    root: { workspaces: ['packages/*'] },
  },
  { name: 'pnpm', manager: PNPM, path: 'moon', root: undefined },
  { name: "Yarn's Plug'n'Play", manager: YARN, path: 'moon', root: undefined },
])('$name: a new game is installed, tested, built and served', async ({ manager, path, root }) => {
  const folder = emptyFolder()
  if (root)
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'repository', private: true, ...root }),
    )
  const parent = join(folder, path, '..')
  mkdirSync(parent, { recursive: true })
  execFileSync('sh', ['-c', `${CREATE} moon --framework vanilla --no-backend`], { cwd: parent })
  const game = join(folder, path)
  // Yarn looks for the root of a project upwards.
  if (manager === YARN) writeFileSync(join(game, 'yarn.lock'), '')
  await start(`${manager} install`, game)
  expect(await start(`${manager} run test`, game)).toMatch(/Tests\s+1 passed/)
  await start(`${manager} run build`, game)
  const served = await start(
    `${manager} run dev --port 0`.replace('npm run dev', 'npm run dev --'),
    game,
    /Local:\s+http\S+/,
  )
  const [, url = ''] = /Local:\s+(http\S+)/.exec(served) ?? []
  expect(await (await fetch(new URL('/callback.html', url))).text()).toContain('callback.js')
})
