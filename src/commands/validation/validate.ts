/** Tells everything that is wrong with a command before the service does (S:18-176, S:218-246). */
import type { Issue } from '../../foundation/errors'
import type { CommandOverwriteBody } from '../../wire/command'
import { COMMANDS_PER_SCOPE } from '../limits'
import { checkCommand } from './command-fields'
import type { CommandBody, ValidateCommandOptions } from './command-rules'
import { isObject, ValidationContext } from './validation-context'

export type { ValidateCommandOptions }

/** As for one command; a list overwrites all commands of a scope unless something else is said. */
export type ValidateCommandsOptions = Omit<ValidateCommandOptions, 'operation' | 'knownType'> & {
  operation?: ValidateCommandOptions['operation']
}

/** The most elements of a list that are read: far more than a scope may hold. */
const READ = 1000

/**
 * Every issue of a command's body at once; none means that the service accepts it, as far as a body can tell.
 * Takes anything at all and never throws.
 */
export function validateCommand(body: unknown, options: ValidateCommandOptions): Issue[] {
  const context = new ValidationContext()
  try {
    checkCommand(body, options, context)
  } catch {
    context.error('unreadable')
  }
  return context.issues
}

/** Every issue of a list of commands: those of each, names that are used twice, and more commands than the scope may hold. */
export function validateCommands(list: unknown, options: ValidateCommandsOptions): Issue[] {
  return guarded(new ValidationContext(), (context) => {
    if (Array.isArray(list)) checkList(list, { operation: 'overwrite', ...options }, context)
    else context.wrongType('a list')
  })
}

/** A getter or a proxy may throw, here and above. Its words may be anyone's, so they are not repeated. */
function guarded(context: ValidationContext, check: (context: ValidationContext) => void): Issue[] {
  try {
    check(context)
  } catch {
    context.error('unreadable')
  }
  return context.issues
}

function checkList(list: readonly unknown[], rules: ValidateCommandOptions, context: ValidationContext): void {
  const seen: Seen = { counts: new Map(), names: new Map(), ids: new Map() }
  for (let index = 0; index < list.length && index < READ; index++) {
    guarded(new ValidationContext(context, '', index), (at) => {
      const command = list[index]
      checkCommand(command, rules, at)
      if (isObject<keyof CommandOverwriteBody>(command)) checkApart(command, seen, at)
    })
  }
  if (list.length > READ) context.error('too_many', '', { max: READ, actual: list.length })
  for (const [type, max] of Object.entries(COMMANDS_PER_SCOPE[rules.scope])) {
    const actual = seen.counts.get(Number(type)) ?? 0
    // A guild has no entry point at all, which was said of each.
    if (actual > max && max > 0) context.error('too_many', '', { type: Number(type), max, actual })
  }
}

/** What the commands of a list that were read already have. */
interface Seen {
  /** By type. */
  readonly counts: Map<number, number>
  /** Where each name of a type, and each id, stood first. */
  readonly names: Map<string, number>
  readonly ids: Map<string, number>
}

function checkApart({ type = 1, name, id }: CommandBody, { counts, names, ids }: Seen, context: ValidationContext): void {
  if (typeof type === 'number') counts.set(type, (counts.get(type) ?? 0) + 1)
  if (typeof name === 'string' && typeof type === 'number') noteTwice({ of: names, key: `${type} ${name}`, field: 'name' }, context)
  if (typeof id === 'string') noteTwice({ of: ids, key: id, field: 'id' }, context)
}

function noteTwice({ of, key, field }: { of: Map<string, number>; key: string; field: string }, context: ValidationContext): void {
  const first = of.get(key)
  if (first === undefined) of.set(key, context.index)
  else context.error('duplicate', field, { first })
}
