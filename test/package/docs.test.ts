/** Code blocks in the docs compile unchanged against the packed package, and links have targets. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { link, pack, run, type PackedPackage } from '../support/packed-package'
import { modules, pages, ROOT } from './markdown-pages'
import { anchors, links } from './markdown-links'

const TSC = fileURLToPath(new URL('../../node_modules/typescript-7/bin/tsc', import.meta.url))
const BACKEND = new Set(['docs/commands.md', 'docs/interactions.md'])

/** Declarations for names that the docs leave to the reader: the minimum that each block needs. */
const READER_DECLARATIONS = `
import type { Client, Invitation, Lobby, Session } from 'foyer-sdk'
import type { ApplicationClient, CredentialsSource, SessionHandlerOptions } from 'foyer-sdk/server'
import type { Emulator } from 'foyer-emulator'
declare global {
  const applicationId: string, accessToken: string, userId: string, guildId: string, commandId: string, token: string, host: string, url: string
  const service: { host: string }
  const above: any
  const origins: string[], store: SessionHandlerOptions['store'], options: SessionHandlerOptions, backend: ApplicationClient, publicKey: string
  const lobby: Lobby, client: Client, session: Session, credentials: CredentialsSource, emulator: Emulator
  const button: { onclick: (() => unknown) | null }
  const player: { id: string }
  const page: { goto(url: string): Promise<unknown> }
  const chat: { show(name: string, text: string): void }
  const mainWindow: { webContents: unknown }
  const app: { post(path: string, handler: (...args: any[]) => unknown): void; use(handler: (context: any) => unknown): void }
  const bytes: Uint8Array, interaction: { reply(message: object): Promise<void> }
  function listener(incoming: unknown, outgoing: unknown): Promise<void>
  const externalAuthType: string, externalAuthToken: string, idTokenOfYourOwnService: string
  function handle(request: Request, context?: { waitUntil(work: Promise<unknown>): void }): Promise<Response>
  function ask(secret: string): void
  function proofOf(playerId: string): Promise<string | undefined>
  function render(lobby: Lobby): void
  function draw(players: readonly unknown[]): void
  function drawQrCode(url: string): void
  function show(text: string): void
  function showCode(url: string, code: string): void
  function askForAddress(url: string): Promise<string>
  function showTryAgain(): void
  function report(error: unknown): void
  function goodbye(code: string): void
  function $(id: string): any
  function run(work: () => unknown): Promise<void>
  function play(word: string): Promise<void>
  const invitation: Invitation | null
}
`

/** Modules and variables that readers have and this repository does not. */
const MISSING_MODULES =
  "interface ImportMeta { readonly env: Record<string, string> }\ndeclare module 'next/*'\ndeclare module '$env/*'\ndeclare module '$lib/server/session' { export function getSession(): import('foyer-sdk/server').SessionHandler }\ndeclare module 'h3' { export function defineEventHandler(handler: (event: object) => unknown): unknown; export function toWebRequest(event: object): Request }\ndeclare module '@astrojs/node'\ndeclare module 'oidc-provider'\ndeclare module 'discord.js'\ndeclare module 'eris'\n"

let packed: PackedPackage
beforeAll(() => {
  packed = pack('.')
  const named = [
    'electron',
    '@types/node',
    'foyer-emulator',
    'react',
    '@types/react',
    'vite',
    'ioredis',
    'undici',
    'express',
    '@types/express',
    'fastify',
    'koa',
    '@types/koa',
    'hono',
    '@hono',
    'vue',
    'pinia',
    'svelte',
    '@tauri-apps',
    '@capacitor',
  ]
  for (const name of [
    ...named,
    'vitest',
    '@playwright/test',
    '@colyseus',
    'colyseus.js',
    'socket.io',
    'socket.io-client',
    'ws',
    '@types/ws',
  ])
    link(name, packed.project)
})
afterAll(() => packed[Symbol.dispose]())

/** Returns the output of the compiler, which names the page and its line. */
function compile(files: { file: string; text: string }[], options: Record<string, unknown>): string {
  const folder = join(packed.project, 'pages')
  mkdirSync(folder, { recursive: true })
  const declarations = [
    { file: 'reader.d.ts', text: READER_DECLARATIONS },
    { file: 'foreign.d.ts', text: MISSING_MODULES },
  ]
  for (const { file, text } of [...files, ...declarations]) writeFileSync(join(folder, file), text)
  const compilerOptions = {
    target: 'ES2022',
    module: 'ESNext',
    moduleResolution: 'Bundler',
    types: ['node', 'svelte'],
    strict: true,
    // Types of other packages on this machine do not fit each other.
    skipLibCheck: true,
    noEmit: true,
    ...options,
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: [...declarations, ...files].map(({ file }) => file) }),
  )
  return run(process.execPath, [TSC, '-p', folder], folder)
}

/** That of the templates of frameworks, and what the oldest browsers of docs/browsers.md have. */
const BROWSER = { lib: ['ES2022', 'DOM', 'DOM.Iterable'] }
const NODE = { lib: ['ES2023'] }
const isBackend = ({ path }: { path: string }) => BACKEND.has(path)

test.each([
  {
    who: 'a game',
    files: pages()
      .filter((page) => !isBackend(page))
      .flatMap((page) => modules(page, 'ts')),
    options: BROWSER,
  },
  {
    who: 'a backend',
    files: pages()
      .filter(isBackend)
      .flatMap((page) => modules(page, 'ts')),
    options: NODE,
  },
  {
    who: 'those who write JavaScript',
    files: pages().flatMap((page) => modules(page, 'js')),
    options: { ...BROWSER, checkJs: true, strict: false, skipLibCheck: true },
  },
])('the code blocks in the docs compile as printed, for $who', ({ files, options }) => {
  expect(files).not.toEqual([])
  expect(compile(files, options)).toBe('')
})

test('a wrong code block fails to compile with its page and line in the message', () => {
  const text =
    "```ts\nimport { Client } from 'foyer-sdk'\n```\n\n```ts\nnew Client({ applicationId: 1 })\n```\n"
  expect(() => compile(modules({ path: 'docs/wrong.md', text }, 'ts'), BROWSER)).toThrow(
    'docs-wrong.md-6.ts(6,',
  )
})

describe('every link', () => {
  test.each(pages())('on $path has a target', ({ path, text }) => {
    expect(links(text).filter((target) => !resolves(path, target))).toEqual([])
  })

  test('without a target is reported: a page, and a heading', () => {
    const text = '[a](b.md#c) ![d](e.jpg) [f](#g) `[no](code)` [h](https://i.example) <img src="j.jpg" />'
    expect(links(text)).toEqual(['b.md#c', 'e.jpg', '#g', 'j.jpg'])
    expect(resolves('README.md', 'docs/missing.md')).toBe(false)
    expect(resolves('README.md', 'docs/errors.md#no-such-heading')).toBe(false)
    expect(resolves('docs/errors.md', 'accounts.md#what-can-go-wrong')).toBe(true)
  })
})

function resolves(from: string, target: string): boolean {
  const [file = '', anchor] = target.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), file)).replaceAll('\\', '/')
  if (!existsSync(join(ROOT, path))) return false
  return (
    anchor === undefined || anchors(pages().find((page) => page.path === path)?.text ?? '').includes(anchor)
  )
}
