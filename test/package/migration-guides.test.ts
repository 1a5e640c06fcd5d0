/** Guides for those who come from another library: both sides of each diff compile against the real packages, and the new side runs. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import { createEmulator, type Emulator } from 'foyer-emulator'
import * as sdk from 'foyer-sdk'
import * as main from 'foyer-sdk/electron/main'
import * as backend from 'foyer-sdk/server'
import ts from 'typescript'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { consentSurface } from '../support/consent-surface'
import { app } from '../support/electron/fake-electron.mjs'
import { useMainProcessGame } from '../support/electron/main-process-game'
import { emulatedHost } from '../support/emulated-host'
import { serveRequests } from '../support/serve-requests'
import { run } from '../support/packed-package'
import { blocks, pages, ROOT } from './markdown-pages'

const TSC = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url))
const REDIRECT_URI = 'http://127.0.0.1/callback'
const guides = pages().filter(({ path }) => path.startsWith('docs/from-'))

interface Diff {
  /** Page and line. */
  name: string
  before: string
  after: string
}

/** Each side has the lines of its sign, and those without one. */
function diffs({ path, text }: { path: string; text: string }): Diff[] {
  return blocks({ text })
    .filter(({ language }) => language === 'diff')
    .map(({ line, code }) => {
      const side = (sign: string) =>
        code
          .split('\n')
          .filter((each) => each === '' || each.startsWith(' ') || each.startsWith(sign))
          .map((each) => each.slice(1))
          .join('\n')
      const name = `${path.replaceAll(/\W/g, '-')}-${line}`
      return { name, before: side('-'), after: side('+') }
    })
}

const allDiffs = guides.flatMap(diffs)

/** Returns the output of the compiler. A folder of the repository finds the packages, and this one by its own name. */
function compile(files: readonly { file: string; text: string }[]): string {
  const folder = join(ROOT, '.cache', 'migration-guides')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const { file, text } of files) writeFileSync(join(folder, file), text)
  const compilerOptions = {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    types: ['node'],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: files.map(({ file }) => file) }),
  )
  return run(process.execPath, [TSC, '-p', folder], folder)
}

test('both sides of each diff compile against both packages', () => {
  expect(allDiffs.length).toBeGreaterThan(6)
  const files = allDiffs.flatMap(({ name, before, after }) => [
    { file: `${name}-before.ts`, text: before },
    { file: `${name}-after.ts`, text: after },
  ])
  expect(compile(files)).toBe('')
})

test('a call that a package does not have is reported, on either side', () => {
  const text =
    "```diff\n-import { UserManager } from 'oidc-client-ts'\n+import { Client } from 'foyer-sdk'\n-export const a = UserManager.no\n+export const a = Client.no\n```\n"
  const [diff] = diffs({ path: 'docs/from-x.md', text })
  expect(() => compile([{ file: 'a.ts', text: diff?.before ?? '' }])).toThrow("'no' does not exist")
  expect(() => compile([{ file: 'a.ts', text: diff?.after ?? '' }])).toThrow("'no' does not exist")
})

describe.each(guides)('$path', ({ text }) => {
  test('has an anchor for each row of calls, and says what is not the same', () => {
    const [, table = ''] = text.split('## Each call')
    const [, , ...rows] = (table.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('|'))
    const anchors = rows.map((row) => /^\| <a id="([a-z-]+)"><\/a>/.exec(row)?.[1])
    expect(anchors.length).toBeGreaterThan(10)
    expect(anchors).not.toContain(undefined)
    expect(new Set(anchors).size).toBe(anchors.length)
    expect(text).toContain('## What is not the same')
  })
})

let emulator: Emulator
beforeEach(async () => {
  emulator = await createEmulator({ activityUrl: 'http://localhost:5173/', commands: { globalDelay: 0 } })
})
afterEach(() => emulator.close())

const harness = useMainProcessGame()

/** Runs the new side of a guide's diff, counted from 0, and returns what it exports. */
function newSide(guide: string, index = 0): unknown {
  const code = guides.filter(({ path }) => path === guide).flatMap(diffs)[index]?.after ?? ''
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  })
  const modules: Record<string, unknown> = {
    'foyer-sdk': sdk,
    'foyer-sdk/server': backend,
    'foyer-sdk/electron/main': main,
  }
  const exported = {}
  compileFunction(outputText, ['exports', 'require'])(exported, (name: string) => modules[name])
  return exported
}

test('the Activity connects, signs in, shows its players and its presence', async () => {
  const host = await emulatedHost(emulator, { as: 'ada' })
  host.reload()
  const { start } = newSide('docs/from-embedded-sdk.md') as {
    start: (id: string, host: string, show: (names: string[]) => void) => Promise<sdk.Client>
  }
  const shown: string[][] = []
  const client = await start(emulator.application.id, emulator.url, (names) => shown.push(names))
  onTestFinished(() => client.close())
  await expect.poll(() => shown.at(-1)).toEqual(['Ada Quinn'])
  expect(client.session?.userId).toBe(emulator.users.find(({ username }) => username === 'ada')?.id)
  await expect.poll(() => emulator.activity.presence('ada')).toMatchObject({ details: 'On the moon' })
})

test('the game in Electron shows a presence, and gets the secret of an accepted invitation', async () => {
  const { start, show } = newSide('docs/from-rpc-client.md') as {
    start: (id: string, host: string, enter: (secret: string) => void) => main.MainClient
    show: (client: main.MainClient, secret: string) => Promise<void>
  }
  expect(harness.home).not.toBe('')
  const game = async (as: string) => {
    const program = await emulator.localProgram({ as })
    const { FOYER_LOCAL_PROGRAM: before } = process.env
    process.env['FOYER_LOCAL_PROGRAM'] = program.folder
    const secrets: string[] = []
    const client = start(emulator.application.id, emulator.url, (secret) => secrets.push(secret))
    onTestFinished(() => {
      client.close()
      if (before === undefined) delete process.env['FOYER_LOCAL_PROGRAM']
      else process.env['FOYER_LOCAL_PROGRAM'] = before
    })
    await expect.poll(() => client.desktop?.status).toBe('connected')
    return { program, client, secrets }
  }
  const ada = await game('ada')
  await show(ada.client, 'moon-42')
  await expect.poll(() => emulator.activity.presence('ada')).toMatchObject({ details: 'On the moon' })
  // Each game is a process of its own. Here both are in this one, and one holds the lock.
  app.releaseSingleInstanceLock()
  const bruno = await game('bruno')
  bruno.program.accept('ada')
  await expect.poll(() => bruno.secrets).toEqual(['moon-42'])
})

describe('the page that signed in by hand', () => {
  test('signs in', async () => {
    const { createGame, signIn, callback } = newSide('docs/from-oauth.md') as {
      createGame: (host: string, id: string) => sdk.Client
      signIn: (client: sdk.Client) => Promise<string>
      callback: (client: sdk.Client) => Promise<sdk.Session | null>
    }
    const client = withConsent(createGame(emulator.url, emulator.application.id))
    expect(await signIn(client)).toBe('ada')
    expect(await callback(client)).toMatchObject({ userId: client.session?.userId })
  })
})

describe.each([
  ['oidc-client-ts', 1],
  ['auth0-spa-js', 2],
])('the page that used %s', (_, index) => {
  test('signs in, has a token, and signs out', async () => {
    const { createGame, signIn, tokenOf, signOut } = newSide('docs/from-oauth.md', index) as {
      createGame: (host: string, id: string) => sdk.Client
      signIn: (client: sdk.Client) => Promise<string>
      tokenOf: (client: sdk.Client) => Promise<string | undefined>
      signOut: (client: sdk.Client) => Promise<unknown>
    }
    const client = withConsent(createGame(emulator.url, emulator.application.id))
    expect(await signIn(client)).toBe(emulator.users.find(({ username }) => username === 'ada')?.id)
    expect(await tokenOf(client)).toMatch(/^\S{8,}$/)
    await signOut(client)
    expect(client.session).toBeNull()
  })
})

/** Ada approves. A page would open a popup. */
function withConsent(client: sdk.Client): sdk.Client {
  onTestFinished(() => client.close())
  const signIn = client.signIn.bind(client)
  const surface = consentSurface(emulator, { redirectUri: REDIRECT_URI })
  return Object.assign(client, {
    signIn: (options?: sdk.SignInOptions) => signIn({ ...options, surface }),
  })
}

test('the backend that used better-auth knows its player', async () => {
  const { createBackend } = newSide('docs/from-oauth.md', 3) as {
    createBackend: (
      origin: string,
      id: string,
      secret: string,
      host: string,
    ) => {
      path: string
      handle: (request: Request) => Promise<Response>
      playerOf: (request: Request) => Promise<string>
    }
  }
  const origin = 'http://localhost:5173'
  const { id, clientSecret } = emulator.application
  const { path, handle, playerOf } = createBackend(origin, id, clientSecret, emulator.url)
  let cookie = ''
  const send = async (url: string | URL | Request, init?: RequestInit) => {
    const request = new Request(url, init)
    if (!new URL(request.url).pathname.startsWith(`${path}/`)) return fetch(request)
    request.headers.set('origin', origin)
    request.headers.set('cookie', cookie)
    const response = await handle(request)
    cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? cookie
    return response
  }
  const client = new sdk.Client({
    applicationId: id,
    service: { host: emulator.url },
    backendSession: `${origin}${path}`,
    fetch: (url, init) => send(url, init),
  })
  await withConsent(client).signIn()
  const userId = client.session?.userId
  expect(userId).toBeDefined()
  expect(await playerOf(new Request(`${origin}/scores`, { headers: { cookie, origin } }))).toBe(userId)
})

type Commands = NonNullable<backend.InteractionHandlerOptions['commands']>

test('the command of the bot is registered, and answers', async () => {
  const guide = 'docs/from-discord-js.md'
  const { duel, register } = newSide(guide) as {
    duel: Commands[number]
    register: (id: string, token: string, host: string) => Promise<void>
  }
  const { start } = newSide(guide, 1) as {
    start: (publicKey: string, commands: Commands) => (request: Request) => Promise<Response>
  }
  const { id, botToken, publicKey } = emulator.application
  await register(id, botToken, emulator.url)
  const server = await serveRequests(start(publicKey, [duel]))
  onTestFinished(() => server.close())
  await emulator.interactions.connect(server.url)
  const outcome = await emulator.interactions.use({
    as: 'ada',
    command: 'duel',
    options: [{ name: 'opponent', value: emulator.users.find(({ username }) => username === 'bruno')?.id }],
  })
  expect(outcome).toMatchObject({ kind: 'message', message: { content: 'ada challenges bruno' } })
})
