/** Validates the body with the permission overwrites of a command. */
import { fieldsOf, isObject, isSnowflake } from '../foundation/type-guards.js'
import type { Overwrite } from '../state/commands.js'
import { LIMITS } from './command-limits.js'
import {
  NOT_BOOLEAN,
  NOT_LIST,
  NOT_OBJECT,
  NOT_SNOWFLAKE,
  oneOf,
  REPEATED,
  REQUIRED,
  tooMany,
  type ValidationContext,
} from '../api/validation-context.js'

const TARGET_TYPES = [1, 2, 3]

/** Returns the valid overwrites; complete only if there are no errors. */
export function checkOverwrites(body: unknown, validation: ValidationContext): Overwrite[] {
  const at = validation.at('permissions')
  const { permissions } = fieldsOf(body)
  if (!isObject(body)) validation.addError(NOT_OBJECT)
  else if (permissions === undefined) at.addError(REQUIRED)
  else if (!Array.isArray(permissions)) at.addError(NOT_LIST)
  if (!Array.isArray(permissions)) return []
  if (permissions.length > LIMITS.overwrites) at.addError(tooMany(LIMITS.overwrites))
  const items: unknown[] = permissions
  const overwrites = items.map((item, index) => readOverwrite(item, at.at(index)))
  const seen = new Set<string>()
  for (const [index, overwrite] of overwrites.entries()) {
    if (overwrite === undefined) continue
    const key = `${overwrite.type} ${overwrite.id}`
    if (seen.has(key)) at.at(index).at('id').addError(REPEATED)
    seen.add(key)
  }
  return overwrites.filter((overwrite) => overwrite !== undefined)
}

function readOverwrite(item: unknown, validation: ValidationContext): Overwrite | undefined {
  if (!isObject(item)) {
    validation.addError(NOT_OBJECT)
    return undefined
  }
  const { id, type, permission } = item
  const knownType = typeof type === 'number' && TARGET_TYPES.includes(type)
  if (!isSnowflake(id)) validation.at('id').addError(id === undefined ? REQUIRED : NOT_SNOWFLAKE)
  if (!knownType) validation.at('type').addError(type === undefined ? REQUIRED : oneOf(TARGET_TYPES))
  if (typeof permission !== 'boolean') validation.at('permission').addError(permission === undefined ? REQUIRED : NOT_BOOLEAN)
  return isSnowflake(id) && knownType && typeof permission === 'boolean' ? { id, type, permission } : undefined
}
