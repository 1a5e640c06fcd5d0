/** Table of the import and globals rules, each with examples that break it and examples that comply. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { globalNames } from './globals'
import { circles, emulatorImports, packageImports, publicEntriesOnly, folderImports } from './imports'
import { EMULATOR, ROOT, SDK, type Violation, type Project } from './source'

/**
 * Files that a rule applies to: the SDK, the emulator, code written like a game (demo and flow tests), modules (what other code imports, so no
 * page or program), the trees whose files are named by one convention, the whole product with its scripts, or that with its benchmarks.
 */
export type Scope = 'src' | 'emulator' | 'players' | 'modules' | 'named' | 'product' | 'programs'

/** A rule, its scope, and an example for each way to break it: path, source, reported line. */
export interface Rule {
  title: string
  check: (project: Project) => Violation[]
  scope: Scope
  bad: readonly (readonly [path: string, text: string, line: number])[]
  good: readonly (readonly [path: string, text: string])[]
}

const manifest: Record<'dependencies' | 'peerDependencies', Record<string, string>> = JSON.parse(
  readFileSync(join(ROOT, 'emulator/package.json'), 'utf8'),
)
const emulatorRule = (project: Project) =>
  emulatorImports(project, Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }))

export const importRules: readonly Rule[] = [
  {
    title: 'a folder of the SDK imports only the folders that the table allows',
    check: folderImports(SDK),
    scope: 'src',
    bad: [
      ['src/shared/foundation/a.ts', "import { x } from '../wire/oauth'", 1],
      ['src/shared/http/a.ts', "\nimport type { Session } from '../tokens/session'", 2],
      ['src/shared/tokens/a.ts', "import { TokenResponse } from '../wire/oauth'", 1],
      ['src/shared/tokens/a.ts', "import { type TokenResponse } from '../wire/oauth'", 1],
      ['src/shared/tokens/a.ts', "import { begin } from '../authorization/flow'", 1],
      ['src/shared/authorization/a.ts', "const load = () => import('../http/request')", 1],
      ['src/server/redis/a.ts', "import { x } from '../../shared/rate-limit/limiter'", 1],
      ['src/client/a.ts', "export { x } from './page/popup'", 1],
      ['src/client/a.ts', "let x: import('../server/commands/plan').Plan", 1],
      ['src/desktop/preload/a.ts', "import { x } from '../main/index'", 1],
      ['src/helpful/a.ts', 'export {}', 1],
    ],
    good: [
      [
        'src/shared/tokens/a.ts',
        "import type { TokenResponse } from '../wire/oauth'\nimport { x } from './session'\nimport { y } from '../http/request'",
      ],
      ['src/server/redis/a.ts', "import type { RateLimitStore } from '../../shared/rate-limit/store-port'"],
      ['src/desktop/main/a.ts', "import { verbs } from '../contract/verbs'"],
    ],
  },
  {
    title: 'a folder of the emulator imports only the folders that its table allows',
    check: folderImports(EMULATOR),
    scope: 'emulator',
    bad: [
      ['emulator/src/foundation/a.ts', "import { x } from '../state/seed/seed.js'", 1],
      ['emulator/src/service/a.ts', "import { notFoundPage } from '../pages/documents/not-found-page.js'", 1],
      ['emulator/src/check/a.ts', "\nimport type { x } from '../service/interactions/payload.js'", 2],
      [
        'emulator/src/pages/chat/a.tsx',
        "import { configuration } from '../../api/oauth/configuration.js'",
        1,
      ],
      ['emulator/src/tools/cli/a.ts', "import { x } from '../../check/payload.js'", 1],
      ['emulator/src/api/a.ts', "const load = () => import('../emulator/create-emulator.js')", 1],
      ['emulator/src/api/a.ts', "import { createEmulator } from '../index.js'", 1],
      ['emulator/src/helpful/a.ts', 'export {}', 1],
    ],
    good: [
      [
        'emulator/src/api/a.ts',
        "import { viewOf } from '../service/chat/chat-page-view.js'\nimport { x } from './b.js'",
      ],
      [
        'emulator/src/pages/chat/a.tsx',
        "import type { ChatView } from '../../service/chat/chat-page-view.js'",
      ],
      [
        'emulator/src/tools/cli/index.ts',
        "import { help } from './arguments.js'\nimport { EmulatorError } from '../../foundation/error.js'",
      ],
    ],
  },
  {
    title: 'a package is imported only where the table allows it',
    check: packageImports,
    scope: 'src',
    bad: [
      ['src/client/a.ts', "import { jwtVerify } from 'jose'", 1],
      ['src/client/session/session.ts', "\n\nconst load = () => import('ioredis')", 3],
      ['src/client/page/a.ts', "import fs from 'node:fs'", 1],
      ['src/client/page/a.ts', "import fs from 'fs'", 1],
      ['src/shared/tokens/a.ts', "import { z } from 'zod'", 1],
      ['src/server/redis/a.ts', "import { Redis } from 'ioredis'", 1],
      ['src/client/a.ts', 'const load = (name: string) => import(name)', 1],
    ],
    good: [
      ['src/server/redis/a.ts', "import type { Redis } from 'ioredis'"],
      ['src/shared/authorization/attempt.ts', "import { sha256 } from '@noble/hashes/sha2.js'"],
      ['src/desktop/main/a.ts', "import { createServer } from 'node:http'"],
    ],
  },
  {
    title: 'imports of the SDK have no circles',
    check: circles,
    scope: 'src',
    bad: [['src/shared/tokens/a.ts', "import type { x } from './a'", 1]],
    good: [['src/shared/tokens/a.ts', "import { x } from './b'"]],
  },
  {
    title: 'imports of the emulator have no circles',
    check: circles,
    scope: 'emulator',
    bad: [['emulator/src/state/a.ts', "import type { x } from './a.js'", 1]],
    good: [['emulator/src/state/a.ts', "import { x } from './b.js'"]],
  },
  {
    title: 'globals of the platform are used only in the files that the table allows',
    check: globalNames,
    scope: 'src',
    bad: [
      ['src/client/a.ts', 'export const f = () => window.open()', 1],
      ['src/client/a.ts', 'export const f = () =>\n  globalThis.document', 2],
      ['src/client/a.ts', "export const f = () => (globalThis as object)['localStorage']", 1],
      ['src/client/a.ts', 'export const f = () => { const { navigator } = globalThis; return navigator }', 1],
      ['src/client/a.ts', 'export const f = () => ({ location })', 1],
      ['src/client/a.ts', 'export const f = () => typeof history', 1],
      ['src/client/a.ts', 'export const f = (at = sessionStorage) => at', 1],
      ['src/shared/tokens/a.ts', 'export const f = () => Date.now()', 1],
      ['src/shared/tokens/a.ts', 'export const f = () => new Date()', 1],
      ['src/shared/tokens/a.ts', 'export const f = () => globalThis.Date.now()', 1],
      ['src/shared/tokens/a.ts', 'export const f = () => setTimeout(f, 1)', 1],
      ['src/shared/tokens/a.ts', 'export const f = () => performance.now()', 1],
      ['src/shared/tokens/a.ts', 'export const f = () => AbortSignal.timeout(1)', 1],
      ['src/shared/http/a.ts', "export const f = () => fetch('/')", 1],
      ['src/client/page/a.ts', 'export const f = () => process.env', 1],
      ['src/client/page/a.ts', "export const f = () => Buffer.from('')", 1],
      ['src/client/page/a.ts', "export const f = () => new Function('return 1')", 1],
    ],
    good: [
      ['src/client/page/a.ts', 'export const f = () => window.open()'],
      ['src/client/activity/host-window.ts', 'export const f = () => window.parent'],
      ['src/shared/foundation/clock.ts', 'export const now = () => Date.now()'],
      ['src/client/context/client-options.ts', 'export const f = () => fetch'],
      ['src/shared/http/a.ts', "export const f = ({ fetch }: { fetch: Fetch }) => fetch('/')"],
      ['src/shared/tokens/a.ts', 'export const f = (clock: Clock) => new Date(clock.now())'],
      [
        'src/shared/tokens/a.ts',
        'export interface Page { location: string; window?: number }\nexport const f = (page: Page) => page.location',
      ],
      ['src/shared/tokens/a.ts', 'export function f(): string { const location = "x"; return location }'],
    ],
  },
  {
    title: 'the emulator shares no behaviour with the SDK',
    check: emulatorRule,
    scope: 'emulator',
    bad: [
      ['emulator/src/a.ts', "import { Client } from 'foyer-sdk'", 1],
      ['emulator/src/a.ts', "import { validateCommand } from 'foyer-sdk/server'", 1],
      ['emulator/src/a.ts', "import type { x } from '../../src/wire/oauth'", 1],
      ['emulator/src/a.ts', "import x from 'left-pad'", 1],
      ['emulator/src/pages/documents/a.ts', "import { render } from 'preact'", 1],
      ['emulator/src/pages/chat/a.ts', "import x from 'left-pad'", 1],
    ],
    good: [
      [
        'emulator/src/a.ts',
        "import type { CommandBody } from 'foyer-sdk/server'\nimport { Hono } from 'hono'\nimport fs from 'node:fs'\nimport type { Context } from 'koa'",
      ],
      ['emulator/src/pages/chat/a.tsx', "import { useState } from 'preact/hooks'"],
      [
        'emulator/src/tools/cli/application-commands.ts',
        "import { validateCommand } from 'foyer-sdk/server'",
      ],
    ],
  },
  {
    title: 'the demo and the flow tests use public entries only',
    check: publicEntriesOnly,
    scope: 'players',
    bad: [
      ['demo/a.ts', "import { x } from '../src/client/page/client'", 1],
      ['test/flows/a.test.ts', "import { x } from '../../emulator/src/index'", 1],
      ['demo/a.ts', "import { x } from 'foyer-sdk/src/index'", 1],
    ],
    good: [['demo/a.ts', "import { Client } from 'foyer-sdk'\nimport { y } from './game'"]],
  },
]
