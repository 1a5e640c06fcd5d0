/** `foyer-sdk/vite` with Vite 6, 7 and 8: a sign-in during development, the developer panel, and a build without both. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer as createHttpServer, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createEmulator } from 'foyer-emulator'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { launchChromium } from '../support/chromium'
import type { ViteDevServer } from 'vite'
import { approve, popupAfter } from '../support/consent-page'
import { createViteProject, loadVite, type ViteProject, type ViteVersion } from '../support/vite-project'

/** A game that signs in by redirect. */
const RETURNING_GAME = `import { Client, redirectSurface } from 'foyer-sdk'
const { VITE_FOYER_HOST: host, VITE_FOYER_APPLICATION_ID: applicationId } = import.meta.env
const client = new Client({ applicationId, service: { host }, surface: redirectSurface() })
const show = (text) => { document.querySelector('#outcome').textContent = text }
document.querySelector('#sign-in').onclick = () => client.signIn().catch(({ code }) => show(code))
await client.resume().then((session) => show(session?.userId ?? ''), ({ code }) => show(code))
`

const VERSIONS = [6, 7, 8] as ViteVersion[]
const ADA = '175928847299117063'

let browser: Browser
beforeAll(async () => {
  browser = await launchChromium()
})
afterAll(() => browser.close())

function createProject(config?: string): ViteProject {
  const project = createViteProject(config)
  onTestFinished(() => project[Symbol.dispose]())
  return project
}

/** Starts `vite dev`; resolves with the address that it would print. `onLine` receives what else it prints. */
async function startServer(
  version: ViteVersion,
  { root }: ViteProject,
  { port = 0, onLine }: { port?: number; onLine?: (line: string) => void } = {},
): Promise<string> {
  const { resolvedUrls } = await startRestartable(version, { root, port, onLine })
  return resolvedUrls?.local[0] ?? ''
}

async function startRestartable(
  version: ViteVersion,
  { root, port = 0, onLine }: { root: string; port?: number; onLine?: ((line: string) => void) | undefined },
): Promise<ViteDevServer> {
  const vite = await loadVite(version)
  const customLogger = vite.createLogger('silent')
  if (onLine) customLogger.info = onLine
  const server = await vite.createServer({ root, customLogger, server: port === 0 ? {} : { port } })
  onTestFinished(() => server.close())
  await server.listen(port)
  return server
}

async function open(url: string): Promise<Page> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  onTestFinished(() => context.close())
  const page = await context.newPage()
  await page.goto(url)
  return page
}

async function signIn(page: Page): Promise<string | null> {
  await approve(await popupAfter(page, '#sign-in'))
  await page.locator('#outcome', { hasText: /./ }).waitFor()
  return page.locator('#outcome').textContent()
}

/** A key and its certificate, in one text. */
const createCertificate = () =>
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', '-', '-subj', '/CN=localhost', '-days', '1'],
    {
      stdio: 'pipe',
    },
  ).toString()

describe.each(VERSIONS)('Vite %i, vite dev', (version) => {
  test('signs a player in under a base path, with no file copied and no value written down', async () => {
    const page = await open(await startServer(version, createProject("base: '/game/'")))
    expect(new URL(page.url()).pathname).toBe('/game/')
    expect(await signIn(page)).toBe(ADA)
  })

  test.each(['/', '/game/', '/games/moon/'])(
    'registers the page that a sign-in by redirect returns to under the base %s',
    async (base) => {
      const project = createProject(`base: '${base}'`)
      project.write('main.js', RETURNING_GAME)
      const page = await open(await startServer(version, project))
      await page.click('#sign-in')
      await approve(page)
      await page.locator('#outcome', { hasText: ADA }).waitFor()
      expect(new URL(page.url()).pathname).toBe(base)
    },
  )

  test('shows a panel whose fault the next call meets, with the refusal', async () => {
    const page = await open(await startServer(version, createProject()))
    await signIn(page)
    await page.locator('foyer-panel #toggle').click()
    await page.getByRole('button', { name: 'Revoke tokens' }).click()
    await page.click('#user')
    await page
      .locator('#outcome', { hasText: /signed_out|session_expired|refresh_rejected|unauthorized/ })
      .waitFor()
    await page
      .locator('foyer-panel')
      .getByText(/401 GET \/api\/v10/)
      .first()
      .waitFor()
    expect(await page.locator('foyer-panel').getByText('Application 1287654321098765433').count()).toBe(1)
  })

  test('keeps the emulator and one panel when a module is replaced', async () => {
    const project = createProject()
    const page = await open(await startServer(version, project))
    await signIn(page)
    project.write(
      'main.js',
      `${readFileSync(join(project.root, 'main.js'), 'utf8')}\ndocument.title = 'Edited'\n`,
    )
    await page.waitForFunction(() => document.title === 'Edited')
    expect(await signIn(page)).toBe(ADA)
    expect(await page.locator('foyer-panel').count()).toBe(1)
  })

  test('uses an emulator that runs already, and starts none', async () => {
    const emulator = await createEmulator()
    onTestFinished(() => emulator.close())
    vi.stubEnv('FOYER_HOST', emulator.url)
    vi.stubEnv('FOYER_APPLICATION_ID', emulator.application.id)
    onTestFinished(() => void vi.unstubAllEnvs())
    const page = await open(await startServer(version, createProject()))
    expect(await signIn(page)).toBe(ADA)
    expect(
      emulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/oauth2/token')),
    ).toHaveLength(1)
    // The panel controls only an emulator that the plugin has started.
    expect(await page.locator('foyer-panel').count()).toBe(0)
  })

  test('registers the callback page of a server with HTTPS', async () => {
    const pem = JSON.stringify(createCertificate())
    const config = `server: { https: { key: ${pem}, cert: ${pem} }, port: 5391 }`
    const url = await startServer(version, createProject(config), { port: 5391 })
    const page = await open(url.replace('localhost', 'game.localhost'))
    expect(page.url()).toContain('https://')
    expect(await signIn(page)).toBe(ADA)
  })
})

const config = (emulator: string, rest = '') =>
  `import { foyer } from 'foyer-sdk/vite'\nexport default { plugins: [foyer({ emulator: ${emulator} })], ${rest} }\n`

/** A port that is free now: a restarted server keeps a given one, but not "any". */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** A project whose game keeps its session, since a restarted server reloads the page. */
function createReturningProject(): ViteProject {
  const project = createProject()
  const game = readFileSync(join(project.root, 'main.js'), 'utf8')
  const kept = game
    .replace('import { Client }', 'import { Client, indexedDbStore }')
    .replace('new Client({', 'new Client({ tokenStore: indexedDbStore(),')
  project.write(
    'main.js',
    `${kept}\nawait client.resume().then((session) => show(session ? 'back ' + session.userId : 'nobody'))\n`,
  )
  return project
}

/** Asserts that the player is signed in after a reload, and that the service still knows the tokens. */
async function expectReturn(page: Page): Promise<void> {
  // Vite reloads the page of a restarted server by itself, which aborts a reload that is under way.
  const reload = () =>
    page.reload().then(
      () => 'reloaded',
      (error: Error) => error.message,
    )
  await expect.poll(reload).toBe('reloaded')
  await page.locator('#outcome', { hasText: `back ${ADA}` }).waitFor()
  await page.click('#user')
  await page.locator('#outcome', { hasText: 'ada' }).waitFor()
}

/** Reads which service the page of a dev server signs in at. */
async function hostInPage({ resolvedUrls }: ViteDevServer): Promise<string> {
  const script = await (await fetch(`${resolvedUrls?.local[0] ?? ''}main.js`)).text()
  return /http:\/\/127\.0\.0\.1:\d+/.exec(script)?.[0] ?? ''
}

const isServed = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

describe.each(VERSIONS)('Vite %i, a dev server that restarts', (version) => {
  test.each([
    ['in memory', '{ port: 0 }'],
    ['with a state file', "{ port: 0, state: 'players.sqlite' }"],
  ])('keeps one emulator, its address and its players through 20 restarts, %s', async (_, settings) => {
    const project = createReturningProject()
    const write = (rest: string) =>
      project.write(
        'vite.config.js',
        config(settings.replace('players', join(project.root, 'players')), rest),
      )
    write('')
    const server = await startRestartable(version, { root: project.root, port: await findFreePort() })
    const host = await hostInPage(server)
    const page = await open(server.resolvedUrls?.local[0] ?? '')
    await approve(await popupAfter(page, '#sign-in'))
    await page.locator('#outcome', { hasText: ADA }).waitFor()
    for (let restart = 1; restart <= 20; restart += 1) {
      write(`define: { RESTART: ${restart} }`)
      await server.restart()
      expect(await hostInPage(server)).toBe(host)
    }
    await expectReturn(page)
    await server.close()
    expect(await isServed(host)).toBe(false)
  })

  test('replaces the emulator when its settings change, on the same port and with its players', async () => {
    const project = createReturningProject()
    const server = await startRestartable(version, { root: project.root, port: await findFreePort() })
    const host = await hostInPage(server)
    const page = await open(server.resolvedUrls?.local[0] ?? '')
    await approve(await popupAfter(page, '#sign-in'))
    await page.locator('#outcome', { hasText: ADA }).waitFor()
    project.write('vite.config.js', config("{ port: 0, limits: 'off' }"))
    await server.restart()
    expect(await hostInPage(server)).toBe(host)
    await expectReturn(page)
  })
})

test('beside another emulator it starts one on a free port, and says how to share the other', async () => {
  const other = await createEmulator()
  onTestFinished(() => other.close())
  const project = createProject()
  const port = Number(new URL(other.url).port)
  project.write(
    'vite.config.js',
    `import { foyer } from 'foyer-sdk/vite'\nexport default { plugins: [foyer({ emulator: { port: ${port} } })] }\n`,
  )
  const lines: string[] = []
  const page = await open(await startServer(8, project, { onLine: (line) => lines.push(line) }))
  expect(lines.join('\n')).toContain(
    `since another program has port ${port}. If that is an emulator to share, set FOYER_HOST`,
  )
  await signIn(page)
  expect(other.requests).toEqual([])
})

test('prints the address of the host page for a game that is an Activity', async () => {
  const project = createProject()
  project.write('vite.config.js', config("{ port: 0, activityUrl: 'http://127.0.0.1:9/' }"))
  const lines: string[] = []
  await startServer(8, project, { onLine: (line) => lines.push(line) })
  expect(lines.join('\n')).toMatch(/Activity: http:\/\/localhost:\d+\/_activity\//)
})

test('says that an address in a .env file is for builds', async () => {
  const project = createProject()
  project.write('.env.local', 'VITE_FOYER_HOST=https://service.example\n')
  const lines: string[] = []
  await startServer(8, project, { onLine: (line) => lines.push(line) })
  expect(lines.join('\n')).toContain('VITE_FOYER_HOST of the .env files is for builds')
})

test('does not start with the address of a service under the name of before', async () => {
  vi.stubEnv('FOYER_URL', 'http://127.0.0.1:4320')
  vi.stubEnv('FOYER_HOST', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(startServer(8, createProject())).rejects.toThrow('FOYER_URL is set, and not read')
})

test('does not start with the address of a service alone', async () => {
  vi.stubEnv('FOYER_HOST', 'http://127.0.0.1:4320')
  vi.stubEnv('FOYER_APPLICATION_ID', undefined)
  onTestFinished(() => void vi.unstubAllEnvs())
  await expect(startServer(8, createProject())).rejects.toThrow(
    'FOYER_HOST is set, and FOYER_APPLICATION_ID is not: set both, or none',
  )
})

test('mappings of the Activity reach the emulator', async () => {
  const scores = createHttpServer(({ url }, response) => response.end(url)).listen(0, '127.0.0.1')
  onTestFinished(() => void scores.close())
  await once(scores, 'listening')
  const address = scores.address()
  const target = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  const settings = {
    port: 0,
    activityUrl: 'http://127.0.0.1:9/',
    activityMappings: [{ prefix: '/api', target }],
  }
  const project = createProject()
  project.write('vite.config.js', config(JSON.stringify(settings)))
  const host = await hostInPage(await startRestartable(8, project))
  const page = /http:\/\/localhost:\d+\/_activity\//.exec(await (await fetch(host)).text())?.[0]
  const fetched = await fetch(new URL('/.proxy/api/scores', page))
  expect(await fetched.text()).toBe('/scores')
})

test('the endpoint of the panel refuses other sites', async () => {
  const url = await startServer(8, createProject())
  const refused = await Promise.all([
    fetch(`${url}@foyer/state`),
    fetch(`${url}@foyer/state?do=revoke`, {
      method: 'POST',
      headers: { 'x-foyer-panel': '1', 'sec-fetch-site': 'cross-site' },
    }),
  ])
  expect(refused.map(({ status }) => status)).toEqual([403, 403])
  expect((await fetch(`${url}@foyer/state`, { headers: { 'x-foyer-panel': '1' } })).status).toBe(200)
})

describe.each(VERSIONS)('Vite %i, a dev server that the network can reach', (version) => {
  test('shows the panel to this machine only, by its own name', async () => {
    const project = createProject()
    project.write(
      'vite.config.js',
      `import { foyer } from 'foyer-sdk/vite'
export default { plugins: [foyer({ emulator: { port: 0 } })], server: { host: true, allowedHosts: true } }\n`,
    )
    const { resolvedUrls } = await startRestartable(version, project)
    const { port } = new URL(resolvedUrls?.local[0] ?? '')
    const own = `http://127.0.0.1:${port}/`
    const network = resolvedUrls?.network ?? []
    expect(network).not.toEqual([])
    expect(await statusOf(own, 'POST')).toBe(200)
    for (const url of network) expect([url, await statusOf(url, 'POST')]).toEqual([url, 403])
    for (const host of [
      'evil.test',
      '127.0.0.1.evil.test',
      'localhost.evil.test',
      `127.0.0.1:${port}.evil.test`,
    ])
      expect([host, await statusOf(own, 'POST', host)]).toEqual([host, 403])
  })
})

/** Status of the panel's endpoint for a request that revokes the sign-ins, with another Host header if there is one. */
function statusOf(url: string, method: string, host = new URL(url).host): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { host, 'x-foyer-panel': '1' }
    const sent = request(`${url}@foyer/state?do=revoke`, { method, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}

describe.each(VERSIONS)('Vite %i, vite build', (version) => {
  async function build(project: ViteProject): Promise<{ files: Record<string, string>; warnings: string[] }> {
    const { build: run, createLogger } = await loadVite(version)
    const warnings: string[] = []
    const logger = createLogger('silent')
    logger.warn = (text) => void warnings.push(text)
    await run({ root: project.root, customLogger: logger })
    const dist = join(project.root, 'dist')
    const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.\w+$/.test(name),
    )
    return {
      files: Object.fromEntries(names.map((name) => [name, readFileSync(join(dist, name), 'utf8')])),
      warnings,
    }
  }

  test('of a page with the code of a backend ends, and names the file; code that is left out is none', async () => {
    const project = createProject()
    project.write(
      'main.js',
      "import { botToken } from 'foyer-sdk/server'\nconsole.log(botToken(String(location)))\n",
    )
    await expect(build(project)).rejects.toThrow('main.js brings foyer-sdk/server into the page')
    project.write(
      'main.js',
      "import { botToken } from 'foyer-sdk/server'\nif (import.meta.env.SSR) botToken('x')\n",
    )
    expect(Object.keys((await build(project)).files)).toContain('index.html')
  })

  test('of a bundler without environments, such as that of Vite 5, refuses the code of a backend too', async () => {
    const project = createProject()
    project.write(
      'vite.config.js',
      `import { foyer } from 'foyer-sdk/vite'
const without = (context) => new Proxy(context, {
  has: (target, key) => key !== 'environment' && key in target,
  get: (target, key) => {
    const value = key === 'environment' ? undefined : target[key]
    return typeof value === 'function' ? value.bind(target) : value
  },
})
const withoutEnvironments = (plugin) => plugin.generateBundle
  ? { ...plugin, generateBundle(...given) { return plugin.generateBundle.apply(without(this), given) } }
  : plugin
export default { plugins: foyer({ emulator: { port: 0 } }).map(withoutEnvironments) }
`,
    )
    project.write(
      'main.js',
      "import { botToken } from 'foyer-sdk/server'\nconsole.log(botToken(String(location)))\n",
    )
    await expect(build(project)).rejects.toThrow('main.js brings foyer-sdk/server into the page')
    project.write('main.js', 'console.log(1)\n')
    expect(Object.keys((await build(project)).files)).toContain('index.html')
  })

  test.each([
    ['port: 4321', 'write foyer({ emulator: { port } })'],
    ['pannel: false', 'the options are emulator, panel, brand'],
    ["emulator: { seed: 'nowhere.json' }", 'nowhere.json cannot be read: ENOENT'],
  ])('and vite dev refuse %s with what to write', async (options, says) => {
    const project = createProject()
    project.write(
      'vite.config.js',
      `import { foyer } from 'foyer-sdk/vite'\nexport default { plugins: [foyer({ ${options} })] }\n`,
    )
    await expect(startServer(version, project)).rejects.toThrow(says)
  })

  test('and vite dev refuse the plugin without its call', async () => {
    const project = createProject()
    project.write(
      'vite.config.js',
      "import { foyer } from 'foyer-sdk/vite'\nexport default { plugins: [foyer] }\n",
    )
    const says = 'foyer is a function: write plugins: [foyer()]'
    await expect(startServer(version, project)).rejects.toThrow(says)
    await expect(build(project)).rejects.toThrow(says)
  })

  test('adds the callback files of the installed SDK, and nothing of panel, emulator and hooks', async () => {
    const project = createProject()
    project.write('.env.production', 'VITE_FOYER_HOST=https://service.example\nVITE_FOYER_APPLICATION_ID=1\n')
    const { files, warnings } = await build(project)
    for (const name of ['callback.html', 'callback.js']) {
      expect(files[name]).toBe(
        readFileSync(join(project.root, 'node_modules/foyer-sdk/dist/callback', name), 'utf8'),
      )
    }
    const all = Object.values(files).join('\n')
    expect(all).toContain('https://service.example')
    expect(all).not.toMatch(/foyer-panel|@foyer|127\.0\.0\.1:4320|1287654321098765433|useSyncExternalStore/)
    expect(warnings.filter((text) => text.startsWith('foyer'))).toEqual([])
  })

  test('preloads what resume() loads for a game with a token store, and nothing for other games', async () => {
    const project = createProject("base: '/game/'")
    const preloaded = async () => {
      const { files } = await build(project)
      const links = [
        ...(files['index.html'] ?? '').matchAll(/<link rel="modulepreload"[^>]* href="\/game\/([^"]+)"/g),
      ].map(([, name]) => name ?? '')
      expect(links.filter((name) => !(name in files))).toEqual([])
      return links.map((name) => name.replace(/^assets\/|-[\w-]{8}\.js$/g, ''))
    }
    expect(await preloaded()).not.toContain('stored-session')
    const game = readFileSync(join(project.root, 'main.js'), 'utf8')
    project.write(
      'main.js',
      game
        .replace('import { Client }', 'import { Client, indexedDbStore }')
        .replace('new Client({', 'new Client({ tokenStore: indexedDbStore(),'),
    )
    const names = await preloaded()
    expect(names).toEqual(expect.arrayContaining(['stored-session', 'browser-sessions']))
    expect(new Set(names).size).toBe(names.length)
  })

  test.each([
    [
      '',
      'VITE_FOYER_HOST and VITE_FOYER_APPLICATION_ID not set: put the service of your players into .env.production, or into .env if a backend reads it too',
    ],
    ['VITE_FOYER_HOST=http://127.0.0.1:4320\nVITE_FOYER_APPLICATION_ID=1', 'no player can reach'],
    ['VITE_FOYER_HOST=http://127.0.0.1:4320', 'no player can reach'],
    ['VITE_HOST=https://service.example', 'VITE_HOST is set, and not read: call it VITE_FOYER_HOST'],
    [
      'VITE_FOYER_APPLICATIONID=1',
      'VITE_FOYER_APPLICATIONID is set, and not read: call it VITE_FOYER_APPLICATION_ID',
    ],
    [
      'VITE_BOT_TOKEN=secret',
      'VITE_BOT_TOKEN becomes part of the page, where every player can read it: remove VITE_',
    ],
  ])('warns about %j', async (env, warning) => {
    const project = createProject()
    project.write('.env.production', env)
    const { warnings } = await build(project)
    expect(warnings.join()).toContain(warning)
  })

  const LOCAL = 'http://127.0.0.1:4320/lobby-stream'
  test.each([
    ['an address', `lobbyStream('${LOCAL}')`, true],
    ['a constant', `lobbyStream(STREAM)`, true],
    ['a variable', 'lobbyStream(import.meta.env.VITE_LOBBIES)', true],
    ['code that the build leaves out', `import.meta.env.DEV ? lobbyStream('${LOCAL}') : undefined`, false],
    ['an address that players reach', "lobbyStream('https://hub.example/lobby-stream')", false],
  ])('warns of a lobby stream on this machine, given as %s', async (_, lobbyUpdates, isWarned) => {
    const project = createProject()
    project.write(
      '.env.production',
      `VITE_FOYER_HOST=https://service.example\nVITE_FOYER_APPLICATION_ID=1\nVITE_LOBBIES=${LOCAL}\n`,
    )
    const constant = lobbyUpdates.includes('STREAM)') ? `const STREAM = '${LOCAL}'` : ''
    project.write(
      'main.js',
      `import { Client, lobbyStream } from 'foyer-sdk'\n${constant}
globalThis.game = new Client({ applicationId: '1', service: { host: 'https://service.example' }, lobbyUpdates: ${lobbyUpdates} })\n`,
    )
    // As in a terminal: in a test, `import.meta.env.DEV` would be true in a build too.
    vi.stubEnv('NODE_ENV', 'production')
    onTestFinished(() => void vi.unstubAllEnvs())
    const warnings = (await build(project)).warnings.filter((text) => text.startsWith('foyer'))
    expect(
      warnings.map((text) => text.includes(`lobbyStream is at ${LOCAL}, which no player can reach`)),
    ).toEqual(isWarned ? [true] : [])
  })
})
