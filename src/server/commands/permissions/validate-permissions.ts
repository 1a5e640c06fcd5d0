/** Validates command permissions (docs/interface/command-permissions.md). */
import type { Issue } from '../../../shared/foundation/errors'
import { isSnowflake } from '../../../shared/foundation/ids'
import { checkList, checkRecord, collectIssues, flag, id, one } from '../../../shared/foundation/rules'
import { ownFields } from '../../../shared/foundation/untrusted-values'
import { numberFor } from '../../../shared/foundation/number-names'
import { PermissionType } from '../../../shared/wire/api-constants'
import { CommandIssues, type CommandPlace, type CommandShape } from '../validation/command-issues'
import { OVERWRITES } from '../validation/command-limits'
import { isObject } from '../validation/validation-rules'
import { allChannelsId, everyoneId } from './everyone-id'

const ROLE = 1
const CHANNEL = 3
const TYPES: readonly unknown[] = Object.values(PermissionType)

/** Options of `validatePermissions`. */
export interface ValidatePermissionsOptions {
  /** Guild of the permissions. With it, its constant ids (docs/interface/command-permissions.md#constants) are checked too. */
  guildId?: string | undefined
}

const ENTRY: CommandShape = {
  id: { is: id, expected: 'an id: a string of decimal digits', required: true },
  type: {
    is: one,
    values: TYPES,
    required: true,
    hint: (given) => numberFor(given, { owner: 'PermissionType', of: PermissionType }),
  },
  permission: { is: flag, required: true },
}
const ENTRIES = { max: OVERWRITES, read: 2 * OVERWRITES }

/** Returns all issues of `{ permissions: [...] }`. Accepts any value and never throws. */
export function validatePermissions(body: unknown, given?: ValidatePermissionsOptions): Issue[] {
  return collectIssues(new CommandIssues(), (at) => {
    const options = ownFields({ ...given })
    if (isObject<'permissions'>(body))
      checkEntries(body.permissions, constantsOf(options), at.field('permissions'))
    else at.add('wrong_type', { expected: 'an object' })
  })
}

/** Expected type of each constant id. */
function constantsOf({ guildId }: ValidatePermissionsOptions): ReadonlyMap<unknown, number> {
  if (!isSnowflake(guildId) || guildId === '0') return new Map()
  return new Map([
    [everyoneId(guildId), ROLE],
    [allChannelsId(guildId), CHANNEL],
  ])
}

function checkEntries(list: unknown, constants: ReadonlyMap<unknown, number>, at: CommandPlace): void {
  if (list === undefined) return at.add('required')
  const seen = new Map<string, number>()
  for (const [index, entry] of checkList(list, at, ENTRIES).entries()) {
    const place = at.element(index)
    if (!checkRecord(entry, ENTRY, place)) continue
    const { id: target, type } = entry
    const expected = constants.get(target)
    if (expected !== undefined && TYPES.includes(type) && expected !== type)
      place.field('id').add('constant_of_other_type', { expected })
    if (typeof target !== 'string' || typeof type !== 'number') continue
    const key = `${type} ${target}`
    const first = seen.get(key)
    if (first === undefined) seen.set(key, index)
    else place.field('id').add('duplicate', { first })
  }
}
