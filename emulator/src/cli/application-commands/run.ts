/** `foyer-emulator check`, `plan` and `sync`: validates the commands in a file, and deploys them to the service. */
import type { CommandsOptions } from '../read-arguments.js'
import { UsageError } from '../read-arguments.js'
import { readDefinitions } from './read-definitions.js'
import { printIssues, printPlan, printProgress } from './print-issues.js'
import { type Commands, type Issue, loadSdk, type Plan, type Sdk } from './load-sdk.js'

export interface CommandsRun {
  name: 'check' | 'plan' | 'sync'
  file: string
  options: CommandsOptions
}

/** @returns the exit code: 0 for success, 1 for problems or a refusal. @throws UsageError. */
export async function run({ name, file, options }: CommandsRun): Promise<number> {
  const sdk = loadSdk()
  const definitions = await readDefinitions(file)
  const issues = sdk.validateCommands(definitions, { scope: options.guild === undefined ? 'global' : 'guild' })
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
  if (url === undefined) throw new UsageError('which service? --url URL, or FOYER_URL')
  if (applicationId === undefined) throw new UsageError('which application? --application-id ID, or FOYER_APPLICATION_ID')
  if (!token) throw new UsageError('FOYER_BOT_TOKEN is not set: the token is taken from the environment, where no other user can read it')
  if (guild !== undefined && !/^[1-9]\d{0,19}$/.test(guild)) throw new UsageError('--guild must be an id: decimal digits')
  try {
    const { commands } = new sdk.ApplicationClient({ applicationId, service: { host: url }, credentials: sdk.botToken(token) })
    return guild === undefined ? commands.global : commands.guild(guild)
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function sync(commands: Commands, definitions: readonly unknown[], { json, allowEmpty }: CommandsOptions): Promise<number> {
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
    plan.steps.length === 0 ? `Nothing to do: ${plan.keeps.length} commands are as they should be.\n` : `Done, in ${requests} requests.\n`,
  )
  return 0
}

function reportIssues(issues: readonly Issue[], definitions: readonly unknown[], { json }: CommandsOptions): number {
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
  process.stderr.write(`foyer-emulator: ${error.name}: ${error.message} (${where})\n${printIssues(issues ?? [], { to: process.stderr })}`)
  if (status === 401) process.stderr.write('Is FOYER_BOT_TOKEN the token of this application, and of this service?\n')
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
