/** Validates the choices of an option, and its minimum and maximum. */
import { fieldsOf, isObject } from '../foundation/type-guards.js'
import { INTEGER_OPTION, NUMBER_OPTION, STRING_OPTION } from '../model/stored-command.js'
import { LIMITS } from './command-limits.js'
import {
  misplaced,
  NOT_INTEGER,
  NOT_LIST,
  NOT_NUMBER,
  NOT_OBJECT,
  NOT_TEXT,
  outside,
  REQUIRED,
  tooMany,
  type ValidationProblem,
  type ValidationContext,
} from '../api/validation-context.js'
import { checkText, checkTexts, lengthOf } from './check-names.js'

type Fields = Record<string, unknown>

const LARGEST_NUMBER = 2 ** 53
const TURNED_ROUND: ValidationProblem = misplaced('must not be larger than the maximum beside it')
const OUT_OF_BOUNDS: ValidationProblem = misplaced('must lie within the minimum and maximum of its option')
const SAME_NAME: ValidationProblem = {
  code: 'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS',
  message: 'Option choice name already exists',
  rule: 'must differ from the names of the other choices',
}

/** True if options of this type can have the value. */
function checkNumber(value: unknown, validation: ValidationContext, type: number): value is number {
  if (type === INTEGER_OPTION) {
    if (typeof value !== 'number' || !Number.isInteger(value)) validation.addError(NOT_INTEGER)
    else if (!Number.isSafeInteger(value)) validation.addError(outside(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
    else return true
  } else if (typeof value !== 'number') validation.addError(NOT_NUMBER)
  else if (Math.abs(value) > LARGEST_NUMBER) validation.addError(outside(-LARGEST_NUMBER, LARGEST_NUMBER))
  else return true
  return false
}

export function checkBounds(option: Fields, validation: ValidationContext, type: number): void {
  const numeric = type === INTEGER_OPTION || type === NUMBER_OPTION
  for (const name of ['min_value', 'max_value']) {
    if (option[name] === undefined) continue
    if (numeric) checkNumber(option[name], validation.at(name), type)
    else validation.at(name).addError(misplaced('belongs to INTEGER and NUMBER options'))
  }
  checkLengthBound(option['min_length'], validation.at('min_length'), { type, ...LIMITS.minLength })
  checkLengthBound(option['max_length'], validation.at('max_length'), { type, ...LIMITS.maxLength })
  for (const [low, high] of [
    ['min_value', 'max_value'],
    ['min_length', 'max_length'],
  ] as const) {
    const [smallest, largest] = [option[low], option[high]]
    if (typeof smallest === 'number' && typeof largest === 'number' && smallest > largest) validation.at(low).addError(TURNED_ROUND)
  }
}

function checkLengthBound(
  value: unknown,
  validation: ValidationContext,
  { type, smallest, largest }: { type: number; smallest: number; largest: number },
) {
  if (value === undefined) return
  if (type !== STRING_OPTION) validation.addError(misplaced('belongs to STRING options'))
  else if (typeof value !== 'number' || !Number.isInteger(value)) validation.addError(NOT_INTEGER)
  else if (value < smallest || value > largest) validation.addError(outside(smallest, largest))
}

export function checkChoices(option: Fields, validation: ValidationContext, type: number): void {
  const choices = option['choices']
  if (choices === undefined) return
  if (!Array.isArray(choices)) return validation.addError(NOT_LIST)
  if (choices.length === 0) return
  if (type !== STRING_OPTION && type !== INTEGER_OPTION && type !== NUMBER_OPTION)
    return validation.addError(misplaced('belongs to STRING, INTEGER and NUMBER options'))
  if (choices.length > LIMITS.choices) validation.addError(tooMany(LIMITS.choices))
  const names = new Set<unknown>()
  for (const [index, item] of choices.entries()) {
    const at = validation.at(index)
    const choice: unknown = item
    if (!isObject(choice)) {
      at.addError(NOT_OBJECT)
      continue
    }
    const { name } = choice
    if (checkText(name, at.at('name'), { largest: LIMITS.choiceNameLength }) && names.has(name)) at.at('name').addError(SAME_NAME)
    names.add(name)
    checkTexts(choice['name_localizations'], at.at('name_localizations'), LIMITS.choiceNameLength)
    checkValue(choice['value'], at.at('value'), { option, type })
  }
}

function checkValue(value: unknown, validation: ValidationContext, { option, type }: { option: Fields; type: number }): void {
  if (value === undefined) return validation.addError(REQUIRED)
  if (type === STRING_OPTION) {
    if (typeof value !== 'string') validation.addError(NOT_TEXT)
    else if (checkText(value, validation, { smallest: 0, largest: LIMITS.choiceValueLength }))
      checkWithin(lengthOf(value), validation, [option['min_length'], option['max_length']])
  } else if (checkNumber(value, validation, type)) checkWithin(value, validation, [option['min_value'], option['max_value']])
}

function checkWithin(value: number, validation: ValidationContext, [smallest, largest]: [unknown, unknown]): void {
  const below = typeof smallest === 'number' && value < smallest
  const above = typeof largest === 'number' && value > largest
  if (below || above) validation.addError(OUT_OF_BOUNDS)
}

export function hasChoices(option: unknown): boolean {
  const { choices } = fieldsOf(option)
  return Array.isArray(choices) && choices.length > 0
}
