/** Validates command permissions (docs/interface/command-permissions.md). */
import type { Issue } from '../../../shared/foundation/errors'
import { isSnowflake } from '../../../shared/foundation/ids'
import type { ApplicationCommandPermission } from '../../../shared/wire/command'
import { OVERWRITES } from '../validation/command-limits'
import { isObject, ValidationContext, type Unread } from '../validation/validation-context'
import { allChannelsId, everyoneId } from './everyone-id'
import { ownFields } from '../../../shared/foundation/untrusted-values'

const ROLE = 1
const CHANNEL = 3

/** Options of `validatePermissions`. */
export interface ValidatePermissionsOptions {
  /** Guild of the permissions. With it, its constant ids (docs/interface/command-permissions.md#constants) are checked too. */
  guildId?: string | undefined
}

/** Returns all issues of `{ permissions: [...] }`. Accepts any value and never throws. */
export function validatePermissions(body: unknown, given?: ValidatePermissionsOptions): Issue[] {
  const context = new ValidationContext()
  try {
    const options = ownFields({ ...given })
    if (isObject<'permissions'>(body)) checkList(body.permissions, constantsOf(options), context)
    else context.wrongType('an object')
  } catch {
    context.error('unreadable')
  }
  return context.issues
}

/** Expected type of each constant id. */
function constantsOf({ guildId }: ValidatePermissionsOptions): ReadonlyMap<unknown, number> {
  if (!isSnowflake(guildId) || guildId === '0') return new Map()
  return new Map([
    [everyoneId(guildId), ROLE],
    [allChannelsId(guildId), CHANNEL],
  ])
}

function checkList(list: unknown, constants: ReadonlyMap<unknown, number>, context: ValidationContext): void {
  if (list === undefined) return context.error('required', 'permissions')
  const seen = new Map<string, number>()
  for (const [index, entry] of context.list(list, 'permissions', OVERWRITES).entries()) {
    const at = new ValidationContext(context, 'permissions', index)
    if (!isObject<keyof ApplicationCommandPermission>(entry)) {
      at.wrongType('an object')
      continue
    }
    checkEntry(entry, constants, at)
    const { id, type } = entry
    if (typeof id !== 'string' || typeof type !== 'number') continue
    const target = `${type} ${id}`
    const first = seen.get(target)
    if (first === undefined) seen.set(target, index)
    else at.error('duplicate', 'id', { first })
  }
}

type Entry = Unread<keyof ApplicationCommandPermission>

function checkEntry(
  { id, type, permission }: Entry,
  constants: ReadonlyMap<unknown, number>,
  context: ValidationContext,
): void {
  if (id === undefined) context.error('required', 'id')
  else if (!isSnowflake(id)) context.wrongType('an id: a string of decimal digits', 'id')
  if (type === undefined) context.error('required', 'type')
  else if (context.oneOf(type, 'type', [1, 2, 3])) {
    const expected = constants.get(id)
    if (expected !== undefined && expected !== type)
      context.warn('constant_of_other_type', 'id', { expected })
  }
  if (permission === undefined) context.error('required', 'permission')
  else if (typeof permission !== 'boolean') context.wrongType('true or false', 'permission')
}
