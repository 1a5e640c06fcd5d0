/** Reads the command line: its options, and those that npm has taken for its own because `--` was missing. */
import { parseArgs } from 'node:util'
import { FRAMEWORKS, HOSTS, LANGUAGES } from './create-project.js'

/** @import { Answers } from './create-project.js' */
/** @typedef {{ [Name in keyof Answers]?: Answers[Name] | undefined }} Given */

/** Short names that other programs take. */
const LANGUAGE_NAMES = new Map([
  ['ts', 'typescript'],
  ['js', 'javascript'],
])

/**
 * Returns the given answers, or undefined for `--help`.
 *
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Given | undefined}
 * @throws Error for an unknown option, and for more than one name.
 */
export function readOptions(args, env) {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const [name, ...more] = positionals
  const taken = takenByNpm(env)
  const cut = Object.keys(taken).find((each) => taken[each] === true && each !== 'backend')
  if (cut !== undefined)
    throw new Error(
      `npm has taken --${cut} for an option of its own. Write -- before the options: npm create foyer ${name ?? 'my-game'} -- --${cut} ${more[0] ?? 'NAME'}`,
    )
  if (more.length > 0)
    throw new Error(
      `a game has one name, and there are ${positionals.length}: ${positionals.join(' ')}. Options begin with --, as in --framework react`,
    )
  const all = { ...taken, ...values }
  return {
    name,
    backend: asSwitch(all.backend),
    host: lower(all.host),
    ...kindOf(all.framework ?? all.template, all.language),
  }
}

/** @type {{ framework: { type: 'string' }, template: { type: 'string' }, language: { type: 'string' }, backend: { type: 'boolean' }, host: { type: 'string' }, help: { type: 'boolean', short: string } }} */
const OPTIONS = {
  framework: { type: 'string' },
  template: { type: 'string' },
  language: { type: 'string' },
  backend: { type: 'boolean' },
  host: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({ args, allowPositionals: true, allowNegative: true, options: OPTIONS })
  } catch (error) {
    const { message = '' } = Object(error)
    const [, name] = /^Unknown option '([^']*)'/.exec(message) ?? []
    const fault = String(message)
      .split(/\. |\n/)[0]
      ?.replace(/\.$/, '')
    const hint = name === undefined ? undefined : findMeant(name.replace(/^-+/, ''))
    throw new Error(
      hint === undefined
        ? `${fault}: npm create foyer -- --help lists the options`
        : `${fault}: did you mean ${hint}?`,
      { cause: error },
    )
  }
}

/**
 * The option that was meant by an unknown one: a similar name, or one whose value was written as an option, as in `--react`.
 *
 * @param {string} given
 */
function findMeant(given) {
  const values = { framework: Object.keys(FRAMEWORKS), language: LANGUAGES, host: Object.keys(HOSTS) }
  const name = given.toLowerCase()
  for (const [option, all] of Object.entries(values)) {
    const value = option === 'language' ? languageOf(name) : name
    if (all.includes(value)) return `--${option} ${value}`
  }
  const near = Object.keys(OPTIONS).find((each) => isNear(name, each))
  return near === undefined ? undefined : `--${near}`
}

/** @param {string} word */
const sorted = (word) => Array.from(word).sort().join('')

/**
 * True for the beginning of a word, the same letters in another order, and one or two neighbouring letters that differ.
 *
 * @param {string} given
 * @param {string} word
 */
function isNear(given, word) {
  if (given.length > 2 && word.startsWith(given)) return true
  if (sorted(given) === sorted(word)) return true
  const [short, long] = given.length < word.length ? [given, word] : [word, given]
  let start = 0
  while (start < short.length && short[start] === long[start]) start++
  let end = 0
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++
  return long.length - start - end < (word.length > 4 ? 3 : 2)
}

/**
 * npm makes `npm create foyer my-game --backend` a setting of its own, and hands its value over in the environment: true if the value stood
 * behind a blank.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {Record<string, string | boolean | undefined>}
 */
function takenByNpm(env) {
  const names = ['framework', 'template', 'language', 'backend', 'host']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[`npm_config_${name}`]
      return value === undefined ? [] : [[name, value === 'true' ? true : value]]
    }),
  )
}

/** @param {string | boolean | undefined} value Empty for `--no-backend`. */
const asSwitch = (value) => (value === undefined ? undefined : Boolean(value))

/**
 * Framework and language in any case. `react-ts` names both, as the templates of Vite do.
 *
 * @param {unknown} framework
 * @param {unknown} language
 */
function kindOf(framework, language) {
  const name = lower(framework)
  const [, base = name, ending] = /^(.+)-(ts|js)$/.exec(name ?? '') ?? []
  const written = lower(language) ?? ending
  return { framework: base, language: written === undefined ? undefined : languageOf(written) }
}

/**
 * The language that a name or its short form means, in any case.
 *
 * @param {string} name
 */
export function languageOf(name) {
  const text = name.toLowerCase()
  return LANGUAGE_NAMES.get(text) ?? text
}

/** @param {unknown} text */
const lower = (text) => (typeof text === 'string' ? text.toLowerCase() : undefined)
