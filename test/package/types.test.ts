/** The declarations, compiled by projects that use them, with skipLibCheck off. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { link, pack, run, type PackedPackage } from '../support/packed-package'

const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))
const TSC_7 = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url))

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
  for (const name of ['electron', '@types/node']) link(name, packed.project)
})
afterAll(() => packed[Symbol.dispose]())

const GAME = `import { AuthorizationArgs, Client, FoyerError, type ClientOptions, type Session } from 'foyer-sdk'
const options: ClientOptions = { applicationId: '1', service: { host: 'https://service.example' } }
const client = new Client(options)
export async function play(): Promise<string> {
  const session: Session = await client.signIn({ args: new AuthorizationArgs().setScopes('openid') })
  client.on('statusChanged', ({ status, previous }) => console.log(status, previous))
  return session.userId
}
export const retry = (error: unknown): boolean => error instanceof FoyerError && error.retryable
// @ts-expect-error A number loses digits.
export const wrong = new Client({ ...options, applicationId: 1 })
`

const BACKEND = `import { ApplicationClient, UserClient, botToken, toNodeListener, validateCommand, type GlobalCommandBody, type Issue } from 'foyer-sdk/server'
const service = { host: 'https://service.example' }
const client = new ApplicationClient({ applicationId: '1', service, credentials: botToken('x') })
const give: GlobalCommandBody = { name: 'give', description: 'Gives an item', options: [{ type: 3, name: 'item', description: 'What' }] }
export const issues: Issue[] = validateCommand(give, { scope: 'global', operation: 'create' })
export const deploy = async (): Promise<string> => String((await client.commands.global.sync([give])).plan)
export const allow = (accessToken: string) =>
  new UserClient({ applicationId: '1', service, accessToken }).commandPermissions('2').set('3', [{ id: '4', type: 1, permission: true }])
export const listener = toNodeListener(async (request) => new Response(request.method))
// @ts-expect-error A bot token cannot set permissions.
client.commands.permissions('2').set('3', [])
// @ts-expect-error A guild command has no contexts.
void client.commands.guild('2').create({ ...give, contexts: [0] })
`

/** Shared code for a page and a window, and a main process besides. */
const SHELL = `import { Client, connectMainClient, hasMainClient, type WindowClient } from 'foyer-sdk'
const service = { host: 'https://service.example' }
const client: Client = hasMainClient() ? connectMainClient() : new Client({ applicationId: '1', service })
export const play = async (): Promise<string> => (await client.signIn()).userId
const inWindow: WindowClient = connectMainClient()
export async function sealed(): Promise<void> {
  const session = await inWindow.signIn()
  // @ts-expect-error A token of the main process cannot be opened here: its \`reveal()\` gives \`never\`.
  const token: string = session.tokens.accessToken
  const never: never = session.tokens.accessToken.reveal()
  console.log(token, never, inWindow.session?.userId)
}
`

const MAIN = `import { createMainClient, installDeepLinks, FoyerError, type MainClient } from 'foyer-sdk/electron/main'
const scheme = installDeepLinks('com.example.game')
export const client: MainClient = createMainClient({
  applicationId: '1', service: { host: 'https://service.example' }, scheme,
  windows: [{ origin: 'app://game', tokens: (window) => window.id === 1 }],
})
export const retry = (error: unknown): boolean => error instanceof FoyerError && error.retryable
// @ts-expect-error A scheme is what installDeepLinks gave.
createMainClient({ service: { host: 'https://service.example' }, scheme: 'com.example.game' })
`

/** Compiles a game of one file. Returns the output of the compiler. */
function compile(tsc: string, { file, code, options }: { file: string; code: string; options: Record<string, unknown> }): string {
  const folder = join(packed.project, 'game')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), code)
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    ...options,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  return run(process.execPath, [tsc, '-p', folder], packed.project)
}

test.each([
  { how: 'nodenext, a module', file: 'game.mts', options: { module: 'NodeNext' } },
  { how: 'nodenext, CommonJS', file: 'game.cts', options: { module: 'NodeNext' } },
  { how: 'node16, CommonJS', file: 'game.cts', options: { module: 'Node16' } },
  { how: 'a bundler', file: 'game.ts', options: { module: 'ESNext', moduleResolution: 'Bundler' } },
])('the declarations of the game entry compile for $how', ({ file, options }) => {
  expect(compile(TSC, { file, code: GAME, options })).toBe('')
  expect(compile(TSC_7, { file, code: GAME, options })).toBe('')
})

test.each([
  { how: 'nodenext, a module', file: 'backend.mts', options: { module: 'NodeNext' } },
  {
    how: 'Node alone, without the types of a page',
    file: 'backend.mts',
    options: { module: 'NodeNext', lib: ['ES2022'], types: ['node'] },
  },
  { how: 'nodenext, CommonJS', file: 'backend.cts', options: { module: 'NodeNext' } },
  { how: 'a bundler', file: 'backend.ts', options: { module: 'ESNext', moduleResolution: 'Bundler' } },
])('the declarations of the backend entry compile for $how', ({ file, options }) => {
  expect(compile(TSC, { file, code: BACKEND, options })).toBe('')
  expect(compile(TSC_7, { file, code: BACKEND, options })).toBe('')
})

const LISTENER = `import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createInteractionHandler, toNodeListener } from 'foyer-sdk/server'
const listener = toNodeListener(createInteractionHandler({ publicKey: 'ab', commands: [] }))
createServer(listener).listen(3000)
// As Express declares a route.
type Route = (request: IncomingMessage & { body: any }, response: ServerResponse & { locals: object }, next: (error?: any) => void) => unknown
export const route: Route = listener
`

test('the declarations of toNodeListener compile for a Node server, in strict TypeScript', () => {
  const options = { module: 'NodeNext', lib: ['ES2022'], types: ['node'] }
  expect(compile(TSC, { file: 'listener.mts', code: LISTENER, options })).toBe('')
})

test.each([
  { how: 'nodenext, a module', file: 'shell.mts', options: { module: 'NodeNext' } },
  { how: 'nodenext, CommonJS', file: 'shell.cts', options: { module: 'NodeNext' } },
  { how: 'a bundler', file: 'shell.ts', options: { module: 'ESNext', moduleResolution: 'Bundler' } },
])('the declarations of a window and of Electron’s main process compile for $how', ({ file, options }) => {
  const shell = { ...options, types: ['node'] }
  expect(compile(TSC_7, { file, code: SHELL, options })).toBe('')
  expect(compile(TSC_7, { file, code: MAIN, options: shell })).toBe('')
})

/** A value of the environment, as a build replaces it. */
const FROM_ENVIRONMENT = `import { Client, popupSurface, type SignInOptions } from 'foyer-sdk'
import { ApplicationClient, botToken } from 'foyer-sdk/server'
declare const env: { readonly APPLICATION_ID?: string; readonly HOST: string | undefined; readonly API: string | undefined }
declare const signal: AbortSignal | undefined
const service = { host: env.HOST ?? 'https://service.example', baseUrl: env.API }
const client = new Client({ applicationId: env.APPLICATION_ID, service, redirectUri: env.API, surface: undefined })
const options: SignInOptions = { args: undefined, signal, surface: env.API ? popupSurface({ redirectUri: env.API }) : undefined }
export const play = async (): Promise<string> => (await client.signIn(options)).userId
export const score = () => client.backend.fetch('/score', { signal, body: undefined })
export const backend = new ApplicationClient({ applicationId: '1', service, credentials: botToken('x'), maxWait: undefined })
`

test.each([
  { how: 'nodenext, a module', file: 'env.mts', options: { module: 'NodeNext' } },
  { how: 'a bundler', file: 'env.ts', options: { module: 'ESNext', moduleResolution: 'Bundler' } },
])('options that may be undefined compile for $how', ({ file, options }) => {
  expect(compile(TSC, { file, code: FROM_ENVIRONMENT, options })).toBe('')
  expect(compile(TSC_7, { file, code: FROM_ENVIRONMENT, options })).toBe('')
})

/** Every entry, and what shows that its types were found. */
const EVERY_ENTRY = `import { Client } from 'foyer-sdk'
import { botToken } from 'foyer-sdk/server'
import { redisStore } from 'foyer-sdk/redis'
import { useLobby } from 'foyer-sdk/react'
import { foyer } from 'foyer-sdk/vite'
import { createMainClient } from 'foyer-sdk/electron/main'
import * as checks from 'foyer-sdk/electron/checks'
import * as preload from 'foyer-sdk/electron/preload'
import * as engine from 'foyer-sdk/engine'
import { Client as CoreClient } from 'foyer-sdk/foyer.core.umd.js'
import 'foyer-sdk/global'
export const entries = [Client, botToken, redisStore, useLobby, foyer, createMainClient, checks, preload, engine, CoreClient]
// @ts-expect-error A number loses digits, whatever resolves the module.
export const wrong = [new Client({ applicationId: 1 }), new CoreClient({ applicationId: 1 })]
// @ts-expect-error A token is text.
botToken(1)
`

test('moduleResolution node finds the types of every entry', () => {
  for (const name of ['react', '@types/react', 'vite', 'ioredis']) link(name, packed.project)
  const options = { module: 'CommonJS', moduleResolution: 'Node10', ignoreDeprecations: '6.0', types: ['node'], skipLibCheck: true }
  expect(compile(TSC, { file: 'entries.ts', code: EVERY_ENTRY, options })).toBe('')
})

test('a wrong call does not compile', () => {
  const code = "import { Client } from 'foyer-sdk'\nnew Client({ applicationId: 1 })\n"
  expect(() => compile(TSC, { file: 'game.mts', code, options: { module: 'NodeNext' } })).toThrow(/TS2741|TS2322/)
})
