/** Validates names, descriptions and their translations. */
import { isObject } from '../foundation/values.js'
import {
  NOT_DICTIONARY,
  NOT_TEXT,
  REQUIRED,
  badLength,
  type ValidationContext,
  type ValidationProblem,
} from './validation-context.js'

/** `strict`: typed after a slash. `free`: chosen from a menu. */
export type Naming = 'strict' | 'free'

const STRICT_NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

const WRONG_CHARACTERS: ValidationProblem = {
  code: 'STRING_TYPE_REGEX',
  message: 'String value did not match validation regex.',
  rule: "must have letters, digits, - _ ' only",
}
const UPPER_CASE: ValidationProblem = {
  code: 'APPLICATION_COMMAND_INVALID_NAME',
  message: 'Command name is invalid',
  rule: 'must use the lowercase form of each letter that has one',
}
const BLANK: ValidationProblem = {
  code: 'APPLICATION_COMMAND_INVALID_NAME',
  message: 'Command name is invalid',
  rule: 'must have more than blanks',
}

/** Length in code points, consistent with the pattern for names. */
export function lengthOf(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1)
    count += 1
  return count
}

export function checkText(
  value: unknown,
  validation: ValidationContext,
  { smallest = 1, largest }: { smallest?: number; largest: number },
): value is string {
  if (value === undefined) validation.addError(REQUIRED)
  else if (typeof value !== 'string') validation.addError(NOT_TEXT)
  else if (lengthOf(value) < smallest || lengthOf(value) > largest)
    validation.addError(badLength(smallest, largest))
  else return true
  return false
}

export function checkName(value: unknown, validation: ValidationContext, naming: Naming): void {
  if (!checkText(value, validation, { largest: LIMITS.nameLength })) return
  if (naming === 'free') {
    if (value.trim() === '') validation.addError(BLANK)
  } else if (!STRICT_NAME.test(value)) validation.addError(WRONG_CHARACTERS)
  else if (Array.from(value).some((letter) => letter.toLowerCase() !== letter))
    validation.addError(UPPER_CASE)
}

/** Accepts undefined, null or an object with any locales. */
function checkDictionary(
  value: unknown,
  validation: ValidationContext,
  check: (text: unknown, validation: ValidationContext) => void,
): void {
  if (value === undefined || value === null) return
  if (!isObject(value)) return validation.addError(NOT_DICTIONARY)
  for (const [locale, text] of Object.entries(value)) check(text, validation.at(locale))
}

export function checkNames(value: unknown, validation: ValidationContext, naming: Naming): void {
  checkDictionary(value, validation, (text, at) => checkName(text, at, naming))
}

export function checkTexts(value: unknown, validation: ValidationContext, largest: number): void {
  checkDictionary(value, validation, (text, at) => void checkText(text, at, { largest }))
}

/** Limits of commands. */
export const LIMITS = {
  /** Commands per type in one place: the global list, or one guild. */
  perType: { 1: 100, 2: 15, 3: 15, 4: 1 },
  dailyCreates: 200,
  nameLength: 32,
  descriptionLength: 100,
  /** Options in a command, in a subcommand, or in a group. */
  options: 25,
  choices: 25,
  choiceNameLength: 100,
  choiceValueLength: 100,
  /** Total characters of names, descriptions and values of a slash command; each localized string counts with its longest variant. */
  size: 8000,
  minLength: { smallest: 0, largest: 6000 },
  maxLength: { smallest: 1, largest: 6000 },
  overwrites: 100,
} as const
