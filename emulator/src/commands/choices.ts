/** Checks the choices of an option, and the bounds that its values must keep. */
import { fieldsOf, isObject } from '../decode.js'
import { integerOption, numberOption, stringOption } from './definition.js'
import { limits } from './limits.js'
import {
  misplaced,
  notInteger,
  notList,
  notNumber,
  notObject,
  notText,
  outside,
  required,
  tooMany,
  type Problem,
  type Spot,
} from './problems.js'
import { checkText, checkTexts, lengthOf } from './texts.js'

type Fields = Record<string, unknown>

const largestNumber = 2 ** 53
const turnedRound: Problem = misplaced('must not be larger than the maximum beside it')
const outOfBounds: Problem = misplaced('must lie within the minimum and maximum of its option')
const sameName: Problem = {
  code: 'APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_EXISTS',
  message: 'Option choice name already exists',
  rule: 'must differ from the names of the other choices',
}

/** True for a value that options of this type may have. */
function checkNumber(value: unknown, spot: Spot, type: number): value is number {
  if (type === integerOption) {
    if (typeof value !== 'number' || !Number.isInteger(value)) spot.refuse(notInteger)
    else if (!Number.isSafeInteger(value)) spot.refuse(outside(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
    else return true
  } else if (typeof value !== 'number') spot.refuse(notNumber)
  else if (Math.abs(value) > largestNumber) spot.refuse(outside(-largestNumber, largestNumber))
  else return true
  return false
}

export function checkBounds(option: Fields, spot: Spot, type: number): void {
  const numeric = type === integerOption || type === numberOption
  for (const name of ['min_value', 'max_value']) {
    if (option[name] === undefined) continue
    if (numeric) checkNumber(option[name], spot.at(name), type)
    else spot.at(name).refuse(misplaced('belongs to INTEGER and NUMBER options'))
  }
  checkLengthBound(option['min_length'], spot.at('min_length'), { type, ...limits.minLength })
  checkLengthBound(option['max_length'], spot.at('max_length'), { type, ...limits.maxLength })
  for (const [low, high] of [
    ['min_value', 'max_value'],
    ['min_length', 'max_length'],
  ] as const) {
    const [smallest, largest] = [option[low], option[high]]
    if (typeof smallest === 'number' && typeof largest === 'number' && smallest > largest) spot.at(low).refuse(turnedRound)
  }
}

function checkLengthBound(value: unknown, spot: Spot, { type, smallest, largest }: { type: number; smallest: number; largest: number }) {
  if (value === undefined) return
  if (type !== stringOption) spot.refuse(misplaced('belongs to STRING options'))
  else if (typeof value !== 'number' || !Number.isInteger(value)) spot.refuse(notInteger)
  else if (value < smallest || value > largest) spot.refuse(outside(smallest, largest))
}

export function checkChoices(option: Fields, spot: Spot, type: number): void {
  const choices = option['choices']
  if (choices === undefined) return
  if (!Array.isArray(choices)) return spot.refuse(notList)
  if (choices.length === 0) return
  if (type !== stringOption && type !== integerOption && type !== numberOption)
    return spot.refuse(misplaced('belongs to STRING, INTEGER and NUMBER options'))
  if (choices.length > limits.choices) spot.refuse(tooMany(limits.choices))
  const names = new Set<unknown>()
  for (const [index, item] of choices.entries()) {
    const at = spot.at(index)
    const choice: unknown = item
    if (!isObject(choice)) {
      at.refuse(notObject)
      continue
    }
    const { name } = choice
    if (checkText(name, at.at('name'), { largest: limits.choiceNameLength }) && names.has(name)) at.at('name').refuse(sameName)
    names.add(name)
    checkTexts(choice['name_localizations'], at.at('name_localizations'), limits.choiceNameLength)
    checkValue(choice['value'], at.at('value'), { option, type })
  }
}

function checkValue(value: unknown, spot: Spot, { option, type }: { option: Fields; type: number }): void {
  if (value === undefined) return spot.refuse(required)
  if (type === stringOption) {
    if (typeof value !== 'string') spot.refuse(notText)
    else if (checkText(value, spot, { smallest: 0, largest: limits.choiceValueLength }))
      checkWithin(lengthOf(value), spot, [option['min_length'], option['max_length']])
  } else if (checkNumber(value, spot, type)) checkWithin(value, spot, [option['min_value'], option['max_value']])
}

function checkWithin(value: number, spot: Spot, [smallest, largest]: [unknown, unknown]): void {
  const below = typeof smallest === 'number' && value < smallest
  const above = typeof largest === 'number' && value > largest
  if (below || above) spot.refuse(outOfBounds)
}

export function hasChoices(option: unknown): boolean {
  const { choices } = fieldsOf(option)
  return Array.isArray(choices) && choices.length > 0
}
