/** Limits on the number of commands per type. */
import { isObject } from '../foundation/type-guards.js'
import { CHAT_INPUT, ENTRY_POINT, isCommandType, type CommandType, type Place } from '../model/stored-command.js'
import { LIMITS } from './command-limits.js'
import type { ValidationProblem } from '../api/validation-context.js'
import { ApiError } from '../api/api-error.js'

/** Types of which a list has too many. Entry points in a guild are invalid individually, so they are not counted. */
export function checkCommandCount(list: unknown[], { guildId }: Place): CommandType[] {
  const types = list
    .filter(isObject)
    .map(({ type = CHAT_INPUT }) => type)
    .filter(isCommandType)
  const counted = [...new Set(types)].filter((type) => guildId === undefined || type !== ENTRY_POINT)
  return counted.filter((type) => types.filter((other) => other === type).length > LIMITS.perType[type])
}

export function tooManyOf(types: CommandType[]): ValidationProblem {
  const counts = types.map((type) => LIMITS.perType[type])
  return {
    code: 'APPLICATION_COMMANDS_MAX_REACHED',
    message: `Maximum number of application commands reached (${counts.join(', ')}).`,
    rule: `one place has at most ${types.map((type) => `${LIMITS.perType[type]} of type ${type}`).join(', ')}`,
  }
}

export function tooManyCommands(types: CommandType[]): ApiError {
  const { code, message, rule } = tooManyOf(types)
  return new ApiError({ status: 400, code: 30032, message, rule, errors: { _errors: [{ code, message }] } })
}
