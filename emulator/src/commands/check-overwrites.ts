/** Validates the body with the permission overwrites of a command. */
import { fieldsOf, isObject, isSnowflake } from '../foundation/type-guards.js'
import type { Overwrite } from '../state/commands.js'
import { limits } from './command-limits.js'
import {
  notBoolean,
  notList,
  notObject,
  notSnowflake,
  oneOf,
  repeated,
  required,
  tooMany,
  type ValidationContext,
} from '../api/validation-context.js'

const targetTypes = [1, 2, 3]

/** Returns the valid overwrites; complete only if there are no errors. */
export function checkOverwrites(body: unknown, validation: ValidationContext): Overwrite[] {
  const at = validation.at('permissions')
  const { permissions } = fieldsOf(body)
  if (!isObject(body)) validation.addError(notObject)
  else if (permissions === undefined) at.addError(required)
  else if (!Array.isArray(permissions)) at.addError(notList)
  if (!Array.isArray(permissions)) return []
  if (permissions.length > limits.overwrites) at.addError(tooMany(limits.overwrites))
  const items: unknown[] = permissions
  const overwrites = items.map((item, index) => readOverwrite(item, at.at(index)))
  const seen = new Set<string>()
  for (const [index, overwrite] of overwrites.entries()) {
    if (overwrite === undefined) continue
    const key = `${overwrite.type} ${overwrite.id}`
    if (seen.has(key)) at.at(index).at('id').addError(repeated)
    seen.add(key)
  }
  return overwrites.filter((overwrite) => overwrite !== undefined)
}

function readOverwrite(item: unknown, validation: ValidationContext): Overwrite | undefined {
  if (!isObject(item)) {
    validation.addError(notObject)
    return undefined
  }
  const { id, type, permission } = item
  const knownType = typeof type === 'number' && targetTypes.includes(type)
  if (!isSnowflake(id)) validation.at('id').addError(id === undefined ? required : notSnowflake)
  if (!knownType) validation.at('type').addError(type === undefined ? required : oneOf(targetTypes))
  if (typeof permission !== 'boolean') validation.at('permission').addError(permission === undefined ? required : notBoolean)
  return isSnowflake(id) && knownType && typeof permission === 'boolean' ? { id, type, permission } : undefined
}
