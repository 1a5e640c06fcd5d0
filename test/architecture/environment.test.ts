/** One set of names for variables of the environment: what docs, templates and programs read is in the table of `docs/environment.md`. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const TABLE = 'docs/environment.md'
/** Variables that others define: Vite, Electron's tools, the desktop, and what an example of the manual names itself. */
const FOREIGN = new Set([
  'DEV',
  'SSR',
  'FORCE_COLOR',
  // A name without its end, in a message.
  'VITE_FOYER_',
  'MODE',
  'BASE_URL',
  'ELECTRON_RENDERER_URL',
  'XDG_CURRENT_DESKTOP',
  'XDG_RUNTIME_DIR',
  'USER_DATA',
  'GAME',
  'SESSIONS',
])
/** Names that only a message, and the last part of the page, have. */
const FORMER = new Set(['FOYER_URL', 'BOT_TOKEN', 'CLIENT_SECRET', 'APPLICATION_ID'])

const SKIPPED = new Set(['node_modules', 'dist', 'templates', 'reference', 'screenshots', '.vite'])

/** Files below a folder. Links are not followed: one of the examples leads back to this repository. */
function inFolder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : inFolder(path)
    return entry.isFile() && /\.(?:[jt]sx?|md|json)$/.test(entry.name) ? path : []
  })
}

const FILES = ['README.md', ...['docs', 'examples', 'emulator', 'create-foyer', 'src'].flatMap(inFolder)]
const TEXTS = FILES.map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** Names that a text reads from the environment, and all that look like this project's. */
function namesIn(text: string): string[] {
  const own = [...text.matchAll(/\b(?:VITE_)?FOYER_[A-Z_]*[A-Z]\b/g)].map(([name]) => name)
  const members = [...text.matchAll(/\benv(?:\.|\[')([A-Z][A-Z\d_]*)\b/g)].map(([, name = '']) => name)
  const listed = text
    .split('\n')
    .filter((line) => /\} = (?:process\.|import\.meta\.)?env\b/.test(line))
    .flatMap((line) => [...line.matchAll(/\b[A-Z][A-Z\d_]+\b/g)].map(([name]) => name))
  const assigned = [...text.matchAll(/^([A-Z][A-Z\d_]+)=/gm)].map(([, name = '']) => name)
  return [...new Set([...own, ...members, ...listed, ...assigned])]
}

/** Names in the first column of the tables of a page. */
function tableOf(page: string): Set<string> {
  const cells = page.split('\n').flatMap((line) => /^\| ([^|]*)\|/.exec(line)?.[1] ?? [])
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([A-Z\d_]+)`/g)].map(([, name = '']) => name)))
}

function faultsOf(files: readonly { path: string; text: string }[], known: ReadonlySet<string>): string[] {
  return files.flatMap(({ path, text }) =>
    namesIn(text)
      .filter((name) => !known.has(name) && !FOREIGN.has(name) && !FORMER.has(name))
      .map((name) => `${path}: ${name}`),
  )
}

const read = (path: string) => ({ path, text: readFileSync(path, 'utf8') })

test('each name that docs, templates and programs read is in the table', () => {
  expect(FILES.length).toBeGreaterThan(200)
  expect(faultsOf(TEXTS, tableOf(read(TABLE).text))).toEqual([])
})

test('each name of the table is read somewhere else', () => {
  const elsewhere = TEXTS.filter(({ path }) => path !== TABLE)
  const unused = [...tableOf(read(TABLE).text)].filter(
    (name) => !elsewhere.some(({ text }) => text.includes(name)),
  )
  expect(unused).toEqual([])
})

test('a name without its prefix is reported, however it is read', () => {
  const known = tableOf(read(TABLE).text)
  const planted = [
    'botToken(process.env.GAME_TOKEN)',
    "process.env['GAME_TOKEN']",
    'const { GAME_TOKEN: token, ...env } = process.env',
    'import.meta.env.GAME_TOKEN',
    'GAME_TOKEN=\n',
  ]
  for (const text of planted) expect(faultsOf([{ path: 'a', text }], known)).toEqual(['a: GAME_TOKEN'])
  const former = read('docs/environment.md').text.split('## A name of before')[0] ?? ''
  expect([...tableOf(former)].filter((name) => FORMER.has(name))).toEqual([])
})

test('a former name is in messages and in the table of names of before alone', () => {
  const users = TEXTS.filter(({ text }) =>
    /\bFOYER_URL\b|\benv\.(?:BOT_TOKEN|CLIENT_SECRET)\b/.test(text),
  ).map(({ path }) => path)
  expect(users.toSorted()).toEqual([
    TABLE,
    'emulator/src/foundation/former-names.ts',
    'src/tools/vite/run-emulator.ts',
  ])
})
