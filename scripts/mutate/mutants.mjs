/** Draws mutants from the source by a seed, and writes the source with all mutants in it, inactive. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { createModuleLevel } from './module-level.mjs'

/** @import { Instrumented, Mutant, SourceFile } from './mutant-types' */

export const CACHE = resolve('.cache/mutate')
/** String and object literals are left out: a changed message or table is no change of logic. */
const OPTIONS = { plugins: null, ignorers: [], excludedMutations: ['StringLiteral', 'ObjectLiteral'] }
const ignore = () => undefined
const isOff = () => false
const QUIET = {
  trace: ignore,
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  fatal: ignore,
  isTraceEnabled: isOff,
  isDebugEnabled: isOff,
  isInfoEnabled: isOff,
  isWarnEnabled: isOff,
  isErrorEnabled: isOff,
  isFatalEnabled: isOff,
}

/**
 * Draws that many mutants of each folder. A seed always gives the same sample of the same source.
 *
 * @param {{ seed: number, sample: number, folders: string[] }} options
 */
export async function drawMutants({ seed, sample, folders }) {
  /** @type {Mutant[]} */
  const drawn = []
  for (const folder of folders) {
    const files = await readSources(folder)
    const { mutants } = await instrument(files.map((file) => ({ ...file, mutate: true })))
    const logic = mutants.filter(({ status }) => status !== 'Ignored')
    drawn.push(
      ...shuffled(logic, `${seed} ${folder}`)
        .slice(0, sample)
        .map((mutant) => describe(mutant, { folder, files })),
    )
  }
  return drawn
}

/**
 * Writes the files to test: the source of these folders with every mutant in it. Returns the drawn mutants with the ids that activate them,
 * and the source file of every id.
 *
 * @param {Mutant[]} drawn
 * @param {string[]} folders
 */
export async function placeMutants(drawn, folders) {
  const files = (await Promise.all(folders.map(readSources))).flat()
  const placed = await instrument(files.map((file) => ({ ...file, mutate: true })))
  await Promise.all(placed.files.map(({ name, content }) => write(instrumentedPath(name), content)))
  const ids = new Map(placed.mutants.map((mutant) => [identity(mutant), mutant.id]))
  return {
    mutants: drawn.map((mutant) => ({ ...mutant, id: ids.get(identity(mutant)) ?? '' })),
    sources: new Map(placed.mutants.map(({ id, fileName }) => [id, fileName])),
  }
}

/**
 * Returns the path of the file that replaces a source file in the tests.
 *
 * @param {string} name
 */
export function instrumentedPath(name) {
  return join(CACHE, 'source', relative(process.cwd(), name))
}

/** @param {(SourceFile & { mutate: boolean })[]} files */
function instrument(files) {
  return new Instrumenter(QUIET).instrument(files, OPTIONS)
}

/**
 * @param {string} folder
 * @returns {Promise<SourceFile[]>}
 */
async function readSources(folder) {
  const names = folder.endsWith('.ts')
    ? ['']
    : (await readdir(join('src', folder), { recursive: true })).filter((name) => name.endsWith('.ts')).sort()
  return Promise.all(
    names.map(async (name) => {
      const path = resolve('src', folder, name)
      return { name: path, content: await readFile(path, 'utf8') }
    }),
  )
}

/**
 * Describes the mutant with the code that it replaces, for the list of survivors, and with whether it runs when its module is loaded.
 *
 * @param {Instrumented} mutant
 * @param {{ folder: string, files: SourceFile[] }} sample
 * @returns {Mutant}
 */
function describe(mutant, { folder, files }) {
  const file = files.find(({ name }) => name === mutant.fileName)
  if (file === undefined) throw new Error(`No source ${mutant.fileName}.`)
  const lines = file.content.split('\n')
  const { start, end } = mutant.location
  const cut = lines.slice(start.line, end.line + 1)
  cut.push((cut.pop() ?? '').slice(0, end.column))
  cut.unshift((cut.shift() ?? '').slice(start.column))
  return {
    ...mutant,
    folder,
    original: cut.join('\n'),
    isModuleLevel: createModuleLevel(file)(mutant.location),
  }
}

/** @param {Pick<Instrumented, 'fileName' | 'mutatorName' | 'location' | 'replacement'>} mutant */
function identity({ fileName, mutatorName, location, replacement }) {
  return JSON.stringify([fileName, mutatorName, location.start, location.end, replacement])
}

/**
 * @param {string} path
 * @param {string} content
 */
async function write(path, content) {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

/**
 * Shuffles the list deterministically: sorted by a hash of the seed string and the index.
 *
 * @template Item
 * @param {Item[]} list
 * @param {string} text
 */
function shuffled(list, text) {
  /** @param {number} index */
  const weight = (index) => createHash('sha256').update(`${text} ${index}`).digest('hex')
  return list
    .map((item, index) => ({ item, order: weight(index) }))
    .sort((a, b) => (a.order < b.order ? -1 : 1))
    .map(({ item }) => item)
}
