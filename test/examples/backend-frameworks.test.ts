/** Recipes of docs/backend-frameworks.md with the real frameworks: built for production, in their development servers, and with settings that change addresses. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { lobbyStream } from 'foyer-sdk'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { collectResponses, expectNoRefreshToken } from '../support/backend-session-page'
import { launchChromium } from '../support/chromium'
import { approve, popupAfter } from '../support/consent-page'
import {
  build,
  createProject,
  documentedFiles,
  edit,
  freePort,
  type Mode,
  MODES,
  PAGE,
  expectPlayable,
  routeOf,
  type Project,
  serve,
  skipWithout,
} from '../support/framework-project'
import { pageOfServer } from '../support/page-of-server'

interface Framework {
  /** Heading in docs/backend-frameworks.md. */
  section: string
  /** The package whose version the page names. */
  named: string
  /** Files beside those of the docs: what the framework's own starter has. */
  files: Readonly<Record<string, string>>
  publicFolder?: string
  build: readonly string[]
  start: readonly string[]
  /** Starts the development server. */
  develop?: (port: number) => readonly string[]
}

const NEXT_PROGRAM = 'node_modules/next/dist/bin/next'
const NEXT: Framework = {
  section: 'Next.js',
  named: 'next',
  files: {
    'app/layout.tsx':
      'import type { ReactNode } from \'react\'\nexport default ({ children }: { children: ReactNode }) => <html lang="en"><body>{children}</body></html>\n',
    // The nearest lockfile of the folders above is that of this repository.
    'next.config.mjs':
      "export default { turbopack: { root: import.meta.dirname }, ...JSON.parse(process.env.SETTINGS ?? '{}') }\n",
  },
  publicFolder: 'public',
  build: [NEXT_PROGRAM, 'build'],
  start: [NEXT_PROGRAM, 'start', '--hostname', '127.0.0.1'],
  develop: () => [NEXT_PROGRAM, 'dev', '--hostname', '127.0.0.1'],
}

const VITE_PROGRAM = 'node_modules/vite/bin/vite.js'
const SVELTEKIT: Framework = {
  section: 'SvelteKit',
  named: '@sveltejs/kit',
  files: {
    'src/app.html':
      '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body><div style="display: contents">%sveltekit.body%</div></body></html>\n',
    'svelte.config.js':
      "import adapter from '@sveltejs/adapter-node'\nexport default { kit: { adapter: adapter(), ...JSON.parse(process.env.SETTINGS ?? '{}') } }\n",
    'tsconfig.json': '{ "extends": "./.svelte-kit/tsconfig.json" }\n',
    'vite.config.ts':
      "import { sveltekit } from '@sveltejs/kit/vite'\nimport { foyer } from 'foyer-sdk/vite'\nexport default { plugins: [foyer(), sveltekit()] }\n",
  },
  build: [VITE_PROGRAM, 'build'],
  start: ['build/index.js'],
  develop: (port) => [VITE_PROGRAM, 'dev', '--host', '127.0.0.1', '--strictPort', '--port', String(port)],
}

const NUXT: Framework = {
  section: 'Nuxt',
  named: 'nuxt',
  files: { 'nuxt.config.ts': "export default defineNuxtConfig({ compatibilityDate: '2026-01-01' })\n" },
  publicFolder: 'public',
  build: ['node_modules/nuxt/bin/nuxt.mjs', 'build'],
  start: ['.output/server/index.mjs'],
}

const ASTRO: Framework = {
  section: 'Astro',
  named: 'astro',
  files: {},
  publicFolder: 'public',
  build: ['node_modules/astro/astro.js', 'build'],
  start: ['dist/server/entry.mjs'],
}

const FRAMEWORKS = { next: NEXT, sveltekit: SVELTEKIT, nuxt: NUXT, astro: ASTRO }
type Name = keyof typeof FRAMEWORKS
const NAMES = ['next', 'sveltekit', 'nuxt', 'astro'] as const
const WITH_DEVELOPMENT = ['next', 'sveltekit'] as const

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

const createProjectOf = (name: Name, port: number): Project =>
  createProject({ packages: name, ...FRAMEWORKS[name], emulator, port })

/** The page of the docs: a player signs in, and the next page continues by the cookie. */
async function signInWithPage(origin: string, tokens: Mode): Promise<void> {
  const page = await browser.newPage()
  onTestFinished(() => page.close())
  const readResponses = await collectResponses(page)
  // All render the button on the server: it works once the page's scripts have run.
  await page.goto(origin, { waitUntil: 'networkidle' })
  const greeting = page.getByText('Welcome, Ada Quinn!')
  await approve(await popupAfter(page, 'button'))
  await greeting.waitFor()
  await expectNoRefreshToken(page, readResponses, tokens)
  await page.reload()
  await greeting.waitFor()
}

test.for(NAMES)('%s: a player signs in and out, with both kinds of tokens', async (name, context) => {
  const port = await freePort()
  const { folder, missing } = createProjectOf(name, port)
  skipWithout(missing, context)
  build(folder, FRAMEWORKS[name].build)
  for (const tokens of MODES) {
    const stop = await serve(folder, FRAMEWORKS[name].start, { emulator, port, tokens })
    await expectPlayable(emulator, port, { tokens })
    await signInWithPage(`http://127.0.0.1:${port}`, tokens)
    await stop()
  }
})

test.for(WITH_DEVELOPMENT)('%s: an edit of the route signs nobody out', async (name, context) => {
  const port = await freePort()
  const { folder, missing } = createProjectOf(name, port)
  skipWithout(missing, context)
  const develop = FRAMEWORKS[name].develop?.(port) ?? []
  await serve(folder, develop, { emulator, port, tokens: 'none' })
  await expectPlayable(emulator, port, { tokens: 'none' })
  const page = pageOfServer(emulator, port)
  onTestFinished(() => page.close())
  const { userId } = await page.createClient().signIn()
  const route = routeOf(FRAMEWORKS[name].section)
  // The page gets tokens once the route is that of the edit.
  edit(join(folder, route), (text) => text.replace("process.env.TOKENS as 'none'", "'short'"))
  const resumed = async () => {
    const session = await page.createClient().resume()
    return [session?.userId, page.received.join().includes('emu_access_')]
  }
  await expect.poll(resumed, { timeout: 60_000, interval: 500 }).toEqual([userId, true])
})

test.for(MODES)('sveltekit: its hub shows who joins, with tokens %s', async (tokens, context) => {
  const port = await freePort()
  const { folder, missing } = createProjectOf('sveltekit', port)
  skipWithout(missing, context)
  await serve(folder, SVELTEKIT.develop?.(port) ?? [], { emulator, port, tokens })
  const enter = async (as: string) => {
    const page = pageOfServer(emulator, port)
    onTestFinished(() => page.close())
    const lobbyUpdates = lobbyStream(`http://127.0.0.1:${port}/lobbies`)
    const client = page.createClient({ as, lobbyUpdates })
    await client.signIn()
    return client.createOrJoinLobby(`lobby with a hub and ${tokens}`)
  }
  const lobby = await enter('ada')
  await enter('bruno')
  await expect.poll(() => lobby.members.map(({ username }) => username)).toEqual(['ada', 'bruno'])
})

test.for<[name: Name, settings: object, path: string, ofHandler?: string]>([
  ['next', { trailingSlash: true, skipTrailingSlashRedirect: true }, '/session'],
  ['next', { basePath: '/play' }, '/play/session'],
  ['sveltekit', { paths: { base: '/play' } }, '/play/session', '/play/session'],
])('%s with %o: a player signs in and out', async ([name, settings, path, ofHandler], context) => {
  const port = await freePort()
  const { folder, missing } = createProjectOf(name, port)
  skipWithout(missing, context)
  const route = routeOf(FRAMEWORKS[name].section)
  if (ofHandler !== undefined)
    edit(join(folder, route), (text) => text.replace('origins:', `path: '${ofHandler}',\n    origins:`))
  await serve(folder, FRAMEWORKS[name].develop?.(port) ?? [], {
    emulator,
    port,
    tokens: 'none',
    variables: { SETTINGS: JSON.stringify(settings) },
  })
  await expectPlayable(emulator, port, { tokens: 'none', path })
})

test('next with trailing slashes alone: the page says what to set', async (context) => {
  const port = await freePort()
  const { folder, missing } = createProjectOf('next', port)
  skipWithout(missing, context)
  await serve(folder, NEXT.develop?.(port) ?? [], {
    emulator,
    port,
    tokens: 'none',
    variables: { SETTINGS: JSON.stringify({ trailingSlash: true }) },
  })
  const page = pageOfServer(emulator, port)
  onTestFinished(() => page.close())
  await expect(page.createClient().signIn()).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('skipTrailingSlashRedirect'),
  })
})

test.each(NAMES)('%s: the route of the docs has about ten lines', (name) => {
  const [route] = documentedFiles(FRAMEWORKS[name].section).map(([, text]) => text)
  const lines = String(route)
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('import'))
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.length).toBeLessThan(15)
})

test.each(NAMES)('%s: the docs name the version that is tested', (name) => {
  const { section, named } = FRAMEWORKS[name]
  const { dependencies } = JSON.parse(readFileSync(`test/support/${name}/package.json`, 'utf8'))
  expect(PAGE).toContain(`Tested with ${section} ${dependencies[named]},`)
})
