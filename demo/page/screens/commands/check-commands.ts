/** Checks a text of commands: its syntax, and the SDK's validation, as on the way to the service. */
import { type CommandSize, measureCommand, validateCommands } from 'foyer-sdk/server'

/** Problem at a path like `[0].options[1].name`; an empty path is the whole text. */
export interface CommandProblem {
  readonly path: string
  readonly message: string
  readonly level: 'error' | 'warning'
}

export interface CheckedCommands {
  /** Undefined while the text is no JSON. */
  readonly commands: readonly Record<string, unknown>[] | undefined
  readonly problems: readonly CommandProblem[]
  /** Size of each command, in order. */
  readonly sizes: readonly CommandSize[]
}

/** The demo registers global commands of an application with an Activity. */
const RULES = { scope: 'global', application: { embedded: true } } as const

export function checkCommands(text: string): CheckedCommands {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return {
      commands: undefined,
      problems: [{ path: '', message: syntaxMessage(error), level: 'error' }],
      sizes: [],
    }
  }
  const problems = validateCommands(value, RULES).map(({ path, message, level }) => ({
    path,
    message,
    level,
  }))
  const commands = Array.isArray(value) ? value.filter(isRecord) : []
  return { commands, problems, sizes: commands.map(measureCommand) }
}

/** True if the service would accept the commands, as far as that depends on them alone. */
export function isDeployable({ commands, problems }: CheckedCommands): boolean {
  return commands !== undefined && problems.every(({ level }) => level === 'warning')
}

function syntaxMessage(error: unknown): string {
  return `This is no JSON: ${error instanceof Error ? error.message : String(error)}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
