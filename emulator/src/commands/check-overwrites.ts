/** Checks the body that says who may use a command. */
import { fieldsOf, isObject } from '../decode.js'
import type { Overwrite } from '../state/commands.js'
import { isSnowflake } from './check-command.js'
import { limits } from './limits.js'
import { notBoolean, notList, notObject, notSnowflake, oneOf, repeated, required, tooMany, type Spot } from './problems.js'

const targetTypes = [1, 2, 3]

/** The entries; complete only when nothing was found wrong. */
export function checkOverwrites(body: unknown, spot: Spot): Overwrite[] {
  const at = spot.at('permissions')
  const { permissions } = fieldsOf(body)
  if (!isObject(body)) spot.refuse(notObject)
  else if (permissions === undefined) at.refuse(required)
  else if (!Array.isArray(permissions)) at.refuse(notList)
  if (!Array.isArray(permissions)) return []
  if (permissions.length > limits.overwrites) at.refuse(tooMany(limits.overwrites))
  const items: unknown[] = permissions
  const overwrites = items.map((item, index) => readOverwrite(item, at.at(index)))
  const seen = new Set<string>()
  for (const [index, overwrite] of overwrites.entries()) {
    if (overwrite === undefined) continue
    const key = `${overwrite.type} ${overwrite.id}`
    if (seen.has(key)) at.at(index).at('id').refuse(repeated)
    seen.add(key)
  }
  return overwrites.filter((overwrite) => overwrite !== undefined)
}

function readOverwrite(item: unknown, spot: Spot): Overwrite | undefined {
  if (!isObject(item)) {
    spot.refuse(notObject)
    return undefined
  }
  const { id, type, permission } = item
  const knownType = typeof type === 'number' && targetTypes.includes(type)
  if (!isSnowflake(id)) spot.at('id').refuse(id === undefined ? required : notSnowflake)
  if (!knownType) spot.at('type').refuse(type === undefined ? required : oneOf(targetTypes))
  if (typeof permission !== 'boolean') spot.at('permission').refuse(permission === undefined ? required : notBoolean)
  return isSnowflake(id) && knownType && typeof permission === 'boolean' ? { id, type, permission } : undefined
}
