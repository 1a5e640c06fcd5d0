/** Recipes of docs/backend-frameworks.md for servers of Node and for Workers, run as printed, in both modes of tokens. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createEmulator, type Emulator } from 'foyer-emulator'
import { supportedCompatibilityDate } from 'miniflare'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  createProject,
  freePort,
  MODES,
  PAGE,
  expectPlayable,
  routeOf,
  serve,
  skipWithout,
} from '../support/framework-project'
import { bundleWorker, startWorker } from '../support/workers/start-worker'

let emulator: Emulator
beforeAll(async () => {
  emulator = await createEmulator({ seed: { application: { publicClient: false } } })
})
afterAll(() => emulator.close())

/** Headings of the page, and the folder of the packages if they are not those of the repository. */
const SERVERS: readonly [section: string, packages?: string][] = [
  ['Express'],
  ['Express', 'express-4'],
  ['Fastify'],
  ['Koa'],
  ['Hono'],
]
const CASES = SERVERS.flatMap(([section, packages]) =>
  MODES.map((tokens) => [section, tokens, packages ?? 'the repository', packages] as const),
)

test.for(CASES)(
  'the server of %s: a player signs in and out, with tokens: %s, and the packages of %s',
  async ([section, tokens, , packages], context) => {
    const port = await freePort()
    const { folder, missing } = createProject({ packages, section, emulator, port })
    skipWithout(missing, context)
    const path = routeOf(section)
    await serve(folder, [path], { emulator, port, tokens })
    await expectPlayable(emulator, port, { tokens })
  },
)

test.for(MODES)('the Worker: a player signs in and out, with tokens: %s', async (tokens) => {
  const port = await freePort()
  const { folder } = createProject({ section: 'Workers', emulator, port })
  const path = routeOf('Workers')
  const worker = await startWorker({
    port,
    script: await bundleWorker(pathToFileURL(join(folder, path)).href),
    compatibilityDate: supportedCompatibilityDate,
    durableObjects: { SESSIONS: 'Sessions' },
    bindings: { FOYER_CLIENT_SECRET: emulator.application.clientSecret, TOKENS: tokens },
  })
  onTestFinished(() => worker.close())
  await expectPlayable(emulator, port, { tokens })
})

/** The version of a package, in the folder that has it. */
const versionOf = (name: string, folder = '.'): string =>
  JSON.parse(readFileSync(`${folder}/node_modules/${name}/package.json`, 'utf8')).version

test.each([
  ['Express', versionOf('express')],
  ['Express', JSON.parse(readFileSync('test/support/express-4/package.json', 'utf8')).dependencies.express],
  ['Fastify', versionOf('fastify')],
  ['Koa', versionOf('koa')],
  ['Hono', versionOf('hono')],
  ['Workers', versionOf('miniflare')],
])('the docs name the version of %s that is tested, %s', (section, version) => {
  const [, own = ''] = PAGE.split(`\n## ${section}\n`)
  expect(own.split('\n')[1]).toMatch(new RegExp(`^Tested with .*\\b${version.replaceAll('.', '\\.')}\\b`))
})
