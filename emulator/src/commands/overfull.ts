/** Finds the types of commands of which a place would have more than it may. */
import { isObject } from '../decode.js'
import { chatInput, entryPoint, isCommandType, type CommandType, type Place } from './definition.js'
import { limits } from './limits.js'
import type { Problem } from './problems.js'
import { Refusal } from './refusal.js'

/** The types of which a list has too many. A guild has no entry points at all, which is a fault of each of them. */
export function overfull(list: unknown[], { guildId }: Place): CommandType[] {
  const types = list
    .filter(isObject)
    .map(({ type = chatInput }) => type)
    .filter(isCommandType)
  const counted = [...new Set(types)].filter((type) => guildId === undefined || type !== entryPoint)
  return counted.filter((type) => types.filter((other) => other === type).length > limits.perType[type])
}

export function tooManyOf(types: CommandType[]): Problem {
  const counts = types.map((type) => limits.perType[type])
  return {
    code: 'APPLICATION_COMMANDS_MAX_REACHED',
    message: `Maximum number of application commands reached (${counts.join(', ')}).`,
    rule: `one place has at most ${types.map((type) => `${limits.perType[type]} of type ${type}`).join(', ')}`,
  }
}

export function tooManyCommands(types: CommandType[]): Refusal {
  const { code, message, rule } = tooManyOf(types)
  return new Refusal({ status: 400, code: 30032, message, rule, errors: { _errors: [{ code, message }] } })
}
