#!/usr/bin/env node
/** `npm create foyer [name] [-- --framework NAME --backend]`: asks for what is missing, and creates the game. */
import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { createProject, findFault, FRAMEWORKS } from './create-project.js'

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
  if (error.name === 'AbortError') fail('cancelled, nothing was written')
  else if (String(error.code).startsWith('ERR_PARSE_ARGS')) fail(`${error.message}\n\n${USAGE}`)
  else throw error
}

/** Asks for missing answers; without a terminal they have defaults. */
async function complete({ name, framework, backend }) {
  const terminal = process.stdin.isTTY ? createInterface({ input: process.stdin, output: process.stdout }) : undefined
  const ask = async (question, fallback) => (await terminal?.question(`${question} (${fallback}) `))?.trim() || fallback
  const list = Object.entries(FRAMEWORKS).map(([each, purpose]) => `  ${each.padEnd(14)} ${purpose}`)
  try {
    const answers = { name: name ?? (await ask('Name of the game:', 'my-game')) }
    answers.framework = framework ?? (await ask(`${list.join('\n')}\nFramework:`, 'vanilla'))
    answers.backend = backend ?? (answers.framework === 'vanilla' && (await ask('With a backend? y/n', 'n')) === 'y')
    return answers
  } finally {
    terminal?.close()
  }
}

function create(answers) {
  const fault = findFault(answers, process.cwd())
  if (fault) return fail(fault)
  try {
    createProject(answers, process.cwd())
  } catch (error) {
    return fail(`the folder ${answers.name} cannot be written: ${error.message}`)
  }
  console.log(`\n${answers.name} is ready. Start it, with an emulated service:\n\n  cd ${answers.name} && npm install && npm run dev\n`)
}

function fail(text) {
  console.error(`create-foyer: ${text}`)
  process.exitCode = 1
}
