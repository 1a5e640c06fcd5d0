/** Stores which tests execute which mutants, so that a second run on the same source starts at once. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { CACHE } from './mutants.mjs'

/** @import { Coverage } from './mutant-types' */

const STORED = join(CACHE, 'coverage.json')
const KEY = join(CACHE, 'key.txt')
/** All that decides the numbers of the mutants and what tests execute, besides the test files and what they import. */
const SOURCES = [
  'src',
  'emulator/src',
  'scripts/mutate/mutants.mjs',
  'scripts/mutate/coverage.mjs',
  'package-lock.json',
]
const TEST_FOLDERS = ['unit', 'flows', 'attacks', 'cases', 'generated']
/** Tests of browsers, packages and other processes run the build, which has no mutants; those of Redis need a server; the others need minutes. */
export const EXCLUDED = [
  'test/generated/command-fuzz.test.ts',
  'test/flows/redis/proof/lobby-hub-failover.test.ts',
  'test/flows/redis/lobby-hub.test.ts',
  'test/flows/redis/processes.test.ts',
  'test/flows/redis/shared-state.test.ts',
  'test/flows/redis/store.test.ts',
  'test/generated/interface-drift.test.ts',
  'test/generated/rate-limit-soak.test.ts',
  'test/generated/sdk-agreement.test.ts',
  'test/generated/session-schedules.test.ts',
]
const IMPORT = /from '(\.[^']+)'/g

/**
 * Empties the cache, unless it was made from the same source.
 *
 * @param {string[]} folders
 */
export async function openCache(folders) {
  const key = await hashFiles((await Promise.all(SOURCES.map(listFiles))).flat(), folders)
  if ((await readFile(KEY, 'utf8').catch(() => '')) === key) return
  await rm(CACHE, { recursive: true, force: true })
  await mkdir(CACHE, { recursive: true })
  await writeFile(KEY, key)
}

/**
 * Maps test files to what they execute, as far as known: `{ file, hash, ms, outside, tests }`. `outside`: mutants that run outside of tests,
 * such as during an import. `tests`: `{ id, mutants }` of each test. Deleted files are left out.
 *
 * @returns {Promise<Map<string, Coverage>>}
 */
export async function readCoverage() {
  /** @type {Coverage[]} */
  const stored = JSON.parse(await readFile(STORED, 'utf8').catch(() => '[]'))
  const names = new Set((await findTestFiles()).map(({ name }) => name))
  return new Map(stored.filter(({ file }) => names.has(file)).map((test) => [test.file, test]))
}

/** @param {Map<string, Coverage>} known */
export async function storeCoverage(known) {
  await writeFile(STORED, JSON.stringify([...known.values()]))
}

/** Lists the test files with a hash of their content and of the test code that they import. */
export async function findTestFiles() {
  const names = (await Promise.all(TEST_FOLDERS.map((folder) => listFiles(join('test', folder))))).flat()
  const tests = names.filter((name) => name.endsWith('.test.ts') && !EXCLUDED.includes(name))
  return Promise.all(
    tests.map(async (name) => ({ name: resolve(name), hash: await hashFiles(await findImports(name)) })),
  )
}

/**
 * Reads what each test file reported at its end.
 *
 * @param {string} folder
 * @returns {Promise<Pick<Coverage, 'file' | 'outside' | 'tests'>[]>}
 */
export async function readReports(folder) {
  return Promise.all(
    (await readdir(folder)).map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))),
  )
}

/**
 * Returns the file and all files of `test/` that it imports, directly or not.
 *
 * @param {string} name
 * @param {Set<string>} [found]
 */
async function findImports(name, found = new Set()) {
  const text = await readFile(name, 'utf8').catch(() => undefined)
  if (text === undefined || found.has(name)) return found
  found.add(name)
  for (const [, path = ''] of text.matchAll(IMPORT)) {
    const imported = join(dirname(name), path)
    if (imported.startsWith('test/'))
      await findImports(/\.[a-z]+$/.test(path) ? imported : `${imported}.ts`, found)
  }
  return found
}

/** @param {string} path */
async function listFiles(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null)
  if (!entries) return [path]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/**
 * @param {Iterable<string>} names
 * @param {string[]} [folders]
 */
async function hashFiles(names, folders = []) {
  const hash = createHash('sha256').update(folders.join())
  for (const name of names) hash.update(name).update(await readFile(name))
  return hash.digest('hex')
}
