/** Each runtime, framework, database, engine, shell and library that the documentation names has a test that runs it, or a sentence that says it was not run. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** A name, the file that runs it, and text of that file. */
const RUN: readonly (readonly [name: string, file: string, text: string])[] = [
  ['Workers', 'test/package/proof/workers.test.ts', 'startWorker'],
  ['Durable Object', 'test/package/proof/durable-object.test.ts', 'durable-game.mjs'],
  ['Bun', 'scripts/runtimes.mjs', 'bun'],
  ['Deno', 'scripts/runtimes.mjs', 'deno'],
  ['Valkey', 'test/support/redis-clients.ts', "from 'iovalkey'"],
  ['Upstash', 'test/support/redis-clients.ts', "from '@upstash/redis'"],
  ['node-redis', 'test/support/redis-clients.ts', "from 'redis'"],
  ['Next.js', 'test/examples/backend-frameworks.test.ts', 'next'],
  ['SvelteKit', 'test/examples/backend-frameworks.test.ts', 'sveltekit'],
  ['Nuxt', 'test/examples/backend-frameworks.test.ts', 'nuxt'],
  ['Astro', 'test/examples/backend-frameworks.test.ts', 'astro'],
  ['Express', 'test/examples/node-frameworks.test.ts', 'express'],
  ['Fastify', 'test/examples/node-frameworks.test.ts', 'fastify'],
  ['Koa', 'test/examples/node-frameworks.test.ts', 'koa'],
  ['Hono', 'test/examples/node-frameworks.test.ts', 'hono'],
  ['discord.js', 'test/support/foreign-clients/discord-js-bot.ts', "from 'discord.js'"],
  ['slash-create', 'test/support/foreign-clients/slash-create-bot.ts', "from 'slash-create'"],
  ['better-auth', 'test/support/foreign-clients/sign-ins.ts', "from 'better-auth"],
  ['openid-client', 'test/support/foreign-clients/sign-ins.ts', "from 'openid-client'"],
  ['socket.io', 'test/package/proof/netcode-recipes.test.ts', "from 'socket.io'"],
  ['Colyseus', 'test/package/proof/netcode-recipes.test.ts', "from '@colyseus/core'"],
]

/** Names that pages about backends mention. A line beside them says that they were not run. */
const NOT_RUN = [
  'Vercel',
  'Netlify',
  'Lambda',
  'Fly.io',
  'nginx',
  'Traefik',
  'Caddy',
  'valkey-glide',
  'NATS',
  'Postgres',
  'Remix',
  'TanStack Start',
]

/** Sections about every framework. */
const GENERAL = new Set(['One site', 'Body parsers', 'All of them', 'In development'])

const ABOUT_HOSTS = [
  'README.md',
  'docs/hosting.md',
  'docs/backend.md',
  'docs/backend-frameworks.md',
  'docs/deploy.md',
]
const read = (file: string) => readFileSync(file, 'utf8')
const saysNotRun = (line: string) => /\bnot run\b/.test(line)

/** Names of a page without a line that says they were not run. */
function unmarked(page: string): string[] {
  const lines = page.split('\n')
  return NOT_RUN.filter((name) => {
    const mentions = lines.filter((line) => line.includes(name))
    return mentions.length > 0 && !mentions.some(saysNotRun)
  })
}

test.each(RUN)('%s is run by %s', (_, file, text) => {
  expect(read(file).toLowerCase()).toContain(text.toLowerCase())
})

test('each section about a framework, and each row about a host or a client, names something that is run or not', () => {
  const headings = read('docs/backend-frameworks.md').matchAll(/^## (.*)$/gm)
  const rows = read('docs/hosting.md').matchAll(/^\| ([^|]+?) +\|.*$/gm)
  const known = [...RUN.map(([name]) => name), 'ioredis', 'of Node', 'of files']
  const unknown = [
    ...[...headings].map(([, name = '']) => name).filter((name) => !GENERAL.has(name)),
    ...[...rows]
      .filter(([line]) => !saysNotRun(line) && !/^\| (host|client|-+) /.test(line))
      .map(([, name = '']) => name),
  ].filter((text) => !known.some((name) => text.toLowerCase().includes(name.toLowerCase())))
  expect(unknown).toEqual([])
})

test.each(ABOUT_HOSTS)('%s says of what was not run that it was not', (file) => {
  expect(unmarked(read(file))).toEqual([])
})

test('a name without such a line is found', () => {
  expect(
    unmarked('It runs on Vercel.\n\nIn Postgres, which was not run here, that is one statement.'),
  ).toEqual(['Vercel'])
})

/** Cells of the first table of a page. */
function rowsOf(page: string): string[][] {
  const [table = ''] = /(?:^\|.*\n)+/m.exec(page) ?? []
  const [, , ...rows] = table.trim().split('\n')
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

/** The name of a test without the thing itself. */
const LESS = /stand-in|alone|not run|in a page|\[there\]|mock|bridge|names that it calls|call itself/i
const packages = read('test/support/game-engines/package.json').toLowerCase()
/** As npm names it: `Three.js` is `three`. */
const isPackage = (engine: string) =>
  packages.includes(
    engine
      .replace(/\.?js$/i, '')
      .toLowerCase()
      .trim(),
  )

/** Rows whose last column says neither that the real package is run, which a list has, nor that something less is. */
function unproved(page: string): string[] {
  return rowsOf(page)
    .filter(([names = '', ...others]) => {
      const how = others.at(-1) ?? ''
      return how.includes('real package') ? !names.split(', ').every(isPackage) : !LESS.test(how)
    })
    .map(([names = '']) => names)
}

test.each(['docs/engines.md', 'docs/shells.md'])(
  '%s says of each engine and shell that it is run, or what is run instead',
  (file) => {
    expect(rowsOf(read(file)).length).toBeGreaterThan(6)
    expect(unproved(read(file))).toEqual([])
  },
)

const row = (name: string, how: string) => `| ${name} | begin | ${how} |\n`

test('an engine without its package, or without a word about how, is found', () => {
  const page = row('engine', 'tested with') + row('---', '---')
  expect(
    unproved(
      page + row('Phaser', 'the real package') + row('Panda', 'the real package') + row('Ogre', 'everything'),
    ),
  ).toEqual(['Panda', 'Ogre'])
})
