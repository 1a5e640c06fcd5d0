/** `foyer-emulator check`, `plan` and `sync`: validates the commands in a file, and deploys them to the service. */
import { formerName } from '../../foundation/former-names.js'
import { readText } from '../../foundation/text-files.js'
import { fieldsOf, textOf } from '../../foundation/values.js'
import { UsageError } from './parse-options.js'
import type { CommandsOptions } from './read-arguments.js'
import { createJiti } from 'jiti'
import { createRequire } from 'node:module'
import { extname, join, resolve } from 'node:path'
import { styleText } from 'node:util'

interface CommandsRun {
  name: 'check' | 'plan' | 'sync'
  file: string
  options: CommandsOptions
}

/** @returns the exit code: 0 for success, 1 for problems or a refusal. @throws UsageError. */
export async function run({ name, file, options }: CommandsRun): Promise<number> {
  const sdk = loadSdk()
  const definitions = await readDefinitions(file)
  const issues = sdk.validateCommands(definitions, {
    scope: options.guild === undefined ? 'global' : 'guild',
  })
  const sound = !issues.some(({ level }) => level === 'error')
  if (name === 'check' || !sound) return reportIssues(issues, definitions, options)
  const commands = connect(sdk, options)
  try {
    if (name === 'plan') return reportPlan(await commands.plan(definitions), options)
    return await sync(commands, definitions, options)
  } catch (error) {
    return reportError(error, options)
  }
}

function connect(sdk: Sdk, { url, applicationId, guild }: CommandsOptions): Commands {
  const token = process.env['FOYER_BOT_TOKEN']
  if (!url)
    throw new UsageError(`which service? --url URL, or FOYER_HOST${formerName('FOYER_HOST', process.env)}`)
  if (!applicationId)
    throw new UsageError(
      `which application? --application-id ID, or FOYER_APPLICATION_ID${formerName('FOYER_APPLICATION_ID', process.env)}`,
    )
  if (!token)
    throw new UsageError(
      `FOYER_BOT_TOKEN is not set: the token is taken from the environment, where no other user can read it${formerName('FOYER_BOT_TOKEN', process.env)}`,
    )
  if (guild !== undefined && !/^[1-9]\d{0,19}$/.test(guild))
    throw new UsageError('--guild must be an id: decimal digits')
  try {
    const { commands } = new sdk.ApplicationClient({
      applicationId,
      service: { host: url },
      credentials: sdk.botToken(token),
    })
    return guild === undefined ? commands.global : commands.guild(guild)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function sync(
  commands: Commands,
  definitions: readonly unknown[],
  { json, allowEmpty }: CommandsOptions,
): Promise<number> {
  const print = (text: string) => {
    if (!json) process.stdout.write(text)
  }
  const { plan, requests } = await commands.sync(definitions, {
    allowEmpty,
    // Printed before anything is written: it names what a rename or a delete destroys.
    onPlan: (ahead) => print(ahead.steps.length === 0 ? '' : printPlan(String(ahead))),
    onStep: (progress) => print(printProgress(progress)),
  })
  if (json) return printJson({ ...summary(plan), requests })
  print(
    plan.steps.length === 0
      ? `Nothing to do: ${plan.keeps.length} commands are as they should be.\n`
      : `Done, in ${requests} requests.\n`,
  )
  return 0
}

function reportIssues(
  issues: readonly Issue[],
  definitions: readonly unknown[],
  { json }: CommandsOptions,
): number {
  const errors = issues.filter(({ level }) => level === 'error').length
  const count = definitions.length
  if (json) printJson({ commands: count, issues })
  else
    process.stdout.write(
      `${printIssues(issues, { definitions })}${count} commands, ${errors} errors, ${issues.length - errors} warnings.\n`,
    )
  return errors > 0 ? 1 : 0
}

function reportPlan(plan: Plan, { json }: CommandsOptions): number {
  if (json) return printJson(summary(plan))
  process.stdout.write(printPlan(String(plan)))
  return 0
}

function summary({ steps, keeps, warnings, budget }: Plan) {
  return { steps, keeps: keeps.length, warnings, budget }
}

/** Prints an error of the SDK, which contains no secret; rethrows any other error as a bug. */
function reportError(error: unknown, { json, url = '' }: CommandsOptions): number {
  if (!(error instanceof Error) || !('code' in error)) throw error
  if (json) return printJson({ error }, 1)
  const { issues, status, retryable }: Refusal = error
  const where = status === undefined ? new URL(url).origin : `the service answered ${status}`
  process.stderr.write(
    `foyer-emulator: ${error.name}: ${error.message} (${where})\n${printIssues(issues ?? [], { to: process.stderr })}`,
  )
  if (status === 401)
    process.stderr.write('Is FOYER_BOT_TOKEN the token of this application, and of this service?\n')
  if (retryable === true) process.stderr.write('It may work later; a second run goes on from what exists.\n')
  return 1
}

/** Additional properties of the SDK's errors. */
interface Refusal {
  code: unknown
  issues?: readonly Issue[]
  status?: number
  retryable?: boolean
}

function printJson(outcome: unknown, exitCode = 0): number {
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
  return exitCode
}

type Style = Parameters<typeof styleText>[0]

/** Honours NO_COLOR and FORCE_COLOR. */
function paint(style: Style, text: string, { isTTY }: { isTTY?: boolean } = process.stdout): string {
  const { NO_COLOR: plain, FORCE_COLOR: forced } = process.env
  return (isTTY && !plain) || (forced && forced !== '0')
    ? styleText(style, text, { validateStream: false })
    : text
}

/** Output stream of the issues, and the definitions that provide the names in them. */
interface Printing {
  to?: { isTTY?: boolean }
  definitions?: readonly unknown[]
}

export function printIssues(
  issues: readonly Issue[],
  { to = process.stdout, definitions = [] }: Printing = {},
): string {
  return issues.map((issue) => printIssue(issue, { to, definitions })).join('')
}

function printIssue({ path, code, message, level }: Issue, { to, definitions }: Required<Printing>): string {
  const mark = level === 'warning' ? paint('yellow', '! warning', to) : paint('red', '✗ error  ', to)
  const name = textOf(fieldsOf(definitions[Number(/^\[(\d+)\]/.exec(path)?.[1])])['name'])
  const owner = name === undefined ? '' : ` ${paint('cyan', name, to)}`
  return `${mark}${owner} ${paint('bold', path || 'list', to)} ${message} ${paint('dim', code, to)}\n`
}

/** The text of a plan, each line coloured by its action. */
export function printPlan(plan: string): string {
  return `${plan.split('\n').map(printPlanLine).join('\n')}\n`
}

const COLOURS: Readonly<Record<string, Style>> = { '+': 'green', '~': 'yellow', '-': 'red', '!': 'magenta' }

function printPlanLine(line: string): string {
  const style = COLOURS[line.charAt(0)]
  return style ? paint(style, line) : line
}

function printProgress({ step, done, total }: SyncProgress): string {
  const name = step.command?.name ?? step.existing?.name ?? ''
  return `${paint('dim', `[${String(done).padStart(String(total).length)}/${total}]`)} ${step.action}d ${name}\n`
}

/**
 * Returns the list in a file, or its default export. Only checks that it is a list; unwraps the result of `defineCommand`.
 * @throws UsageError with a one-line message.
 */
async function readDefinitions(file: string): Promise<readonly unknown[]> {
  const path = resolve(file)
  let content: unknown
  try {
    content = await read(path)
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`,
    )
  }
  if (!Array.isArray(content))
    throw new UsageError(`${file} must hold a list of commands, or export one as its default`)
  return content.map(definitionOf)
}

/** `defineCommand` returns the definition together with its handlers. */
function definitionOf(command: unknown): unknown {
  const { definition, routes } = fieldsOf(command)
  return routes instanceof Map ? definition : command
}

async function read(path: string): Promise<unknown> {
  if (extname(path) === '.json') return JSON.parse(readText(path))
  // Node loads TypeScript natively since 22.18 only.
  return createJiti(import.meta.url).import(path, { default: true })
}

export interface Issue {
  path: string
  code: string
  message: string
  level: 'error' | 'warning'
}

interface Plan {
  steps: readonly { action: 'create' | 'update' | 'delete' }[]
  keeps: readonly unknown[]
  warnings: readonly Issue[]
  budget: { creates: number; limit: number }
  toString(): string
}

export interface SyncProgress {
  step: { action: 'create' | 'update' | 'delete'; command?: { name: string }; existing?: { name: string } }
  done: number
  total: number
}

export interface SyncOptions {
  allowEmpty: boolean
  onPlan: (plan: Plan) => void
  onStep: (progress: SyncProgress) => void
}

export interface Commands {
  plan(desired: unknown): Promise<Plan>
  sync(desired: unknown, options: SyncOptions): Promise<{ plan: Plan; requests: number }>
}

interface Sdk {
  validateCommands(list: unknown, options: { scope: 'global' | 'guild' }): Issue[]
  botToken(token: string): unknown
  ApplicationClient: new (options: {
    applicationId: string
    service: { host: string }
    credentials: unknown
  }) => {
    commands: { global: Commands; guild(id: string): Commands }
  }
}

/** @throws UsageError if foyer-sdk is not installed in the project. */
function loadSdk(folder: string = process.cwd()): Sdk {
  try {
    const sdk: Sdk = createRequire(join(folder, 'package.json'))('foyer-sdk/server')
    return sdk
  } catch (error) {
    throw new UsageError(
      `this needs foyer-sdk in ${folder}: npm install foyer-sdk (${error instanceof Error ? error.message.split('\n')[0] : String(error)})`,
    )
  }
}
