/** Options of the command line, the commands that take them, and the names that were meant by others. */
import { parseArgs } from 'node:util'
import { didYouMean } from '../../foundation/closest-name.js'

export class UsageError extends Error {}

const OPTIONS = {
  port: { type: 'string' },
  host: { type: 'string' },
  credentials: { type: 'string' },
  // The same under its first name, which the Node of npx takes for itself in Node 20.
  'env-file': { type: 'string' },
  quiet: { type: 'boolean' },
  seed: { type: 'string' },
  state: { type: 'string' },
  'strict-refresh': { type: 'boolean' },
  limits: { type: 'string' },
  'interactions-url': { type: 'string' },
  'events-url': { type: 'string' },
  'activity-url': { type: 'string' },
  'activity-port': { type: 'string' },
  'activity-mapping': { type: 'string', multiple: true },
  'activity-proxy': { type: 'boolean' },
  'local-program': { type: 'string' },
  json: { type: 'boolean' },
  url: { type: 'string' },
  'application-id': { type: 'string' },
  guild: { type: 'string' },
  openapi: { type: 'string' },
  against: { type: 'string' },
  brand: { type: 'string' },
  accept: { type: 'string' },
  'allow-empty': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type OptionName = keyof typeof OPTIONS

const SERVING: readonly OptionName[] = [
  'port',
  'host',
  'credentials',
  'env-file',
  'seed',
  'state',
  'strict-refresh',
  'limits',
  'interactions-url',
  'events-url',
  'activity-url',
  'activity-port',
  'activity-mapping',
  'activity-proxy',
  'local-program',
]

/** Options by command, beside `--help` and `--version`. A service that is named suits `check` too, which asks none. */
const COMMANDS: Readonly<Record<string, readonly OptionName[]>> = {
  start: [...SERVING, 'json', 'quiet'],
  // It says itself that it has no --json.
  exec: [...SERVING, 'json', 'quiet'],
  check: ['url', 'application-id', 'guild', 'json'],
  plan: ['url', 'application-id', 'guild', 'json'],
  sync: ['url', 'application-id', 'guild', 'json', 'allow-empty'],
  drift: ['openapi', 'against', 'brand', 'accept', 'json', 'credentials', 'env-file'],
}

/** What other programs call it. */
const MEANT_START: ReadonlySet<string> = new Set(['serve', 'run', 'dev', 'up', 'server', 'listen'])

export type Values = ReturnType<typeof parseOptions>['values']

/**
 * Reads what is before `--`.
 * @throws UsageError for an unknown option, one of another command, and an unknown command.
 */
export function parseOptions(args: string[], { isWhole }: { isWhole: boolean }) {
  const parsed = parse(args, { isWhole })
  const [command] = parsed.positionals
  if (parsed.values.help === true || parsed.values.version === true || command === undefined) return parsed
  const taken = COMMANDS[command]
  if (taken === undefined) throw new UsageError(unknownCommand(command))
  const other = Object.keys(parsed.values).find((name) => !taken.some((each) => each === name))
  if (other === undefined) return parsed
  const owners = Object.keys(COMMANDS).filter((each) => COMMANDS[each]?.some((name) => name === other))
  throw new UsageError(`--${other} is an option of ${owners.join(', ')}. ${command} does not take it`)
}

/** The option that begins with a letter: only -h and -v are short. */
function longOf(short: string): string {
  const names = Object.keys(OPTIONS).filter((name) => name.startsWith(short.slice(1)))
  return names.length === 0 ? '' : ` (did you mean ${names.map((name) => `--${name}`).join(' or ')}?)`
}

function unknownCommand(given: string): string {
  const names = Object.keys(COMMANDS)
  if (MEANT_START.has(given))
    return `unknown command ${JSON.stringify(given)} (did you mean start?): foyer-emulator start --port 4320`
  return `unknown command ${JSON.stringify(given)}${didYouMean(given, names)}: there are ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function parse(args: string[], { isWhole }: { isWhole: boolean }) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const fault = message.split(/[.\n]/)[0] ?? message
    const [, name] = /^Unknown option '([^']*)'/.exec(message) ?? []
    const [, bare] =
      /^Option '(--[a-z-]+)(?: <value>)?' argument (?:missing|is ambiguous)/.exec(message) ?? []
    if (bare !== undefined) throw new UsageError(`${bare} needs a value after it: ${bare} VALUE`)
    if (name === undefined) throw new UsageError(fault)
    const meant = /^-[a-z]$/.test(name)
      ? longOf(name)
      : didYouMean(name.replace(/^-+/, ''), Object.keys(OPTIONS), '--')
    // `exec node --watch server.js`: the option is of the command.
    throw new UsageError(
      fault + (isWhole && args[0] === 'exec' && !meant ? '; write the command after --' : meant),
    )
  }
}
