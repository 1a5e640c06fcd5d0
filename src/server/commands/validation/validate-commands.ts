/** Validates commands before sending (docs/interface/commands.md). */
import type { Issue } from '../../../shared/foundation/errors'
import { collectIssues, guarded } from '../../../shared/foundation/rules'
import type { CommandOverwriteBody } from '../../../shared/wire/command'
import { COMMANDS_PER_SCOPE } from './command-limits'
import { checkCommand } from './check-command'
import { CommandIssues, type CommandPlace } from './command-issues'
import {
  type CommandBody,
  isObject,
  type ValidateCommandOptions,
  type ValidationRules,
  withDefaults,
} from './validation-rules'

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
  return collectIssues(new CommandIssues(), (at) => checkCommand(body, withDefaults(options, 'create'), at))
}

/** Returns all issues of a list of commands: of each command, of duplicate names, and of too many commands for the scope. Never throws. */
export function validateCommands(list: unknown, options: ValidateCommandsOptions = {}): Issue[] {
  return collectIssues(new CommandIssues(), (at) => {
    if (Array.isArray(list)) checkCommands(list, withDefaults(options, 'overwrite'), at)
    else at.add('wrong_type', { expected: 'a list' })
  })
}

function checkCommands(list: readonly unknown[], rules: ValidationRules, at: CommandPlace): void {
  const seen: Seen = { counts: new Map(), names: new Map(), ids: new Map() }
  for (let index = 0; index < list.length && index < MAX_READ; index++) {
    guarded(at.element(index), (place) => {
      const command = list[index]
      checkCommand(command, rules, place)
      if (isObject<keyof CommandOverwriteBody>(command)) checkDuplicates(command, seen, { index, at: place })
    })
  }
  if (list.length > MAX_READ) at.add('too_many', { max: MAX_READ, actual: list.length })
  for (const [type, max] of Object.entries(COMMANDS_PER_SCOPE[rules.scope])) {
    const actual = seen.counts.get(Number(type)) ?? 0
    // Entry points in a guild have their own issues.
    if (actual > max && max > 0) at.add('too_many', { type: Number(type), max, actual })
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

interface Indexed {
  readonly index: number
  readonly at: CommandPlace
}

function checkDuplicates(
  { type = 1, name, id }: CommandBody,
  { counts, names, ids }: Seen,
  command: Indexed,
): void {
  if (typeof type === 'number') counts.set(type, (counts.get(type) ?? 0) + 1)
  if (typeof name === 'string' && typeof type === 'number')
    rejectDuplicate({ of: names, key: `${type} ${name}`, field: 'name' }, command)
  if (typeof id === 'string') rejectDuplicate({ of: ids, key: id, field: 'id' }, command)
}

function rejectDuplicate(
  { of, key, field }: { of: Map<string, number>; key: string; field: string },
  { index, at }: Indexed,
): void {
  const first = of.get(key)
  if (first === undefined) of.set(key, index)
  else at.field(field).add('duplicate', { first })
}
