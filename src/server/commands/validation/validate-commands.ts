/** Validates commands before sending (docs/interface/commands.md). */
import type { Issue } from '../../../shared/foundation/errors'
import type { CommandOverwriteBody } from '../../../shared/wire/command'
import { COMMANDS_PER_SCOPE } from './command-limits'
import { checkCommand } from './check-command'
import {
  type CommandBody,
  type ValidateCommandOptions,
  type ValidationRules,
  withDefaults,
} from './validation-rules'
import { isObject, ValidationContext } from './validation-context'

export type { ValidateCommandOptions }

/** Options of `validateCommands`. Default `operation`: `overwrite`. */
export type ValidateCommandsOptions = Omit<ValidateCommandOptions, 'knownType'>

/** Maximum number of list elements to read, far more than a scope may contain. */
const MAX_READ = 1000

/**
 * Returns all issues of a command body. Without an issue of level `error`, the service accepts the body, as far as that depends on the body
 * alone. Accepts any value and never throws.
 */
export function validateCommand(body: unknown, options: ValidateCommandOptions = {}): Issue[] {
  return guarded(new ValidationContext(), (context) =>
    checkCommand(body, withDefaults(options, 'create'), context),
  )
}

/** Returns all issues of a list of commands: of each command, of duplicate names, and of too many commands for the scope. Never throws. */
export function validateCommands(list: unknown, options: ValidateCommandsOptions = {}): Issue[] {
  return guarded(new ValidationContext(), (context) => {
    if (Array.isArray(list)) checkList(list, withDefaults(options, 'overwrite'), context)
    else context.wrongType('a list')
  })
}

/** A getter or proxy may throw, here or above. Its message may contain anything, so it is not repeated. */
function guarded(context: ValidationContext, check: (context: ValidationContext) => void): Issue[] {
  try {
    check(context)
  } catch {
    context.error('unreadable')
  }
  return context.issues
}

function checkList(list: readonly unknown[], rules: ValidationRules, context: ValidationContext): void {
  const seen: Seen = { counts: new Map(), names: new Map(), ids: new Map() }
  for (let index = 0; index < list.length && index < MAX_READ; index++) {
    guarded(new ValidationContext(context, '', index), (at) => {
      const command = list[index]
      checkCommand(command, rules, at)
      if (isObject<keyof CommandOverwriteBody>(command)) checkDuplicates(command, seen, at)
    })
  }
  if (list.length > MAX_READ) context.error('too_many', '', { max: MAX_READ, actual: list.length })
  for (const [type, max] of Object.entries(COMMANDS_PER_SCOPE[rules.scope])) {
    const actual = seen.counts.get(Number(type)) ?? 0
    // Entry points in a guild have their own issues.
    if (actual > max && max > 0) context.error('too_many', '', { type: Number(type), max, actual })
  }
}

/** Properties of the preceding commands. */
interface Seen {
  /** Number of commands by type. */
  readonly counts: Map<number, number>
  /** Index of the first occurrence of each name per type, and of each id. */
  readonly names: Map<string, number>
  readonly ids: Map<string, number>
}

function checkDuplicates(
  { type = 1, name, id }: CommandBody,
  { counts, names, ids }: Seen,
  context: ValidationContext,
): void {
  if (typeof type === 'number') counts.set(type, (counts.get(type) ?? 0) + 1)
  if (typeof name === 'string' && typeof type === 'number')
    rejectDuplicate({ of: names, key: `${type} ${name}`, field: 'name' }, context)
  if (typeof id === 'string') rejectDuplicate({ of: ids, key: id, field: 'id' }, context)
}

function rejectDuplicate(
  { of, key, field }: { of: Map<string, number>; key: string; field: string },
  context: ValidationContext,
): void {
  const first = of.get(key)
  if (first === undefined) of.set(key, context.index)
  else context.error('duplicate', field, { first })
}
