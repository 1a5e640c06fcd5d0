/** `npm create foyer`: from an empty folder to a signed-in player, with npm, for each answer. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { approve } from '../support/consent-page'
import { launchChromium } from '../support/chromium'
import { type PackageRegistry, startRegistry } from '../support/package-registry'

let browser: Browser
let registry: PackageRegistry
beforeAll(async () => {
  browser = await launchChromium()
  registry = await startRegistry()
})
afterAll(async () => {
  await browser.close()
  await registry.close()
})

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'foyer-create-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Runs a command in a shell, as a person would type it; the returned process is ended with its children. */
function start(command: string, cwd: string) {
  const env = {
    ...process.env,
    npm_config_registry: registry.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_yes: 'true',
    NO_COLOR: '1',
    CI: '',
  }
  const child = spawn(command, { cwd, env, shell: true, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const seen: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => ((output += String(text)), seen.forEach((look) => look())))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => child.once('close', (code) => resolve({ code, output })))
  /** Resolves with the first group of the pattern, once it is printed. */
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => pattern.test(output) && resolve(pattern.exec(output)?.[1] ?? '')
      seen.push(look)
      look()
      void ended.then(({ code }) => reject(new Error(`${command} ended with ${code}:\n${output}`)))
    })
  const stop = () => child.pid !== undefined && child.exitCode === null && process.kill(-child.pid, 'SIGTERM')
  return { ended, printed, stop, output: () => output }
}

async function runToEnd(command: string, cwd: string): Promise<string> {
  const { code, output } = await start(command, cwd).ended
  if (code !== 0) throw new Error(`${command} ended with ${code}:\n${output}`)
  return output
}

/** Time in seconds that a player may wait for a new game, on a machine with a free core. */
const LONGEST = 60

/** Lets the shell print the processor time of the commands before this one. */
const TIMES = process.platform === 'win32' ? '' : ' && times >&2'

/** Adds up the processor time of commands, in seconds: lines of user and system time, of which every second one is that of children. */
function processorTime(outputs: readonly string[]): number {
  const lines = outputs.flatMap((output) =>
    [...output.matchAll(/^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/gm)].filter((_, index) => index % 2 === 1),
  )
  return lines.reduce(
    (sum, [, ...[minutes = 0, seconds = 0, more = 0, others = 0]]) => sum + +minutes * 60 + +seconds + +more * 60 + +others,
    0,
  )
}

async function signIn(page: Page, framework: string, welcome: string): Promise<void> {
  // A canvas has no elements.
  const press = framework === 'phaser' ? () => page.mouse.click(400, 330) : () => page.getByRole('button', { name: 'Sign in' }).click()
  const [popup] = await Promise.all([page.waitForEvent('popup'), press()])
  await approve(popup)
  if (framework === 'phaser') await page.waitForFunction(() => document.title.includes('Ada Quinn'))
  else if (framework === 'four-in-a-row') await page.getByLabel('Word').waitFor()
  else await page.getByRole('status').filter({ hasText: welcome }).waitFor()
}

test.each([
  ['vanilla', '--no-backend'],
  ['react', '--no-backend'],
  ['phaser', '--no-backend'],
  ['four-in-a-row', '--no-backend'],
  ['vanilla', '--backend'],
])('%s %s: two commands, and a player is signed in', async (framework, backend) => {
  const folder = emptyFolder()
  const begin = performance.now()
  const output = await runToEnd(`npm create foyer@latest my-game -- --framework ${framework} ${backend}${TIMES}`, folder)
  const command = /cd my-game && (npm install && npm run dev)/.exec(output)?.[1] ?? ''
  const dev = start(`${command.replace(' &&', `${TIMES} &&`)} -- --port 0`, join(folder, 'my-game'))
  onTestFinished(async () => {
    dev.stop()
    await dev.ended
  })
  const url = await dev.printed(/Local:\s+(http\S+)/)
  const installed = performance.now()
  const context = await browser.newContext()
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  if (framework === 'phaser') await page.waitForFunction(() => document.title === 'Who are you?')
  await signIn(page, framework, `Welcome, Ada Quinn!${backend === '--backend' ? ' The backend counts 1' : ''}`)
  // The backend shows a lobby to verified players only.
  const toStrangers = backend === '--backend' ? (await fetch(new URL('/api/lobbies/1', url))).status : 401
  expect(toStrangers).toBe(401)
  const seconds = (end: number) => (end - begin) / 1000
  const [all, npm, busy] = [seconds(performance.now()), seconds(installed), processorTime([output, dev.output()])]
  const [load = 0] = loadavg()
  console.log(
    `${framework} ${backend}: signed in after ${all.toFixed(1)} s, ${npm.toFixed(1)} of them npm and the start; npm used ${busy.toFixed(1)} s of a processor; load ${load.toFixed(1)}`,
  )
  // Time passes for other work too, so that only a free core can keep the limit.
  expect(busy).toBeLessThan(LONGEST)
  const limit = load < availableParallelism() ? LONGEST : Number.POSITIVE_INFINITY
  expect(all).toBeLessThan(limit)
})

test.each([
  ['My Game', 'vanilla', 'lower-case'],
  ['my-game', 'angular', 'there is no framework'],
  ['../elsewhere', 'vanilla', 'cannot be a folder'],
  ['con', 'vanilla', 'Windows or npm uses the name con itself'],
  ['aux.game', 'vanilla', 'take another'],
  ['game.', 'vanilla', 'take another'],
  ['foyer-sdk', 'vanilla', 'the game uses a package named foyer-sdk'],
  ['phaser', 'phaser', 'the game uses a package named phaser'],
])('refuses the name %j with the framework %s', async (name, framework, reason) => {
  const { code, output } = await start(
    `node ${join(process.cwd(), 'create-foyer/index.js')} ${JSON.stringify(name)} --framework ${framework} --no-backend`,
    emptyFolder(),
  ).ended
  expect(code).toBe(1)
  expect(output).toContain(reason)
})

test('never writes into a folder that is not empty', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'own.txt'), 'mine')
  await runToEnd('mkdir taken && cp own.txt taken', folder)
  const { code, output } = await start(
    `node ${join(process.cwd(), 'create-foyer/index.js')} taken --framework vanilla --no-backend`,
    folder,
  ).ended
  expect(code).toBe(1)
  expect(output).toContain('not empty')
})

test('takes a name that only every object has', async () => {
  const folder = emptyFolder()
  const { code } = await start(`node ${join(process.cwd(), 'create-foyer/index.js')} constructor --framework vanilla --no-backend`, folder)
    .ended
  expect(code).toBe(0)
  expect(JSON.parse(readFileSync(join(folder, 'constructor/package.json'), 'utf8')).name).toBe('constructor')
})

test('names a file that has the name of the game, and leaves it', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'my-game'), 'mine')
  const { code, output } = await start(
    `node ${join(process.cwd(), 'create-foyer/index.js')} my-game --framework vanilla --no-backend`,
    folder,
  ).ended
  expect([code, output.trim()]).toEqual([1, 'create-foyer: there is a file named my-game here: take another name, or move the file'])
  expect(readFileSync(join(folder, 'my-game'), 'utf8')).toBe('mine')
})
