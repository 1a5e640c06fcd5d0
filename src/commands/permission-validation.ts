/** Tells what is wrong with the permissions of a command (S:138-165, S:254). */
import type { Issue } from '../foundation/errors'
import { isSnowflake } from '../foundation/ids'
import type { ApplicationCommandPermission } from '../wire/command'
import { OVERWRITES } from './limits'
import { isObject, Place, type Unread } from './place'
import { allChannelsId, everyoneId } from './permission-constants'

const ROLE = 1
const CHANNEL = 3

/** The guild tells which ids are constants (S:157); without it they are not looked for. */
export interface ValidatePermissionsOptions {
  guildId?: string
}

/** Every issue of `{ permissions: [...] }` at once. Takes anything at all and never throws. */
export function validatePermissions(body: unknown, given?: ValidatePermissionsOptions): Issue[] {
  const options = { ...given }
  const place = new Place()
  try {
    if (isObject<'permissions'>(body)) checkList(body.permissions, constantsOf(options), place)
    else place.wrong('an object')
  } catch {
    place.note('unreadable')
  }
  return place.issues
}

/** The type that each constant has. */
function constantsOf({ guildId }: ValidatePermissionsOptions): ReadonlyMap<unknown, number> {
  if (!isSnowflake(guildId) || guildId === '0') return new Map()
  return new Map([
    [everyoneId(guildId), ROLE],
    [allChannelsId(guildId), CHANNEL],
  ])
}

function checkList(list: unknown, constants: ReadonlyMap<unknown, number>, place: Place): void {
  if (list === undefined) return place.note('required', 'permissions')
  const seen = new Map<string, number>()
  for (const [index, entry] of place.list(list, 'permissions', OVERWRITES).entries()) {
    const at = new Place(place, 'permissions', index)
    if (!isObject<keyof ApplicationCommandPermission>(entry)) {
      at.wrong('an object')
      continue
    }
    checkEntry(entry, constants, at)
    const { id, type } = entry
    if (typeof id !== 'string' || typeof type !== 'number') continue
    const target = `${type} ${id}`
    const first = seen.get(target)
    if (first === undefined) seen.set(target, index)
    else at.note('duplicate', 'id', { first })
  }
}

type Entry = Unread<keyof ApplicationCommandPermission>

function checkEntry({ id, type, permission }: Entry, constants: ReadonlyMap<unknown, number>, place: Place): void {
  if (id === undefined) place.note('required', 'id')
  else if (!isSnowflake(id)) place.wrong('an id: text of decimal digits', 'id')
  if (type === undefined) place.note('required', 'type')
  else if (place.oneOf(type, 'type', [1, 2, 3])) {
    const expected = constants.get(id)
    if (expected !== undefined && expected !== type) place.warn('constant_of_other_type', 'id', { expected })
  }
  if (permission === undefined) place.note('required', 'permission')
  else if (typeof permission !== 'boolean') place.wrong('true or false', 'permission')
}
