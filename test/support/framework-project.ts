/** A project of a framework with the code of docs/backend-frameworks.md, unchanged but for its addresses, with the real packages. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import process from 'node:process'
import type { Emulator } from 'foyer-emulator'
import { expect, onTestFinished } from 'vitest'
import { findPlayer } from './find-player'
import { installPackages } from './install-packages'
import { listen } from './loopback'
import { pack } from './packed-package'
import { pageOfServer } from './page-of-server'

export const PAGE = readFileSync('docs/backend-frameworks.md', 'utf8')
export const MODES = ['short', 'none'] as const
export type Mode = (typeof MODES)[number]

/** Files of a section: each block begins with a comment that names its own. */
export function documentedFiles(section: string): [path: string, text: string][] {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(/```\w+\n(?:\/\/|<!--) (\S+).*\n([\s\S]*?)```/g)].map(
    ([, path = '', code = '']) => [path, code],
  )
}

/** Path of the file that has the handler: the first of its section. */
export function routeOf(section: string): string {
  const [first] = documentedFiles(section)
  if (!first) throw new Error(`No file is documented for ${section}.`)
  return first[0]
}

export interface ProjectOptions {
  /** Folder of `test/support` with the framework's packages. Default: those of the repository. */
  readonly packages?: string | undefined
  /** Heading in docs/backend-frameworks.md. */
  readonly section: string
  /** Files beside those of the docs: what the framework's own starter has. */
  readonly files?: Readonly<Record<string, string>>
  /** Where the framework takes files from that it serves as they are. Default: none. */
  readonly publicFolder?: string
  readonly emulator: Emulator
  /** Of the server that runs the project. */
  readonly port: number
}

export interface Project {
  readonly folder: string
  /** Reason for which the packages cannot be had. */
  readonly missing?: string
}

/** The mode of the tokens is that of the variable `TOKENS`, so that one build serves both. */
const withMode = (path: string, text: string): string =>
  text.replace(
    /^( *)store: .*,\n/m,
    (line, indent: string) =>
      `${line}${indent}tokens: ${path.startsWith('worker') ? 'env' : 'process.env'}.TOKENS${path.endsWith('.ts') ? " as 'none'" : ''},\n`,
  )

/** Writes a project with the packed SDK and the packages of the framework. */
export function createProject(options: ProjectOptions): Project {
  const { packages, section, files = {}, publicFolder, emulator, port } = options
  const folder = `.cache/backend-frameworks/${packages ?? 'repository'}`
  mkdirSync(folder, { recursive: true })
  if (packages !== undefined) {
    for (const each of ['package.json', 'package-lock.json'])
      cpSync(`test/support/${packages}/${each}`, join(folder, each))
    const missing = installPackages(folder)
    if (missing !== undefined) return { folder, missing }
  }
  const installed = installSdk(folder)
  for (const [path, text] of [...Object.entries(files), ...documentedFiles(section)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(
      join(folder, path),
      withMode(path, text)
        .replaceAll('https://service.example', emulator.url)
        .replaceAll('https://game.example', `http://127.0.0.1:${port}`)
        .replaceAll('game.example', '127.0.0.1')
        .replaceAll('1287654321098765433', emulator.application.id)
        .replaceAll('8080', String(port)),
    )
  }
  if (publicFolder !== undefined)
    cpSync(join(installed, 'dist/callback'), join(folder, publicFolder), { recursive: true })
  return { folder }
}

/** Folders that have the SDK of this run. */
const prepared = new Set<string>()

function installSdk(folder: string): string {
  const installed = join(folder, 'node_modules/foyer-sdk')
  if (prepared.has(folder)) return installed
  using packed = pack('.')
  rmSync(installed, { recursive: true, force: true })
  cpSync(packed.folder, installed, { recursive: true })
  prepared.add(folder)
  return installed
}

const environment = (variables: Record<string, string> = {}) => {
  const { VITEST: _, NODE_ENV: __, TEST: ___, ...inherited } = process.env
  const quiet = { NEXT_TELEMETRY_DISABLED: '1', NUXT_TELEMETRY_DISABLED: '1', ASTRO_TELEMETRY_DISABLED: '1' }
  return { ...inherited, ...quiet, NO_COLOR: '1', ...variables }
}

/** The secret is not there while a framework builds. */
export function build(folder: string, command: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The build ended with ${status}:\n${stdout}${stderr}`)
}

export interface ServeOptions {
  readonly emulator: Emulator
  readonly port: number
  readonly tokens: Mode
  readonly variables?: Readonly<Record<string, string>>
}

/** Runs a server until the test ends, or until the returned function is called. Resolves when it answers. */
export async function serve(
  folder: string,
  command: readonly string[],
  { emulator, port, tokens, variables }: ServeOptions,
): Promise<() => Promise<void>> {
  const env = environment({
    FOYER_CLIENT_SECRET: emulator.application.clientSecret,
    FOYER_BOT_TOKEN: emulator.application.botToken,
    PORT: String(port),
    HOST: '127.0.0.1',
    TOKENS: tokens,
    ...variables,
  })
  // With a group of its own, since development servers have processes of their own.
  const server = spawn(process.execPath, command, { cwd: folder, env, detached: true, stdio: 'pipe' })
  let [output, isRunning] = ['', true]
  const ended = new Promise<void>((resolve) => {
    server.once('close', () => {
      isRunning = false
      resolve()
    })
  })
  const stop = async () => {
    if (isRunning && server.pid !== undefined) process.kill(-server.pid)
    await ended
  }
  onTestFinished(stop)
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text) => {
      output += String(text)
    })
  const answers = async () => {
    if (!isRunning) return `The server has ended:\n${output}`
    return fetch(`http://127.0.0.1:${port}/session/token`, { method: 'POST' }).then(
      () => 'answers',
      () => output,
    )
  }
  await expect.poll(answers, { timeout: 60_000, interval: 100 }).toBe('answers')
  return stop
}

export async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer())
  await close()
  return port
}

/** A player signs in, calls the service, plays in a lobby, comes back and signs out: every method of the handler's routes. */
export async function expectPlayable(
  emulator: Emulator,
  port: number,
  { tokens, path = '/session' }: { tokens: Mode; path?: string | undefined },
): Promise<void> {
  const page = pageOfServer(emulator, port)
  onTestFinished(() => page.close())
  const createClient = () => page.createClient({ backendSession: `http://127.0.0.1:${port}${path}` })
  const client = createClient()
  const { userId } = await client.signIn()
  const { id } = findPlayer(emulator, 'ada')
  expect([userId, (await client.fetchCurrentUser()).id]).toEqual([id, id])
  const lobby = await client.createOrJoinLobby(`lobby of ${port} and ${tokens}`, {
    metadata: { map: 'moon' },
  })
  await lobby.send('Hello!')
  await lobby.leave()
  // All calls went through the backend, or none but those to the session.
  const relayed = page.toGame.filter((line) => line.includes('/session/api/'))
  expect(relayed.length > 0).toBe(tokens === 'none')
  expect(await createClient().resume()).toMatchObject({ userId })
  expect(await client.signOut()).toEqual({ revoked: false })
  expect(await createClient().resume()).toBeNull()
}

/** A test changes a file of the project, as a developer does. */
export function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, 'utf8')
  const changed = change(text)
  if (changed === text) throw new Error(`Nothing was changed in ${path}.`)
  writeFileSync(path, changed)
}

/** Skips a test whose packages cannot be had. On CI it fails. */
export function skipWithout(missing: string | undefined, context: { skip(note: string): void }): void {
  if (missing !== undefined && !process.env['CI']) context.skip(missing)
  expect(missing).toBeUndefined()
}
