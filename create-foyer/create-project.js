/** Creates the folder of a game from a template. */
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @typedef {{ name: string, framework: string, language: string, backend?: boolean | undefined, host?: string | undefined }} Answers */
/** @typedef {Omit<Answers, 'name'>} Choice */

const TEMPLATES = fileURLToPath(new URL('templates', import.meta.url))

/** Templates, with what each is for. */
export const FRAMEWORKS = {
  vanilla: 'No framework',
  react: 'React',
  phaser: 'Phaser, with a race for stars',
  'four-in-a-row': 'A finished game for two, to change',
}

/** Each template is there in each of them. The first is the default. */
export const LANGUAGES = ['typescript', 'javascript']

/** Where the backend of a game without a framework runs, with the template that has it. The first is the default. @type {Record<string, string>} */
export const HOSTS = { node: 'hono-backend', workers: 'workers-backend' }

/**
 * A name that is a folder and a package: lower-case letters, digits, `-`, `_`, `.`.
 *
 * @param {string} name
 */
const isName = (name) => /^[a-z\d][a-z\d._-]{0,99}$/.test(name)

/** Devices of Windows, with any extension, a dot at the end, which Windows drops, and names that npm refuses. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|\.$|^(?:node_modules|favicon\.ico)$/

/**
 * Returns the folder of a game and the name of its package: `games/moon` is a game named moon, and `.` is one in this folder.
 *
 * @param {string} path
 * @param {string} cwd
 */
function locate(path, cwd) {
  const folder = resolve(cwd, path)
  return { folder, name: basename(folder) }
}

/**
 * Returns the fault of a name or a path, or undefined.
 *
 * @param {string} path
 * @param {string} cwd
 */
export function findNameFault(path, cwd) {
  const { folder, name } = locate(path, cwd)
  const isInside = folder === resolve(cwd) || folder.startsWith(join(resolve(cwd), '/'))
  if (!isName(name) || !isInside)
    return `${JSON.stringify(isInside ? name : path)} cannot be a folder and a package: use lower-case letters, digits and "-"`
  const reserved = path.split(/[\\/]/).find((each) => each !== '.' && RESERVED.test(each))
  if (reserved !== undefined) return `Windows or npm uses the name ${reserved} itself: take another`
  if (!existsSync(folder)) return undefined
  if (!statSync(folder).isDirectory())
    return `there is a file named ${path} here: take another name, or move the file`
  // A new repository is as good as an empty folder.
  return readdirSync(folder).some((each) => each !== '.git') ? `the folder ${path} is not empty` : undefined
}

/**
 * Frameworks without a template that the manual has code for.
 *
 * @param {string} framework
 */
const hintFor = (framework) =>
  /^(?:vue|nuxt|svelte|sveltekit)$/.test(framework)
    ? '. Take vanilla, and the code of docs/frameworks.md in the package foyer-sdk'
    : ''

/**
 * Returns the fault of the answers, or undefined.
 *
 * @param {Answers} answers
 * @param {string} cwd
 */
export function findFault({ name, ...choice }, cwd) {
  const { framework, language, backend, host } = choice
  if (!Object.hasOwn(FRAMEWORKS, framework))
    return `there is no framework ${JSON.stringify(framework)}: ${Object.keys(FRAMEWORKS).join(', ')}${hintFor(framework)}`
  if (!LANGUAGES.includes(language))
    return `there is no language ${JSON.stringify(language)}: ${LANGUAGES.join(', ')}`
  if (backend && framework !== 'vanilla')
    return 'a backend comes with the framework vanilla only: add its files to another game later'
  if (host !== undefined && !Object.hasOwn(HOSTS, host))
    return `there is no host ${JSON.stringify(host)}: ${Object.keys(HOSTS).join(', ')}`
  if (host !== undefined && !backend) return '--host is that of a backend: leave out --no-backend'
  const fault = findNameFault(name, cwd)
  if (fault !== undefined) return fault
  const { dependencies, devDependencies } = readManifest(templateOf(choice))
  const { name: own } = locate(name, cwd)
  const isUsed = Object.hasOwn({ ...dependencies, ...devDependencies }, own)
  return isUsed ? `the game uses a package named ${own}: take another name` : undefined
}

/** @param {Choice} choice */
const templateOf = ({ framework, language, backend, host = 'node' }) =>
  join(TEMPLATES, language, (backend && HOSTS[host]) || framework)
/** @param {string} folder */
const readManifest = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))

/**
 * Writes the game into a folder of its own. Overwrites nothing: see `findFault`.
 *
 * @param {Answers} answers
 * @param {string} cwd
 */
export function createProject({ name: path, ...choice }, cwd) {
  const { folder, name } = locate(path, cwd)
  mkdirSync(folder, { recursive: true })
  cpSync(templateOf(choice), folder, { recursive: true })
  rename(join(folder, 'package.json'), name)
  // Its name is a part of its address, which has no dots and no underscores.
  rename(join(folder, 'wrangler.json'), name.replaceAll(/[._]/g, '-'))
  // npm leaves files of this name out of packages.
  writeFileSync(join(folder, '.gitignore'), 'node_modules/\ndist/\n.env\n.env.*.local\n')
  beginRepository(folder)
}

/**
 * Makes the folder a repository, unless it is inside of one. Nothing happens without Git.
 *
 * @param {string} folder
 */
function beginRepository(folder) {
  const git = (/** @type {string[]} */ ...args) =>
    spawnSync('git', args, { cwd: folder, stdio: 'ignore' }).status
  if (git('rev-parse', '--is-inside-work-tree') !== 0) git('init', '--quiet')
}

/**
 * Writes the name of the game into one of its files, if it has that file.
 *
 * @param {string} file
 * @param {string} name
 */
function rename(file, name) {
  if (!existsSync(file)) return
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify({ ...manifest, name }, null, 2)}\n`)
}
