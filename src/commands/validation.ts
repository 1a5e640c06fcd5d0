/** Tells everything that is wrong with a command before the service does (S:18-176, S:218-246). */
import type { Issue } from '../foundation/errors'
import type { CommandOverwriteBody } from '../wire/command'
import { COMMANDS_PER_SCOPE } from './limits'
import { checkCommand } from './command-fields'
import type { CommandBody, ValidateCommandOptions } from './command-rules'
import { isObject, Place } from './place'

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
  const place = new Place()
  try {
    checkCommand(body, options, place)
  } catch {
    place.note('unreadable')
  }
  return place.issues
}

/** Every issue of a list of commands: those of each, names that are used twice, and more commands than the scope may hold. */
export function validateCommands(list: unknown, options: ValidateCommandsOptions): Issue[] {
  return guarded(new Place(), (place) => {
    if (Array.isArray(list)) checkList(list, { operation: 'overwrite', ...options }, place)
    else place.wrong('a list')
  })
}

/** A getter or a proxy may throw, here and above. Its words may be anyone's, so they are not repeated. */
function guarded(place: Place, check: (place: Place) => void): Issue[] {
  try {
    check(place)
  } catch {
    place.note('unreadable')
  }
  return place.issues
}

function checkList(list: readonly unknown[], rules: ValidateCommandOptions, place: Place): void {
  const seen: Seen = { counts: new Map(), names: new Map(), ids: new Map() }
  for (let index = 0; index < list.length && index < READ; index++) {
    guarded(new Place(place, '', index), (at) => {
      const command = list[index]
      checkCommand(command, rules, at)
      if (isObject<keyof CommandOverwriteBody>(command)) checkApart(command, seen, at)
    })
  }
  if (list.length > READ) place.note('too_many', '', { max: READ, actual: list.length })
  for (const [type, max] of Object.entries(COMMANDS_PER_SCOPE[rules.scope])) {
    const actual = seen.counts.get(Number(type)) ?? 0
    // A guild has no entry point at all, which was said of each.
    if (actual > max && max > 0) place.note('too_many', '', { type: Number(type), max, actual })
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

function checkApart({ type = 1, name, id }: CommandBody, { counts, names, ids }: Seen, place: Place): void {
  if (typeof type === 'number') counts.set(type, (counts.get(type) ?? 0) + 1)
  if (typeof name === 'string' && typeof type === 'number') noteTwice({ of: names, key: `${type} ${name}`, field: 'name' }, place)
  if (typeof id === 'string') noteTwice({ of: ids, key: id, field: 'id' }, place)
}

function noteTwice({ of, key, field }: { of: Map<string, number>; key: string; field: string }, place: Place): void {
  const first = of.get(key)
  if (first === undefined) of.set(key, place.index)
  else place.note('duplicate', field, { first })
}
