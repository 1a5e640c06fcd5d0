/** The code of docs/backend-frameworks.md, unchanged but for its addresses, with the real packages: built for production, and served. */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createEmulator, type Emulator } from 'foyer-emulator'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { collectResponses, expectNoRefreshToken } from '../support/backend-session-page'
import { launchChromium } from '../support/chromium'
import { approve, popupAfter } from '../support/consent-page'
import { installPackages } from '../support/install-packages'
import { listen } from '../support/loopback'
import { pack } from '../support/packed-package'

interface Framework {
  /** Heading in docs/backend-frameworks.md. */
  section: string
  /** Files beside those of the docs: what the framework's own starter has. */
  files: Readonly<Record<string, string>>
  build: readonly string[]
  start: readonly string[]
  /** Printed by the server once it listens. */
  ready: RegExp
}

const NEXT: Framework = {
  section: 'Next.js',
  files: {
    'app/layout.tsx':
      'import type { ReactNode } from \'react\'\nexport default ({ children }: { children: ReactNode }) => <html lang="en"><body>{children}</body></html>\n',
    // The nearest lockfile of the folders above is that of this repository.
    'next.config.mjs': 'export default { turbopack: { root: import.meta.dirname } }\n',
  },
  build: ['node_modules/next/dist/bin/next', 'build'],
  start: ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1'],
  ready: /Ready in/,
}

const SVELTEKIT: Framework = {
  section: 'SvelteKit',
  files: {
    'src/app.html':
      '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body><div style="display: contents">%sveltekit.body%</div></body></html>\n',
    'svelte.config.js':
      "import adapter from '@sveltejs/adapter-node'\nexport default { kit: { adapter: adapter() } }\n",
    'tsconfig.json': '{ "extends": "./.svelte-kit/tsconfig.json" }\n',
    'vite.config.ts':
      "import { sveltekit } from '@sveltejs/kit/vite'\nimport { foyer } from 'foyer-sdk/vite'\nexport default { plugins: [foyer(), sveltekit()] }\n",
  },
  build: ['node_modules/vite/bin/vite.js', 'build'],
  start: ['build/index.js'],
  ready: /Listening on/,
}

const FRAMEWORKS = { next: NEXT, sveltekit: SVELTEKIT }
type Name = keyof typeof FRAMEWORKS
const NAMES = ['next', 'sveltekit'] as const

let browser: Browser
let emulator: Emulator
beforeAll(async () => {
  browser = await launchChromium()
  emulator = await createEmulator({ seed: { application: { publicClient: false } } })
})
afterAll(async () => {
  await browser.close()
  await emulator.close()
})

const PAGE = readFileSync('docs/backend-frameworks.md', 'utf8')

/** Files of a section: each block begins with a comment that names its own. */
function documentedFiles(section: string): [path: string, text: string][] {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`)
  const [own = ''] = text.split('\n## ')
  return [...own.matchAll(/```\w+\n(?:\/\/|<!--) (\S+).*\n([\s\S]*?)```/g)].map(
    ([, path = '', code = '']) => [path, code],
  )
}

/** A project with the packed SDK and the packages of the framework. Returns its folder, or why there is none. */
function createProject(name: Name, origin: string): { folder: string; missing?: string } {
  const folder = `.cache/backend-frameworks/${name}`
  mkdirSync(folder, { recursive: true })
  for (const each of ['package.json', 'package-lock.json'])
    cpSync(`test/support/${name}/${each}`, join(folder, each))
  const missing = installPackages(folder)
  if (missing !== undefined) return { folder, missing }
  using packed = pack('.')
  const installed = join(folder, 'node_modules/foyer-sdk')
  rmSync(installed, { recursive: true, force: true })
  cpSync(packed.folder, installed, { recursive: true })
  const { section, files } = FRAMEWORKS[name]
  for (const [path, text] of [...Object.entries(files), ...documentedFiles(section)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(
      join(folder, path),
      text.replaceAll('https://service.example', emulator.url).replaceAll('https://game.example', origin),
    )
  }
  if (name === 'next') cpSync(join(installed, 'dist/callback'), join(folder, 'public'), { recursive: true })
  return { folder }
}

const environment = (variables: Record<string, string> = {}) => {
  const { VITEST: _, NODE_ENV: __, ...inherited } = process.env
  return { ...inherited, NEXT_TELEMETRY_DISABLED: '1', NO_COLOR: '1', ...variables }
}

/** The secret is not there while a framework builds. */
function build(folder: string, command: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    env: environment(),
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The build ended with ${status}:\n${stdout}${stderr}`)
}

/** Serves what was built until the test ends. */
async function serve(folder: string, { start, ready }: Framework, port: number): Promise<void> {
  const env = environment({
    CLIENT_SECRET: emulator.application.clientSecret,
    PORT: String(port),
    HOST: '127.0.0.1',
  })
  const server = spawn(process.execPath, start, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()))
  onTestFinished(async () => {
    server.kill()
    await ended
  })
  let output = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [server.stdout, server.stderr])
      stream.on('data', (text) => {
        output += String(text)
        if (ready.test(output)) resolve()
      })
    void ended.then(() => reject(new Error(`The server has ended:\n${output}`)))
  })
}

async function freePort(): Promise<number> {
  const { port, close } = await listen(createServer())
  await close()
  return port
}

test.for(NAMES)('%s: a player signs in, and the next page continues by the cookie', async (name, context) => {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const { folder, missing } = createProject(name, origin)
  if (missing !== undefined && !process.env['CI']) context.skip(missing)
  expect(missing).toBeUndefined()
  build(folder, FRAMEWORKS[name].build)
  await serve(folder, FRAMEWORKS[name], port)
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const readResponses = await collectResponses(page)
  // Both render the button on the server: it works once the page's scripts have run.
  await page.goto(origin, { waitUntil: 'networkidle' })
  const greeting = page.getByText('Welcome, Ada Quinn!')
  await approve(await popupAfter(page, 'button'))
  await greeting.waitFor()
  await expectNoRefreshToken(page, readResponses)
  await page.reload()
  await greeting.waitFor()
})

test.each(NAMES)('%s: the route of the docs has about ten lines', (name) => {
  const [route] = documentedFiles(FRAMEWORKS[name].section).map(([, text]) => text)
  const lines = String(route)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('import'))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.length).toBeLessThan(14)
})

test.each(NAMES)('%s: the docs name the version that is tested', (name) => {
  const { dependencies } = JSON.parse(readFileSync(`test/support/${name}/package.json`, 'utf8'))
  expect(PAGE).toContain(
    `Tested with ${FRAMEWORKS[name].section} ${dependencies[name === 'next' ? 'next' : '@sveltejs/kit']},`,
  )
})
