/** Size of a command as its limit of 8000 characters counts it: each localized string with its longest variant. */
import { fieldsOf, textOf } from '../foundation/type-guards.js'
import { lengthOf } from './check-names.js'

/** Levels: groups, subcommands, parameters. */
const LEVELS = 3

export function sizeOf(command: unknown): number {
  return textsOf(command) + sizeOfOptions(command, LEVELS)
}

/** Stops here: deeper levels are invalid in any case. */
function sizeOfOptions(owner: unknown, left: number): number {
  if (left === 0) return 0
  return total(fieldsOf(owner)['options'], (option) => {
    return textsOf(option) + total(fieldsOf(option)['choices'], sizeOfChoice) + sizeOfOptions(option, left - 1)
  })
}

/** Numbers do not count. */
function sizeOfChoice(choice: unknown): number {
  return textsOf(choice) + lengthOf(textOf(fieldsOf(choice)['value']) ?? '')
}

function textsOf(item: unknown): number {
  const { name, name_localizations: names, description, description_localizations: descriptions } = fieldsOf(item)
  return longest(name, names) + longest(description, descriptions)
}

function longest(text: unknown, dictionary: unknown): number {
  return Math.max(...[text, ...Object.values(fieldsOf(dictionary))].map((variant) => lengthOf(textOf(variant) ?? '')))
}

function total(list: unknown, measure: (item: unknown) => number): number {
  return Array.isArray(list) ? list.reduce<number>((sum, item) => sum + measure(item), 0) : 0
}
