/** Checks of single fields in messages and modals: each adds the service's error at its path. */
import { isObject, isSnowflake } from '../foundation/values.js'
import {
  NOT_BOOLEAN,
  NOT_INTEGER,
  NOT_LIST,
  NOT_OBJECT,
  NOT_SNOWFLAKE,
  NOT_TEXT,
  outside,
  REQUIRED,
  type ValidationContext,
  type ValidationProblem,
} from './validation-context.js'

export type Fields = Record<string, unknown>

interface Length {
  least?: number
  most: number
  /** True if white space at both ends does not count. */
  trims?: boolean
}

/** Returns the length of a text; 0 for anything else. */
export function checkText(
  value: unknown,
  at: ValidationContext,
  { least = 0, most, trims = false }: Length,
): number {
  if (typeof value !== 'string') {
    at.addError(NOT_TEXT)
    return 0
  }
  if (/\p{Cs}/u.test(value)) at.addError(LONE_SURROGATE)
  const { length } = Array.from(trims ? value.trim() : value)
  if (length === 0 && least > 0) at.addError(REQUIRED)
  else if (length > most || length < least) at.addError(badTextLength(least, most))
  return length
}

/** A text that must be given. */
export function needText(
  fields: Fields,
  name: string,
  { at, ...length }: Length & { at: ValidationContext },
): number {
  if (fields[name] === undefined) {
    at.at(name).addError(REQUIRED)
    return 0
  }
  return checkText(fields[name], at.at(name), length)
}

export function checkInteger(
  value: unknown,
  at: ValidationContext,
  [least, most]: readonly [number, number],
): void {
  if (typeof value !== 'number' || !Number.isInteger(value)) at.addError(NOT_INTEGER)
  else if (value < least || value > most) at.addError(outside(least, most))
}

/** Flags that are given must be booleans. */
export function checkFlags(fields: Fields, names: readonly string[], at: ValidationContext): void {
  for (const name of names)
    if (fields[name] !== undefined && typeof fields[name] !== 'boolean') at.at(name).addError(NOT_BOOLEAN)
}

export function checkSnowflake(value: unknown, at: ValidationContext): void {
  if (!isSnowflake(value)) at.addError(NOT_SNOWFLAKE)
}

interface Size {
  least?: number
  most: number
}

/** Calls `each` for the elements of a list within its bounds. */
export function checkList(
  value: unknown,
  { at, least = 0, most }: Size & { at: ValidationContext },
  each: (item: unknown, at: ValidationContext) => void,
): void {
  if (!Array.isArray(value)) return at.addError(NOT_LIST)
  if (value.length === 0 && least > 0) at.addError(REQUIRED)
  else if (value.length < least || value.length > most) at.addError(badListLength(least, most))
  for (const [index, item] of value.slice(0, MAX_READ).entries()) each(item, at.at(index))
}

const MAX_READ = 200

/** Calls `check` for an object. */
export function checkObject(value: unknown, at: ValidationContext, check: (fields: Fields) => void): void {
  if (isObject(value)) check(value)
  else at.addError(NOT_OBJECT)
}

export function checkUrl(
  value: unknown,
  at: ValidationContext,
  { schemes, most = 2048 }: { schemes: readonly string[]; most?: number },
): void {
  if (typeof value !== 'string') return at.addError(NOT_TEXT)
  if (value.length > most) return at.addError(badTextLength(0, most))
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)?.[1]?.toLowerCase()
  if (scheme === undefined) return at.addError(NOT_URL)
  if (!schemes.includes(scheme)) return at.addError(badScheme(scheme, schemes))
  if (scheme === 'attachment') {
    if (value.length === 'attachment://'.length) at.addError(NOT_URL)
  } else if (/\s/.test(value) || !/^https?:\/\/[^/?#]/i.test(value) || URL.parse(value) === null)
    at.addError(NOT_URL)
}

/** An emoji is a custom one by its id, or a character by its name. */
export function checkEmoji(value: unknown, at: ValidationContext): void {
  checkObject(value, at, (emoji) => {
    const { id, name } = emoji
    if (id !== undefined && id !== null) checkSnowflake(id, at.at('id'))
    if (name !== undefined && name !== null) checkText(name, at.at('name'), { least: 1, most: 100 })
    checkFlags(emoji, ['animated'], at)
    if ((id ?? undefined) === undefined && (name ?? undefined) === undefined) at.addError(INVALID_EMOJI)
  })
}

export function isChoiceOf(value: unknown, at: ValidationContext, allowed: readonly unknown[]): boolean {
  if (allowed.includes(value)) return true
  at.addError(notOneOf(allowed))
  return false
}

const LONE_SURROGATE = invalid(
  'STRING_TYPE_UNICODE',
  'Text must be valid Unicode.',
  'must not hold half of a surrogate pair',
)
const NOT_URL = invalid('URL_TYPE_INVALID_URL', 'Not a well formed URL.', 'must be a well-formed address')
const INVALID_EMOJI = invalid('BUTTON_COMPONENT_INVALID_EMOJI', 'Invalid emoji', 'must have an id or a name')

/** An error of the service with the rule for developers. */
export function invalid(code: string, message: string, rule: string): ValidationProblem {
  return { code, message, rule }
}

function badScheme(scheme: string, schemes: readonly string[]): ValidationProblem {
  const names = schemes.map((each) => `'${each}'`).join(', ')
  return invalid(
    'URL_TYPE_INVALID_SCHEME',
    `Scheme "${scheme}" is not supported. Scheme must be one of (${names}).`,
    `must begin with ${schemes.map((each) => `${each}://`).join(' or ')}`,
  )
}

function badTextLength(least: number, most: number): ValidationProblem {
  if (least > 0)
    return invalid(
      'BASE_TYPE_BAD_LENGTH',
      `Must be between ${least} and ${most} in length.`,
      `must have ${least} to ${most} characters`,
    )
  return invalid(
    'BASE_TYPE_MAX_LENGTH',
    `Must be ${most} or fewer in length.`,
    `must have at most ${most} characters`,
  )
}

function badListLength(least: number, most: number): ValidationProblem {
  if (least > 0)
    return invalid(
      'BASE_TYPE_BAD_LENGTH',
      `Must be between ${least} and ${most} in length.`,
      `must have ${least} to ${most} items`,
    )
  return invalid(
    'BASE_TYPE_MAX_LENGTH',
    `Must be ${most} or fewer in length.`,
    `must have at most ${most} items`,
  )
}

function notOneOf(allowed: readonly unknown[]): ValidationProblem {
  return invalid(
    'BASE_TYPE_CHOICES',
    `Value must be one of {${allowed.join(', ')}}.`,
    `must be one of ${allowed.join(', ')}`,
  )
}

export function notObjectAt(at: ValidationContext): void {
  at.addError(NOT_OBJECT)
}

/** Adds the error of a component whose type is missing, or not allowed here. */
export function unknownType(at: ValidationContext, type: unknown, allowed: readonly number[]): void {
  if (type === undefined) return at.addError(REQUIRED)
  const list = allowed.join(', ')
  at.addError(
    invalid(
      'UNION_TYPE_CHOICES',
      `Value of field "type" must be one of (${list}).`,
      `must be one of ${list} here`,
    ),
  )
}
