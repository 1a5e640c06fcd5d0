/** Applies rules, which are data, to values: types, bounds, and fields that do not exist. */
import { countCharacters } from '../commands/validation/count-characters'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { isSnowflake } from '../../shared/foundation/ids'
import { closestName } from '../../shared/foundation/options'
import type { Place } from './message-issue-code'

interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** Rule of a value. Lengths are in characters; `trimmed` ones do not count white space at both ends. */
export type ValueRule = { readonly required?: true; readonly nullable?: true } & (
  | ({ readonly is: 'text'; readonly trimmed?: 'embed' | 'other' } & Bounds)
  | ({ readonly is: 'whole' } & Required<Bounds>)
  | ({ readonly is: 'list'; readonly of: ValueRule; readonly distinct?: 'itself' | 'value' } & Bounds)
  | { readonly is: 'one'; readonly of: readonly unknown[] }
  | { readonly is: 'url'; readonly schemes: readonly string[]; readonly max: number }
  | { readonly is: 'object'; readonly fields: Shape; readonly anyOf?: readonly string[] }
  | { readonly is: 'component'; readonly of: readonly number[] }
  | { readonly is: 'pattern'; readonly pattern: RegExp; readonly expected: string }
  | { readonly is: SimpleKind }
)

/** `key`: the index of a file, or the id of an attachment. */
type SimpleKind = 'flag' | 'id' | 'key' | 'time' | 'number' | 'ignored'

/** Rules of the fields of an object. */
export type Shape = Readonly<Record<string, ValueRule>>

type Fields = Readonly<Record<string, unknown>>

/** Checks the component of a place, whose rules are by type: the tables that need it come after this file. */
export type CheckComponent = (value: unknown, allowed: readonly number[], place: Place) => void

/** Applies rules. Holds the function for components, so that the tables stay data. */
export class RuleReader {
  readonly #checkComponent: CheckComponent

  constructor(checkComponent: CheckComponent) {
    this.#checkComponent = checkComponent
  }

  /** Checks all fields of an object, and that it has no others. Returns false if the value is no object. */
  checkFields(value: unknown, shape: Shape, place: Place): value is Fields {
    if (!isRecord(value)) {
      place.add('wrong_type', { expected: 'an object' })
      return false
    }
    for (const [name, rule] of Object.entries(shape)) this.checkValue(value[name], rule, place.field(name))
    for (const name of Object.keys(value)) {
      if (Object.hasOwn(shape, name) || value[name] === undefined) continue
      const meant = findMeant(name, Object.keys(shape))
      place
        .field(name.slice(0, 64))
        .add('unknown_field', { hint: meant === undefined ? '' : `: did you mean ${meant}?`, meant })
    }
    return true
  }

  checkValue(value: unknown, rule: ValueRule, place: Place): void {
    if (value === undefined || (value === null && rule.nullable)) {
      if (rule.required) place.add('required')
      return
    }
    switch (rule.is) {
      case 'text':
        return checkText(value, rule, place)
      case 'list':
        return this.#checkList(value, rule, place)
      case 'object':
        if (
          this.checkFields(value, rule.fields, place) &&
          rule.anyOf?.every((name) => (value[name] ?? undefined) === undefined)
        )
          place.add('needs_emoji')
        return
      case 'component':
        return this.#checkComponent(value, rule.of, place)
      case 'url':
        return checkUrl(value, rule, place)
      case 'whole':
        return checkWhole(value, rule, place)
      case 'one':
        if (!rule.of.includes(value)) place.add('unknown_value', { allowed: rule.of })
        return
      case 'pattern':
        if (!(typeof value === 'string' && rule.pattern.test(value)))
          place.add('wrong_type', { expected: rule.expected })
        return
      case 'flag':
      case 'id':
      case 'key':
      case 'time':
      case 'number':
      case 'ignored':
        return checkSimple(value, rule.is, place)
    }
  }

  #checkList(
    value: unknown,
    { of, distinct, min = 0, max = Infinity }: Extract<ValueRule, { is: 'list' }>,
    place: Place,
  ): void {
    if (!Array.isArray(value)) return place.add('wrong_type', { expected: 'a list' })
    const list: readonly unknown[] = value
    if (list.length > max) place.add('too_many', { max, actual: list.length })
    if (list.length < min) place.add('too_few', { min, actual: list.length })
    const seen = new Map<unknown, number>()
    for (const [index, each] of list.slice(0, READ).entries()) {
      this.checkValue(each ?? null, of, place.element(index))
      if (!distinct) continue
      const [key, at] =
        distinct === 'value' && isRecord(each)
          ? [each['value'], place.element(index).field('value')]
          : [each, place.element(index)]
      const first = seen.get(key)
      if (first === undefined) seen.set(key, index)
      else if (typeof key === 'string') at.add('duplicate', { first: `index ${first}` })
    }
  }
}

/** The name that was probably meant: a similar one, or one with the same letters in another order. */
function findMeant(name: string, names: readonly string[]): string | undefined {
  return closestName(name, names) ?? names.find((other) => sorted(other) === sorted(name))
}

const sorted = (text: string): string => Array.from(text).sort().join('')

/** Elements of a list that are read, more than any list may have. */
const READ = 200

function checkText(
  value: unknown,
  { min = 0, max = Infinity, trimmed }: Extract<ValueRule, { is: 'text' }>,
  place: Place,
): void {
  if (typeof value !== 'string') return place.add('wrong_type', { expected: 'a string' })
  // Half a pair is not valid UTF-8: the receiver would refuse the body or show a replacement character.
  if (/\p{Surrogate}/u.test(value)) place.add('lone_surrogate')
  const actual = countCharacters(trimmed ? value.trim() : value)
  if (actual < min || actual > max) place.add('length', { min, max, actual })
  if (trimmed === 'embed') place.check.embedText += actual
}

function checkWhole(value: unknown, { min, max }: Extract<ValueRule, { is: 'whole' }>, place: Place): void {
  if (typeof value !== 'number' || !Number.isInteger(value))
    place.add('wrong_type', { expected: 'a whole number' })
  else if (value < min || value > max) place.add('out_of_range', { min, max })
}

function checkUrl(value: unknown, { schemes, max }: Extract<ValueRule, { is: 'url' }>, place: Place): void {
  if (typeof value !== 'string') return place.add('wrong_type', { expected: 'a string' })
  if (value.length > max) return place.add('length', { min: 1, max, actual: value.length })
  const scheme = schemes.find((each) => value.toLowerCase().startsWith(`${each}://`))
  const name = scheme === 'attachment' ? value.slice('attachment://'.length) : undefined
  if (name) place.check.references.push({ name, place })
  if (scheme === undefined || name === '' || (name === undefined && !isAddress(value))) {
    place.add('invalid_url', { schemes: schemes.map((each) => `${each}://`).join(' or ') })
  }
}

const isAddress = (text: string): boolean => /^https?:\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text)

function checkSimple(value: unknown, is: SimpleKind, place: Place): void {
  if (is === 'flag' && typeof value !== 'boolean') place.add('wrong_type', { expected: 'true or false' })
  if (is === 'number' && !Number.isFinite(value)) place.add('wrong_type', { expected: 'a number' })
  if (is === 'id' && !isSnowflake(value)) place.add('wrong_type', { expected: 'an id: digits in a string' })
  if (is === 'key' && !isSnowflake(value) && !isIndex(value))
    place.add('wrong_type', { expected: 'the index of a file, or an id' })
  if (is === 'time' && !isTime(value)) place.add('invalid_time')
}

const isIndex = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0

/** Date, and optionally a time with seconds, fractions and a zone. */
const ISO_8601 = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/

const isTime = (value: unknown): boolean =>
  typeof value === 'string' && ISO_8601.test(value) && !Number.isNaN(Date.parse(value))
