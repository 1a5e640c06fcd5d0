/** Checks names, descriptions and their translations. */
import { isObject } from '../decode.js'
import { limits } from './limits.js'
import { badLength, notDictionary, notText, required, type Problem, type Spot } from './problems.js'

/** `strict` names are typed after a slash; `free` ones are picked from a menu. */
export type Naming = 'strict' | 'free'

const strictName = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

const wrongCharacters: Problem = {
  code: 'STRING_TYPE_REGEX',
  message: 'String value did not match validation regex.',
  rule: "must have letters, digits, - _ ' only",
}
const upperCase: Problem = {
  code: 'APPLICATION_COMMAND_INVALID_NAME',
  message: 'Command name is invalid',
  rule: 'must use the lowercase form of each letter that has one',
}
const blank: Problem = {
  code: 'APPLICATION_COMMAND_INVALID_NAME',
  message: 'Command name is invalid',
  rule: 'must have more than blanks',
}

/** In code points, as the name's own pattern counts. */
export function lengthOf(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1) count += 1
  return count
}

export function checkText(value: unknown, spot: Spot, { smallest = 1, largest }: { smallest?: number; largest: number }): value is string {
  if (value === undefined) spot.refuse(required)
  else if (typeof value !== 'string') spot.refuse(notText)
  else if (lengthOf(value) < smallest || lengthOf(value) > largest) spot.refuse(badLength(smallest, largest))
  else return true
  return false
}

export function checkName(value: unknown, spot: Spot, naming: Naming): void {
  if (!checkText(value, spot, { largest: limits.nameLength })) return
  if (naming === 'free') {
    if (value.trim() === '') spot.refuse(blank)
  } else if (!strictName.test(value)) spot.refuse(wrongCharacters)
  else if (Array.from(value).some((letter) => letter.toLowerCase() !== letter)) spot.refuse(upperCase)
}

/** Nothing, null, or an object; which locales it names is the application's own business. */
function checkDictionary(value: unknown, spot: Spot, check: (text: unknown, spot: Spot) => void): void {
  if (value === undefined || value === null) return
  if (!isObject(value)) return spot.refuse(notDictionary)
  for (const [locale, text] of Object.entries(value)) check(text, spot.at(locale))
}

export function checkNames(value: unknown, spot: Spot, naming: Naming): void {
  checkDictionary(value, spot, (text, at) => checkName(text, at, naming))
}

export function checkTexts(value: unknown, spot: Spot, largest: number): void {
  checkDictionary(value, spot, (text, at) => void checkText(text, at, { largest }))
}
