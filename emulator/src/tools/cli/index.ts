/** Command-line entry: parses the arguments, and loads only the modules that the command needs. */
import { readFileSync } from 'node:fs'
import { UsageError } from './parse-options.js'
import { HELP, readArguments } from './read-arguments.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import { EmulatorError } from '../../foundation/emulator-error.js'

async function main(argv: string[]): Promise<number> {
  const command = readArguments(argv)
  if (command.name === 'help') return print(HELP)
  if (command.name === 'version') return print(`${version()}\n`)
  if (command.name === 'exec') return (await import('./exec.js')).exec(command.options, command.command)
  if (command.name === 'drift')
    return exit(await (await import('./drift-command.js')).drift(command).catch(fail))
  if (command.name !== 'start')
    return exit(await (await import('./application-commands.js')).run(command).catch(fail))
  const { start } = await import('./start.js')
  return start({ options: command.options, json: command.json, quiet: command.quiet, version: version() })
}

function print(text: string): number {
  process.stdout.write(text)
  return 0
}

/** Exits after the output is flushed, without waiting for handles: a file of commands may have opened a database, for example. */
async function exit(code: number): Promise<never> {
  for (const stream of [process.stdout, process.stderr])
    await new Promise((printed) => stream.write('', printed))
  process.exit(code)
}

function version(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  return textOf(fieldsOf(manifest)['version']) ?? ''
}

function fail(error: unknown): number {
  const expected = error instanceof UsageError || error instanceof EmulatorError
  const hint = error instanceof UsageError ? ' (see foyer-emulator --help)' : ''
  process.stderr.write(
    `foyer-emulator: ${expected ? error.message : (error instanceof Error && error.stack) || String(error)}${hint}\n`,
  )
  return error instanceof UsageError ? 2 : 1
}

process.exitCode = await main(process.argv.slice(2)).catch(fail)
