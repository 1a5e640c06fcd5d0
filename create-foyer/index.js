#!/usr/bin/env node
/** `npm create foyer [name] [-- OPTIONS]`: asks for what is missing, and creates the game. Begins in old versions of Node too. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { createProject, findFault, findNameFault, FRAMEWORKS, HOSTS, LANGUAGES } from './create-project.js'
import { languageOf, readOptions } from './read-options.js'

/** @import { Answers } from './create-project.js' */
/** @import { Given } from './read-options.js' */

const USAGE = `npm create foyer [NAME] [-- OPTIONS]

  NAME               of a new folder, a path such as games/moon, or . for this folder, if it is empty

  --framework NAME   ${Object.keys(FRAMEWORKS).join(', ')}
  --language NAME    ${LANGUAGES.join(', ')}
  --backend          with a backend that signs players in (vanilla only)
  --host NAME        where it runs: ${Object.keys(HOSTS).join(', ')}
  --no-backend       without
`

const PLACES = Object.keys(HOSTS)
const [NODE = ''] = PLACES
/** Exit code of a program that Ctrl-C ends. */
const INTERRUPTED = 130

try {
  if (!isSupported(process.versions.node))
    fail(
      `Node ${process.versions.node} is not supported: install Node 20.19 or newer of version 20, or 22.12 or newer`,
    )
  else await run()
} catch (error) {
  // Ctrl-C or Ctrl-D at a question.
  const { name, message } = Object(error)
  if (name === 'AbortError') fail('cancelled, nothing was written', INTERRUPTED)
  else fail(String(message ?? error))
}

async function run() {
  const given = readOptions(process.argv.slice(2), process.env)
  if (!given) return console.log(USAGE)
  return create(await complete(given))
}

/** @param {string} version */
function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
}

/** @param {(answer: string | undefined, dialog: { question: string, fallback: string, faultOf: (answer: string) => string | undefined }) => Promise<string>} ask */
async function wantsBackend(ask) {
  const answer = await ask(undefined, {
    question: 'With a backend? y/n',
    fallback: 'n',
    faultOf: findNoAnswer,
  })
  return /^y/i.test(answer)
}

/**
 * Asks for missing answers, again after one that cannot be. Without a terminal they have defaults.
 *
 * @param {Given} given
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
   * @param {string | undefined} answer What the command line has said.
   * @param {{ question: string, fallback: string, faultOf: (answer: string) => string | undefined }} dialog
   */
  const ask = async (answer, { question, fallback, faultOf }) => {
    for (let text = answer; ; text = undefined) {
      text ??=
        (await terminal?.question(`${question} (${fallback}) `, { signal: end.signal }))?.trim() || fallback
      const fault = faultOf(text)
      if (fault === undefined) return text
      if (answer !== undefined || !terminal) throw new Error(fault)
      console.log(fault)
    }
  }
  const cwd = process.cwd()
  const list = Object.entries(FRAMEWORKS).map(([each, purpose]) => `  ${each.padEnd(14)} ${purpose}`)
  const [typescript = ''] = LANGUAGES
  try {
    const called = await ask(name, {
      question: 'Name of the game:',
      fallback: 'my-game',
      faultOf: (text) => findNameFault(text, cwd),
    })
    const chosen = await ask(framework, {
      question: `${list.join('\n')}\nFramework:`,
      fallback: 'vanilla',
      faultOf: (text) =>
        findFault({ name: called, framework: text.toLowerCase(), language: typescript }, cwd),
    })
    const used = chosen.toLowerCase()
    const written = await ask(language, {
      question: `Language, ${LANGUAGES.join(' or ')}:`,
      fallback: typescript,
      faultOf: (text) => findFault({ name: called, framework: used, language: languageOf(text) }, cwd),
    })
    const isServed = backend ?? (host !== undefined || (used === 'vanilla' && (await wantsBackend(ask))))
    const place = isServed
      ? await ask(host, {
          question: `Where does it run? ${PLACES.join(' or ')}:`,
          fallback: NODE,
          faultOf: (text) =>
            findFault(
              { name: called, framework: used, language: languageOf(written), backend: true, host: text },
              cwd,
            ),
        })
      : host
    return { name: called, framework: used, language: languageOf(written), backend: isServed, host: place }
  } finally {
    terminal?.close()
  }
}

/** @param {string} answer */
function findNoAnswer(answer) {
  return /^(?:y|yes|n|no)$/i.test(answer) ? undefined : `${JSON.stringify(answer)} is neither y nor n`
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
