/** Games, backends and shells that use the declarations, and how each is compiled, with skipLibCheck off. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { link, pack, type PackedPackage, run } from '../support/packed-package'

/** A program of one file. */
export interface TypedGame {
  file: string
  code: string
  /** Options of the compiler beside the strict ones. */
  options: Record<string, unknown>
}

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

const LISTENER = `import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createInteractionHandler, toNodeListener } from 'foyer-sdk/server'
const listener = toNodeListener(createInteractionHandler({ publicKey: 'ab', commands: [] }))
createServer(listener).listen(3000)
// As Express declares a route.
type Route = (request: IncomingMessage & { body: any }, response: ServerResponse & { locals: object }, next: (error?: any) => void) => unknown
export const route: Route = listener
`

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

/** Every entry, and what shows that its types were found. */
export const EVERY_ENTRY = `import { Client } from 'foyer-sdk'
import { botToken } from 'foyer-sdk/server'
import { redisStore } from 'foyer-sdk/redis'
import { durableObjectStore } from 'foyer-sdk/workers'
import { testSessionStore } from 'foyer-sdk/store-tests'
import { useLobby } from 'foyer-sdk/react'
import { foyer } from 'foyer-sdk/vite'
import { createMainClient } from 'foyer-sdk/electron/main'
import * as checks from 'foyer-sdk/electron/checks'
import * as preload from 'foyer-sdk/electron/preload'
import * as engine from 'foyer-sdk/engine'
import { Client as CoreClient } from 'foyer-sdk/foyer.core.umd.js'
import 'foyer-sdk/global'
export const entries = [Client, botToken, redisStore, durableObjectStore, testSessionStore, useLobby, foyer, createMainClient, checks, preload, engine, CoreClient]
// @ts-expect-error A number loses digits, whatever resolves the module.
export const wrong = [new Client({ applicationId: 1 }), new CoreClient({ applicationId: 1 })]
// @ts-expect-error A token is text.
botToken(1)
`

const NODE_NEXT = { module: 'NodeNext' }
const BUNDLER = { module: 'ESNext', moduleResolution: 'Bundler' }
const NODE = { ...NODE_NEXT, lib: ['ES2022'], types: ['node'] }

/** Each with the kind of project in its name. */
export const TYPED_GAMES: readonly (TypedGame & { name: string })[] = [
  { name: 'a game, nodenext, a module', file: 'game.mts', code: GAME, options: NODE_NEXT },
  { name: 'a game, nodenext, CommonJS', file: 'game.cts', code: GAME, options: NODE_NEXT },
  { name: 'a game, node16, CommonJS', file: 'game.cts', code: GAME, options: { module: 'Node16' } },
  { name: 'a game, a bundler', file: 'game.ts', code: GAME, options: BUNDLER },
  { name: 'a test of a game, Node alone, a module', file: 'game.mts', code: GAME, options: NODE },
  { name: 'a test of a game, Node alone, CommonJS', file: 'game.cts', code: GAME, options: NODE },
  { name: 'a backend, nodenext, a module', file: 'backend.mts', code: BACKEND, options: NODE_NEXT },
  {
    name: 'a backend, Node alone, without the types of a page',
    file: 'backend.mts',
    code: BACKEND,
    options: NODE,
  },
  { name: 'a backend, nodenext, CommonJS', file: 'backend.cts', code: BACKEND, options: NODE_NEXT },
  { name: 'a backend, a bundler', file: 'backend.ts', code: BACKEND, options: BUNDLER },
  { name: 'a listener of a Node server', file: 'listener.mts', code: LISTENER, options: NODE },
  { name: 'a window, nodenext, a module', file: 'shell.mts', code: SHELL, options: NODE_NEXT },
  { name: 'a window, nodenext, CommonJS', file: 'shell.cts', code: SHELL, options: NODE_NEXT },
  { name: 'a window, a bundler', file: 'shell.ts', code: SHELL, options: BUNDLER },
  {
    name: 'a main process, nodenext, a module',
    file: 'main.mts',
    code: MAIN,
    options: { ...NODE_NEXT, types: ['node'] },
  },
  {
    name: 'a main process, a bundler',
    file: 'main.ts',
    code: MAIN,
    options: { ...BUNDLER, types: ['node'] },
  },
  {
    name: 'options that may be undefined, nodenext',
    file: 'env.mts',
    code: FROM_ENVIRONMENT,
    options: NODE_NEXT,
  },
  {
    name: 'options that may be undefined, a bundler',
    file: 'env.ts',
    code: FROM_ENVIRONMENT,
    options: BUNDLER,
  },
]

/** The package in a project that has the types of what it works with. */
export function packWithTypes(): PackedPackage {
  const packed = pack('.')
  for (const name of ['electron', '@types/node']) link(name, packed.project)
  return packed
}

/** Compiles a game of one file in a project that has the package. Returns the output of the compiler. */
export function compile(tsc: string, project: string, { file, code, options }: TypedGame): string {
  const folder = join(project, 'game')
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
  return run(process.execPath, [tsc, '-p', folder], project)
}
