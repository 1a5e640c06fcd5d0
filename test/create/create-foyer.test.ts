/** `npm create foyer`: from an empty folder to a signed-in player, with npm, for each answer and language. */
import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { axeFaults } from '../browser/demo-page'
import { collectResponses, expectNoRefreshToken } from '../support/backend-session-page'
import { approve } from '../support/consent-page'
import { launchChromium } from '../support/chromium'
import { type PackageRegistry, startRegistry } from '../support/package-registry'
import { skipIfMissing } from '../support/skip-if-missing'

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
  const { VITEST: _, NODE_ENV: __, ...inherited } = process.env
  const env = {
    ...inherited,
    npm_config_registry: registry.url,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_yes: 'true',
    NO_COLOR: '1',
    CI: '',
  }
  const child = spawn(command, { cwd, env, shell: true, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
  let output = ''
  const seen: (() => void)[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => ((output += String(text)), seen.forEach((look) => look())))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
  /** Resolves with the first group of the pattern, once it is printed. */
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => pattern.test(output) && resolve(pattern.exec(output)?.[1] ?? '')
      seen.push(look)
      look()
      void ended.then(({ code }) => reject(new Error(`${command} ended with ${code}:\n${output}`)))
    })
  const type = (text: string) => void child.stdin.write(text)
  const stop = () =>
    child.pid !== undefined &&
    child.exitCode === null &&
    child.signalCode === null &&
    process.kill(-child.pid, 'SIGTERM')
  return { ended, printed, stop, type, output: () => output }
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
    (sum, [, ...[minutes = 0, seconds = 0, more = 0, others = 0]]) =>
      sum + +minutes * 60 + +seconds + +more * 60 + +others,
    0,
  )
}

interface Answers {
  framework: string
  backend: string
}

/** A backend of the templates, by the options that choose it. */
interface Backend {
  /** Text of the page beside the player's name. */
  counts: string
  /** Parts of the page. */
  tokens: 'short' | 'none'
  /** A route for signed-in players. */
  route: string
  /** Serves what was built. */
  command: string
  /** Has the address of what was built. */
  line: RegExp
  /** Printed by a backend that lacks settings. */
  missing: readonly string[]
  /** Whether it prints the redirect URI to register. */
  isToldToRegister: boolean
}

const BACKENDS: Record<string, Backend> = {
  '--backend': {
    counts: 'The backend counts 1',
    tokens: 'short',
    route: '/api/lobbies/1',
    command: 'npm start',
    line: /Backend:\s+(http\S+)/,
    missing: [
      'the switch "Public Client" stays off',
      'VITE_FOYER_HOST',
      'VITE_FOYER_APPLICATION_ID',
      'FOYER_CLIENT_SECRET',
      'FOYER_BOT_TOKEN',
      'FOYER_PUBLIC_KEY',
      'register the redirect URI https://game.example/callback.html',
    ],
    isToldToRegister: true,
  },
  '--backend --host workers': {
    counts: 'Players in the lobby: 1',
    tokens: 'none',
    route: '/lobbies',
    command: 'npm run preview -- --port 0',
    line: /Local:\s+(http\S+)/,
    missing: ['Set VITE_FOYER_HOST, VITE_FOYER_APPLICATION_ID, FOYER_PUBLIC_KEY, FOYER_BOT_TOKEN in .env'],
    isToldToRegister: false,
  },
}

const welcomeOf = (backend: string): string =>
  ['Welcome, Ada Quinn!', BACKENDS[backend]?.counts].filter(Boolean).join(' ')

interface SignedIn {
  page: Page
  /** All that the page has received. */
  readResponses: () => Promise<string>
}

/** Opens the game in a browser of its own, and signs in by the popup. `seen` gets the page before that. */
async function signIn(
  url: string,
  { framework, backend }: Answers,
  seen: (page: Page) => Promise<void> = () => Promise.resolve(),
): Promise<SignedIn> {
  const context = await browser.newContext({ viewport: { width: 800, height: 600 } })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const readResponses = await collectResponses(page)
  await page.goto(url)
  if (framework === 'phaser') await page.waitForFunction(() => document.title === 'Who are you?')
  else await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await seen(page)
  // A canvas has no elements.
  const press =
    framework === 'phaser'
      ? () => page.mouse.click(400, 330)
      : () => page.getByRole('button', { name: 'Sign in' }).click()
  const [popup] = await Promise.all([page.waitForEvent('popup'), press()])
  await approve(popup)
  if (framework === 'phaser') await page.waitForFunction(() => document.title.includes('Ada Quinn'))
  else if (framework === 'four-in-a-row') await page.getByLabel('Word').waitFor()
  else await welcomed(page, welcomeOf(backend))
  return { page, readResponses }
}

/** No violation of axe-core in either theme, also in the window of a phone. */
async function expectAccessible(page: Page): Promise<void> {
  const size = page.viewportSize() ?? { width: 800, height: 600 }
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [360, size.width]) {
      await page.setViewportSize({ ...size, width })
      expect({ colorScheme, width, faults: await axeFaults(page) }).toEqual({
        colorScheme,
        width,
        faults: [],
      })
    }
  }
}

/** Brings a signed-in player into a lobby, where the game has one. */
async function enterLobby(page: Page, { framework, backend }: Answers): Promise<void> {
  if (framework === 'four-in-a-row') {
    await page.getByRole('button', { name: 'New board' }).click()
    await page.getByRole('group', { name: 'Board' }).waitFor()
  } else if (framework !== 'phaser' && backend !== '--backend') {
    const button = page.getByRole('button', { name: 'Join', exact: true })
    if (await button.isVisible()) await button.click()
    await page.getByText(/players .*: 1/i).waitFor()
    await page.getByRole('button', { name: 'Say hello' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Hello!' }).waitFor()
  }
}

const welcomed = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).waitFor()

/** Starts a server of the game, which ends with the test. Resolves with the address that it prints. */
async function serve(command: string, cwd: string, line = /Local:\s+(http\S+)/) {
  const server = start(command, cwd)
  const stop = async () => {
    server.stop()
    await server.ended
  }
  onTestFinished(stop)
  return { url: await server.printed(line), output: server.output, stop }
}

/** The page has no refresh token, and its cookie signs the player in after a reload. */
async function expectSessionOfBackend({ page, readResponses }: SignedIn, backend: string): Promise<void> {
  await expectNoRefreshToken(page, readResponses, BACKENDS[backend]?.tokens)
  await page.reload()
  await welcomed(page, welcomeOf(backend))
}

/** A backend that lacks settings says what is missing, and ends. */
async function expectMissingSettings(game: string, { command, missing }: Backend): Promise<void> {
  writeFileSync(join(game, '.env'), 'ORIGIN=https://game.example\nBOT_TOKEN=x\n')
  const { code, output } = await start(command, game).ended
  expect(code).toBe(1)
  for (const each of missing) expect(output).toContain(each)
  expect(output).toContain('BOT_TOKEN is set, and is not read as FOYER_BOT_TOKEN: set that.')
  // Only what is not set is listed.
  expect(output).not.toContain('address of the game')
  expect(output).not.toContain('    at ')
}

/** Builds a game for the players of an emulator, and serves what was built. */
const PRODUCTION = 'VITE_FOYER_HOST=$FOYER_HOST VITE_FOYER_APPLICATION_ID=$FOYER_APPLICATION_ID npm run build'
function serveBuilt(folder: string, backend?: Backend) {
  const command = backend?.command ?? 'npm run preview -- --port 0'
  const options = backend ? '--seed seed.json --interactions-url http://127.0.0.1:0/interactions ' : ''
  return serve(
    `npx foyer-emulator exec ${options}-- sh -c '${PRODUCTION} && ${command}'`,
    folder,
    backend?.line,
  )
}

/** A player signs in to what was built. */
async function expectBuiltGame(folder: string, answers: Answers): Promise<void> {
  const backend = BACKENDS[answers.backend]
  const { url, output, stop } = await serveBuilt(folder, backend)
  const player = await signIn(url, answers)
  if (backend) await expectSessionOfBackend(player, answers.backend)
  expect(output().includes(`register the redirect URI ${new URL('/callback.html', url).href}`)).toBe(
    backend?.isToldToRegister ?? false,
  )
  await stop()
}

/** Names of all files that end as those of TypeScript do. */
const typescriptFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.tsx?$/.test(name) && !name.includes('node_modules'),
  )

const ROWS = [
  ['vanilla', '--no-backend'],
  ['react', '--no-backend'],
  ['phaser', '--no-backend'],
  ['four-in-a-row', '--no-backend'],
  ...Object.keys(BACKENDS).map((backend) => ['vanilla', backend]),
].map(([framework = '', backend = '']): Answers => ({ framework, backend }))

test.each(ROWS)(
  '$framework $backend: two commands, and a player is signed in; tested, built and served in both languages',
  async (answers) => {
    const { framework, backend } = answers
    const own = BACKENDS[backend]
    const folder = emptyFolder()
    const begin = performance.now()
    const output = await runToEnd(
      `npm create foyer@latest my-game -- --framework ${framework} ${backend}${TIMES}`,
      folder,
    )
    const command = /cd my-game && (npm install && npm run dev)/.exec(output)?.[1] ?? ''
    const game = join(folder, 'my-game')
    const dev = await serve(`${command.replace(' &&', `${TIMES} &&`)} -- --port 0`, game)
    const installed = performance.now()
    const player = await signIn(dev.url, answers)
    const signedIn = performance.now()
    const { page } = await signIn(dev.url, answers, expectAccessible)
    await expectAccessible(page)
    await enterLobby(page, answers)
    await expectAccessible(page)
    if (own) await expectSessionOfBackend(player, backend)
    // The backend shows a lobby to verified players only.
    const toStrangers = own ? (await fetch(new URL(own.route, dev.url))).status : 401
    expect(toStrangers).toBe(401)
    await dev.stop()
    const seconds = (end: number) => (end - begin) / 1000
    const [all, npm, busy] = [seconds(signedIn), seconds(installed), processorTime([output, dev.output()])]
    const [load = 0] = loadavg()
    console.log(
      `${framework} ${backend}: signed in after ${all.toFixed(1)} s, ${npm.toFixed(1)} of them npm and the start; npm used ${busy.toFixed(1)} s of a processor; load ${load.toFixed(1)}`,
    )
    // Time passes for other work too, so that only a free core can keep the limit.
    expect(busy).toBeLessThan(LONGEST)
    const limit = load < availableParallelism() ? LONGEST : Number.POSITIVE_INFINITY
    expect(all).toBeLessThan(limit)

    expect(typescriptFiles(game)).not.toEqual([])
    expect(await runToEnd('npm test', game)).toMatch(/Tests\s+\d passed/)
    await expectBuiltGame(game, answers)
    if (own) await expectMissingSettings(game, own)
    await runToEnd(
      `npm create foyer@latest plain -- --framework ${framework} ${backend} --language javascript`,
      folder,
    )
    const plain = join(folder, 'plain')
    expect([typescriptFiles(plain), existsSync(join(plain, 'README.md'))]).toEqual([[], true])
    symlinkSync(join(game, 'node_modules'), join(plain, 'node_modules'), 'dir')
    expect(await runToEnd('npm test', plain)).toMatch(/Tests\s+\d passed/)
    await expectBuiltGame(plain, answers)
  },
)

const INDEX = join(process.cwd(), 'create-foyer/index.js')

test.each([
  ['"My Game"', 'lower-case'],
  ['my-game --framework angular', 'there is no framework'],
  ['my-game --framework vue', 'Take vanilla, and the code of docs/frameworks.md'],
  ['my-game --framework svelte-ts', 'Take vanilla, and the code of docs/frameworks.md'],
  ['my-game --language cobol', 'there is no language "cobol": typescript, javascript'],
  ['my-game --framework react --backend', 'a backend comes with the framework vanilla only'],
  ['my-game --backend --host lambda', 'there is no host "lambda": node, workers'],
  ['my-game --framework react --host workers', 'a backend comes with the framework vanilla only'],
  ['my-game --no-backend --host workers', 'leave out --no-backend'],
  ['my-game --colour', "Unknown option '--colour': npm create foyer -- --help"],
  ['my-game --framwork react', "Unknown option '--framwork': did you mean --framework?"],
  ['my-game --lang ts', 'did you mean --language?'],
  ['my-game --react', 'did you mean --framework react?'],
  ['my-game --ts', 'did you mean --language typescript?'],
  ['my-game --workers', 'did you mean --host workers?'],
  ['my game', 'a game has one name, and there are 2: my game'],
  ['../elsewhere', 'cannot be a folder'],
  ['Moon', 'cannot be a folder and a package'],
  ['games/Moon', '"Moon" cannot be a folder and a package'],
  ['..', 'cannot be a folder'],
  ['con/moon', 'Windows or npm uses the name con itself'],
  ['con', 'Windows or npm uses the name con itself'],
  ['aux.game', 'take another'],
  ['game.', 'take another'],
  ['foyer-sdk', 'the game uses a package named foyer-sdk'],
  ['phaser --framework phaser', 'the game uses a package named phaser'],
])('create-foyer %s ends in one sentence, and writes nothing', async (given, reason) => {
  const folder = emptyFolder()
  const { code, output } = await start(`node ${INDEX} ${given}`, folder).ended
  expect(output).toContain(reason)
  expect([code, output.trim().split('\n')]).toEqual([1, [expect.stringMatching(/^create-foyer: /)]])
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  ['g --framework React --language ts', 'src/Game.tsx'],
  ['g --template react-js', 'src/Game.jsx'],
  ['g --template VANILLA --language JavaScript', 'src/main.js'],
])('create-foyer %s takes the name as it is meant', async (given, file) => {
  const folder = emptyFolder()
  await runToEnd(`node ${INDEX} ${given} --no-backend`, folder)
  expect(existsSync(join(folder, 'g', file))).toBe(true)
})

/** npm hands settings over to what it runs. The folder has a program of the name, so that nothing is downloaded. */
function folderWithProgram(): string {
  const folder = emptyFolder()
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "name": "here" }')
  symlinkSync(INDEX, join(folder, 'node_modules/.bin/create-foyer'))
  return folder
}

describe('npm create foyer without -- before the options', () => {
  test('a switch is used', async () => {
    const folder = folderWithProgram()
    await runToEnd('npm exec create-foyer moon --backend', folder)
    expect(readdirSync(join(folder, 'moon'))).toContain('backend.js')
  })

  test('a value behind = is used', async () => {
    const folder = folderWithProgram()
    await runToEnd('npm exec create-foyer moon --framework=react', folder)
    expect(readdirSync(join(folder, 'moon/src'))).toContain('Game.tsx')
  })

  test('a value behind a blank is refused with the command that works', async () => {
    const folder = folderWithProgram()
    const { code, output } = await start('npm exec create-foyer moon --framework react', folder).ended
    expect([code, output]).toEqual([
      1,
      expect.stringContaining('Write -- before the options: npm create foyer moon -- --framework react'),
    ])
    expect(readdirSync(folder)).not.toContain('moon')
  })
})

test('a game is a repository, unless it is inside of one', async () => {
  const folder = emptyFolder()
  await runToEnd(`node ${INDEX} moon --framework vanilla --no-backend`, folder)
  expect(readdirSync(join(folder, 'moon'))).toContain('.git')
  await runToEnd(`cd moon && node ${INDEX} inner --framework vanilla --no-backend`, folder)
  expect(readdirSync(join(folder, 'moon/inner'))).not.toContain('.git')
})

test.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0'])('Node %s is refused by its name', async (version) => {
  const old = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`
  const { code, output } = await start(`node --import "${old}" ${INDEX} my-game`, emptyFolder()).ended
  expect([code, output.trim()]).toEqual([
    1,
    `create-foyer: Node ${version} is not supported: install Node 20.19 or newer of version 20, or 22.12 or newer`,
  ])
})

const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script')

const openDialog = (folder: string) => start(`script -qec "node ${INDEX}" /dev/null`, folder)

describe(
  'in a terminal',
  skipIfMissing(hasTerminal ? undefined : 'script of util-linux is not installed'),
  () => {
    test('asks for the language, TypeScript first', async () => {
      const folder = emptyFolder()
      const dialog = openDialog(folder)
      await dialog.printed(/Name of the game: (\(my-game\))/)
      dialog.type('moon\n')
      await dialog.printed(/(Framework:)/)
      dialog.type('\n')
      await dialog.printed(/(Language, typescript or javascript: \(typescript\))/)
      dialog.type('\n')
      await dialog.printed(/(backend)/)
      dialog.type('\n')
      expect((await dialog.ended).code).toBe(0)
      expect(typescriptFiles(join(folder, 'moon'))).toContain('src/main.ts')
    })

    test('asks where a backend runs', async () => {
      const folder = emptyFolder()
      const dialog = openDialog(folder)
      const answers: [RegExp, string][] = [
        [/(Name of the game)/, 'moon'],
        [/(Framework:)/, ''],
        [/(Language)/, 'javascript'],
        [/(With a backend)/, 'y'],
        [/(Where does it run\? node or workers: \(node\))/, 'workers'],
      ]
      for (const [question, answer] of answers) {
        await dialog.printed(question)
        dialog.type(`${answer}\n`)
      }
      expect((await dialog.ended).code).toBe(0)
      const { name } = JSON.parse(readFileSync(join(folder, 'moon/wrangler.json'), 'utf8'))
      expect(name).toBe('moon')
    })

    test('asks again after an answer that cannot be', async () => {
      const folder = emptyFolder()
      const dialog = openDialog(folder)
      await dialog.printed(/(\(my-game\))/)
      dialog.type('My Game\n')
      await dialog.printed(/(cannot be a folder and a package[^]*\(my-game\))/)
      dialog.type('nul\n')
      await dialog.printed(/(Windows or npm uses the name nul itself[^]*\(my-game\))/)
      dialog.type('moon\n')
      await dialog.printed(/(Framework:)/)
      dialog.type('angular\n')
      await dialog.printed(/(there is no framework "angular"[^]*Framework:)/)
      dialog.type('React\n')
      await dialog.printed(/(Language,)/)
      dialog.type('JS\n')
      expect((await dialog.ended).code).toBe(0)
      expect(readdirSync(join(folder, 'moon/src'))).toContain('Game.jsx')
    })

    test.each([
      ['Ctrl-C', '\u0003', 130, 'cancelled, nothing was written'],
      ['Ctrl-D', '\u0004', 130, 'cancelled, nothing was written'],
    ])('%s at a question ends in one sentence', async (...[, typed, expected, reason]) => {
      const folder = emptyFolder()
      const dialog = openDialog(folder)
      await dialog.printed(/(\(my-game\))/)
      dialog.type(typed)
      const { code, output } = await dialog.ended
      expect([code, output.match(/create-foyer: .*/g)]).toEqual([expected, [expect.stringContaining(reason)]])
      expect(output).not.toContain('    at ')
      expect(readdirSync(folder)).toEqual([])
    })
  },
)

test('never writes into a folder that is not empty', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'own.txt'), 'mine')
  await runToEnd('mkdir taken && cp own.txt taken', folder)
  const { code, output } = await start(`node ${INDEX} taken --framework vanilla --no-backend`, folder).ended
  expect(code).toBe(1)
  expect(output).toContain('not empty')
})

test('takes a name that only every object has', async () => {
  const folder = emptyFolder()
  const { code } = await start(`node ${INDEX} constructor --framework vanilla --no-backend`, folder).ended
  expect(code).toBe(0)
  expect(JSON.parse(readFileSync(join(folder, 'constructor/package.json'), 'utf8')).name).toBe('constructor')
})

test('names a file that has the name of the game, and leaves it', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'my-game'), 'mine')
  const { code, output } = await start(`node ${INDEX} my-game --framework vanilla --no-backend`, folder).ended
  expect([code, output.trim()]).toEqual([
    1,
    'create-foyer: there is a file named my-game here: take another name, or move the file',
  ])
  expect(readFileSync(join(folder, 'my-game'), 'utf8')).toBe('mine')
})

test.each([
  {
    given: 'games/moon',
    where: 'games/moon',
    name: 'moon',
    command: 'cd games/moon && npm install && npm run dev',
  },
  { given: '.', where: '', name: 'here', command: '  npm install && npm run dev' },
  { given: './star/', where: 'star', name: 'star', command: 'star/ && npm install && npm run dev' },
])('$given is a path: the game has the name of its last folder', async ({ given, where, name, command }) => {
  const folder = join(emptyFolder(), 'here')
  mkdirSync(folder)
  const output = await runToEnd(`node ${INDEX} ${given} --framework vanilla --no-backend`, folder)
  expect(output).toContain(command)
  expect(JSON.parse(readFileSync(join(folder, where, 'package.json'), 'utf8')).name).toBe(name)
})

test('a new repository is as good as an empty folder', async () => {
  const folder = emptyFolder()
  await runToEnd('mkdir -p moon/.git && touch moon/.git/HEAD', folder)
  await runToEnd(`node ${INDEX} moon --framework vanilla --no-backend`, folder)
  expect(readdirSync(join(folder, 'moon'))).toEqual(
    expect.arrayContaining(['.git', '.gitignore', 'package.json']),
  )
})
