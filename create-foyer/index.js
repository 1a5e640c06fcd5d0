#!/usr/bin/env node
/** `npm create foyer [name] [-- --framework NAME --backend]`: asks for what is missing, and creates the game. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { createProject, findFault, FRAMEWORKS } from './create-project.js'

/** @import { Answers } from './create-project.js' */

const USAGE = `npm create foyer [NAME] [-- OPTIONS]

  --framework NAME   ${Object.keys(FRAMEWORKS).join(', ')}
  --backend          with a Hono backend (vanilla only)
  --no-backend       without
`

try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    options: { framework: { type: 'string' }, backend: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) console.log(USAGE)
  else create(await complete({ name: positionals[0], framework: values.framework, backend: values.backend }))
} catch (error) {
  // Ctrl-C or Ctrl-D at a question.
  const { name, code, message } = Object(error)
  if (name === 'AbortError') fail('cancelled, nothing was written')
  else if (String(code).startsWith('ERR_PARSE_ARGS')) fail(`${message}\n\n${USAGE}`)
  else throw error
}

/**
 * Asks for missing answers. Without a terminal they have defaults.
 *
 * @param {{ [Name in keyof Answers]: Answers[Name] | undefined }} given
 * @returns {Promise<Answers>}
 */
async function complete({ name, framework, backend }) {
  const terminal = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : undefined
  /**
   * @param {string} question
   * @param {string} fallback
   */
  const ask = async (question, fallback) => (await terminal?.question(`${question} (${fallback}) `))?.trim() || fallback
  const list = Object.entries(FRAMEWORKS).map(([each, purpose]) => `  ${each.padEnd(14)} ${purpose}`)
  try {
    const called = name ?? (await ask('Name of the game:', 'my-game'))
    const chosen = framework ?? (await ask(`${list.join('\n')}\nFramework:`, 'vanilla'))
    const isServed = backend ?? (chosen === 'vanilla' && (await ask('With a backend? y/n', 'n')) === 'y')
    return { name: called, framework: chosen, backend: isServed }
  } finally {
    terminal?.close()
  }
}

/** @param {Answers} answers */
function create(answers) {
  const fault = findFault(answers, process.cwd())
  if (fault) return fail(fault)
  try {
    createProject(answers, process.cwd())
  } catch (error) {
    return fail(`the folder ${answers.name} cannot be written: ${error instanceof Error ? error.message : String(error)}`)
  }
  console.log(`\n${answers.name} is ready. Start it, with an emulated service:\n\n  cd ${answers.name} && npm install && npm run dev\n`)
}

/** @param {string} text */
function fail(text) {
  console.error(`create-foyer: ${text}`)
  process.exitCode = 1
}
