/** `foyer-emulator check`, `plan` and `sync`: a game's commands, from a file to the service. */
import type { CommandsOptions } from '../arguments.js'
import { UsageError } from '../arguments.js'
import { readDefinitions } from './file.js'
import { printIssues, printPlan, printProgress } from './print.js'
import { type Commands, type Issue, loadSdk, type Plan, type Sdk } from './sdk.js'

export interface CommandsRun {
  name: 'check' | 'plan' | 'sync'
  file: string
  options: CommandsOptions
}

/** The exit code: 0 done, 1 faults or refused. @throws UsageError. */
export async function run({ name, file, options }: CommandsRun): Promise<number> {
  const sdk = loadSdk()
  const definitions = await readDefinitions(file)
  const issues = sdk.validateCommands(definitions, { scope: options.guild === undefined ? 'global' : 'guild' })
  const sound = !issues.some(({ level }) => level === 'error')
  if (name === 'check' || !sound) return tellIssues(issues, definitions, options)
  const commands = connect(sdk, options)
  try {
    if (name === 'plan') return tellPlan(await commands.plan(definitions), options)
    return await sync(commands, definitions, options)
  } catch (error) {
    return tellRefusal(error, options)
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

async function sync(commands: Commands, definitions: readonly unknown[], { json }: CommandsOptions): Promise<number> {
  const print = (text: string) => {
    if (!json) process.stdout.write(text)
  }
  const { plan, requests } = await commands.sync(definitions, {
    // Before anything is written: what a rename or a delete destroys stands there.
    onPlan: (ahead) => print(ahead.steps.length === 0 ? '' : printPlan(String(ahead))),
    onStep: (progress) => print(printProgress(progress)),
  })
  if (json) return tell({ ...summary(plan), requests })
  print(
    plan.steps.length === 0 ? `Nothing to do: ${plan.keeps.length} commands are as they should be.\n` : `Done, in ${requests} requests.\n`,
  )
  return 0
}

function tellIssues(issues: readonly Issue[], definitions: readonly unknown[], { json }: CommandsOptions): number {
  const errors = issues.filter(({ level }) => level === 'error').length
  const count = definitions.length
  if (json) tell({ commands: count, issues })
  else
    process.stdout.write(
      `${printIssues(issues, { definitions })}${count} commands, ${errors} errors, ${issues.length - errors} warnings.\n`,
    )
  return errors > 0 ? 1 : 0
}

function tellPlan(plan: Plan, { json }: CommandsOptions): number {
  if (json) return tell(summary(plan))
  process.stdout.write(printPlan(String(plan)))
  return 0
}

function summary({ steps, keeps, warnings, budget }: Plan) {
  return { steps, keeps: keeps.length, warnings, budget }
}

/** The SDK's errors hold no secret; anything else is a fault of ours and is passed on. */
function tellRefusal(error: unknown, { json, url = '' }: CommandsOptions): number {
  if (!(error instanceof Error) || !('code' in error)) throw error
  if (json) return tell({ error }, 1)
  const { issues, status, retryable }: Refusal = error
  const where = status === undefined ? new URL(url).origin : `the service answered ${status}`
  process.stderr.write(`foyer-emulator: ${error.name}: ${error.message} (${where})\n${printIssues(issues ?? [], { to: process.stderr })}`)
  if (status === 401) process.stderr.write('Is FOYER_BOT_TOKEN the token of this application, and of this service?\n')
  if (retryable === true) process.stderr.write('It may work later; a second run goes on from what exists.\n')
  return 1
}

/** What the SDK's errors may tell beside their words. */
interface Refusal {
  code: unknown
  issues?: readonly Issue[]
  status?: number
  retryable?: boolean
}

function tell(outcome: unknown, exitCode = 0): number {
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
  return exitCode
}
