/** Stores which tests execute which mutants, so that a second run on the same source starts at once. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CACHE } from './mutants.mjs'

export const STORED = join(CACHE, 'coverage.json')
const KEY = join(CACHE, 'key.txt')
/** All that tests load, besides the test files themselves. */
const SOURCES = ['src', 'emulator/src', 'test', 'scripts/mutate', 'package-lock.json']
const TEST_FOLDERS = ['unit', 'flows', 'attacks', 'cases']

/** Empties the cache, unless it was made from the same source. */
export async function openCache(folders) {
  const key = await hashFiles(
    (await Promise.all(SOURCES.map(listFiles))).flat().filter((name) => !name.endsWith('.test.ts')),
    folders,
  )
  if ((await readFile(KEY, 'utf8').catch(() => '')) === key) return
  await rm(CACHE, { recursive: true, force: true })
  await mkdir(CACHE, { recursive: true })
  await writeFile(KEY, key)
}

/** Maps test files to the mutants that they execute, as far as known: `{ file, hash, ms, mutants }`. Deleted files are left out. */
export async function readCoverage() {
  const stored = JSON.parse(await readFile(STORED, 'utf8').catch(() => '[]'))
  const names = new Set((await findTestFiles()).map(({ name }) => name))
  return new Map(stored.filter(({ file }) => names.has(file)).map((test) => [test.file, test]))
}

/** Lists the test files with a hash of their content. */
export async function findTestFiles() {
  const names = (await Promise.all(TEST_FOLDERS.map((folder) => listFiles(join('test', folder))))).flat()
  const tests = names.filter((name) => name.endsWith('.test.ts'))
  return Promise.all(tests.map(async (name) => ({ name: resolve(name), hash: await hashFiles([name]) })))
}

/** Reads what each test file reported at its end. */
export async function readReports(folder) {
  return Promise.all((await readdir(folder)).map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
}

async function listFiles(path) {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => null)
  if (!entries) return [path]
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function hashFiles(names, folders = []) {
  const hash = createHash('sha256').update(folders.join())
  for (const name of names) hash.update(name).update(await readFile(name))
  return hash.digest('hex')
}
