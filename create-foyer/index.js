#!/usr/bin/env node
/** `npm create foyer [name] [-- OPTIONS]`: asks for what is missing, and creates the game. Begins in old versions of Node too. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { createProject, findFault, findNameFault, FRAMEWORKS, HOSTS, LANGUAGES } from './create-project.js'

/** @import { Answers } from './create-project.js' */

const USAGE = `npm create foyer [NAME] [-- OPTIONS]

  NAME               of a new folder, a path such as games/moon, or . for this folder, if it is empty

  --framework NAME   ${Object.keys(FRAMEWORKS).join(', ')}
  --language NAME    ${LANGUAGES.join(', ')}
  --backend          with a backend that signs players in (vanilla only)
  --host NAME        where it runs: ${Object.keys(HOSTS).join(', ')}
  --no-backend       without
`

/** Exit code of a program that Ctrl-C ends. */
const INTERRUPTED = 130

try {
  if (isTooOld(process.versions.node))
    fail(`Node ${process.versions.node} is too old: install Node 20.19 or newer`)
  else await run()
} catch (error) {
  // Ctrl-C or Ctrl-D at a question.
  const { name, code, message } = Object(error)
  if (name === 'AbortError') fail('cancelled, nothing was written', INTERRUPTED)
  else if (String(code).startsWith('ERR_PARSE_ARGS'))
    fail(`${firstSentence(message)}: npm create foyer -- --help lists the options`)
  else fail(String(message ?? error))
}

async function run() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: {
      framework: { type: 'string' },
      language: { type: 'string' },
      backend: { type: 'boolean' },
      host: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(USAGE)
  const [name, ...more] = positionals
  if (more.length > 0)
    return fail(`a game has one name, and there are ${positionals.length}: ${positionals.join(' ')}`)
  const { framework, language, backend, host } = values
  return create(await complete({ name, framework, language, backend, host }))
}

/** @param {string} version */
function isTooOld(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < 20 || (major === 20 && minor < 19)
}

/** @param {string} text */
function firstSentence(text) {
  return text.split(/\. |\n/)[0]?.replace(/\.$/, '')
}

/**
 * Asks for missing answers. Without a terminal they have defaults.
 *
 * @param {{ [Name in keyof Answers]: Answers[Name] | undefined }} given
 * @returns {Promise<Answers>}
 */
async function complete({ name, framework, language, backend, host }) {
  const terminal = process.stdin.isTTY
    ? createInterface({ input: process.stdin, output: process.stdout })
    : undefined
  const end = new AbortController()
  // Ctrl-D, or a terminal that is closed.
  terminal?.once('close', () => end.abort())
  /**
   * @param {string} question
   * @param {string} fallback
   */
  const ask = async (question, fallback) =>
    (await terminal?.question(`${question} (${fallback}) `, { signal: end.signal }))?.trim() || fallback
  const list = Object.entries(FRAMEWORKS).map(([each, purpose]) => `  ${each.padEnd(14)} ${purpose}`)
  const [typescript = ''] = LANGUAGES
  try {
    const called = name ?? (await ask('Name of the game:', 'my-game'))
    refuse(findNameFault(called, process.cwd()))
    const chosen = framework ?? (await ask(`${list.join('\n')}\nFramework:`, 'vanilla'))
    refuse(findFault({ name: called, framework: chosen, language: typescript }, process.cwd()))
    const written = language ?? (await ask(`Language, ${LANGUAGES.join(' or ')}:`, typescript))
    refuse(findFault({ name: called, framework: chosen, language: written }, process.cwd()))
    const isServed =
      backend ??
      (host !== undefined || (chosen === 'vanilla' && isYes(await ask('With a backend? y/n', 'n'))))
    const [node = '', ...others] = Object.keys(HOSTS)
    const place =
      isServed && host === undefined
        ? await ask(`Where does it run? ${[node, ...others].join(' or ')}:`, node)
        : undefined
    return { name: called, framework: chosen, language: written, backend: isServed, host: host ?? place }
  } finally {
    terminal?.close()
  }
}

/** @param {string | undefined} fault */
function refuse(fault) {
  if (fault !== undefined) throw new Error(fault)
}

/** @param {string} answer */
function isYes(answer) {
  if (!/^(?:y|yes|n|no)$/i.test(answer)) throw new Error(`${JSON.stringify(answer)} is neither y nor n`)
  return /^y/i.test(answer)
}

/** @param {Answers} answers */
function create(answers) {
  const fault = findFault(answers, process.cwd())
  if (fault) return fail(fault)
  try {
    createProject(answers, process.cwd())
  } catch (error) {
    return fail(
      `the folder ${answers.name} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  console.log(
    `\n${answers.name === '.' ? 'The game' : answers.name} is ready. Start it, with an emulated service:\n\n  ${commandsFor(answers.name)}\n`,
  )
}

/**
 * Returns the commands of the package manager that runs this.
 *
 * @param {string} name
 */
function commandsFor(name) {
  const [manager = ''] = (process.env['npm_config_user_agent'] ?? '').split('/')
  const used = ['pnpm', 'yarn', 'bun'].includes(manager) ? manager : 'npm'
  const start = `${used} install && ${used} run dev`
  return name === '.' ? start : `cd ${name} && ${start}`
}

/**
 * @param {string} text
 * @param {number} [code]
 */
function fail(text, code = 1) {
  console.error(`create-foyer: ${text}`)
  process.exitCode = code
}
