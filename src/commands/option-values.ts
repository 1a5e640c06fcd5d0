/** Checks what the values of an option may be: bounds, lengths, choices, suggestions (S:78-87, S:105-111). */
import type { ApplicationCommandOption, ApplicationCommandOptionChoice } from '../wire/command'
import { countCharacters, hasLength } from './characters'
import { CHOICES, CHOICE_VALUE, INTEGER, MAX_LENGTH, MIN_LENGTH, NUMBER } from './limits'
import { CHOICE_LABEL } from './names'
import { isObject, Place, type Unread } from './place'
import { checkText } from './texts'

/** An option as it was given. */
export type Option = Unread<keyof ApplicationCommandOption>

const STRING = 3
const WHOLE = 4
const DECIMAL = 10
/** ATTACHMENT: no type is higher. */
const LAST = 11

/** Whether a value stands among the types of the interface (S:91-103). */
export const isOptionType = (type: unknown): type is number =>
  typeof type === 'number' && Number.isInteger(type) && type > 0 && type <= LAST

/** Of an unknown type nothing can be said. */
const mayHaveChoices = (type: unknown): boolean => type === STRING || type === WHOLE || type === DECIMAL || !isOptionType(type)

/** Everything about an option's values. Gives how many characters its choices have. */
export function checkValues(option: Option, place: Place): number {
  const { type, choices, autocomplete } = option
  if (option.min_value !== undefined || option.max_value !== undefined) checkBounds(option, ['min_value', 'max_value'], place)
  if (option.min_length !== undefined || option.max_length !== undefined) checkBounds(option, ['min_length', 'max_length'], place)
  const list = choices === undefined ? [] : place.list(choices, 'choices', CHOICES)
  place.flag(autocomplete, 'autocomplete')
  if (autocomplete === true) {
    if (!mayHaveChoices(type)) place.note('not_for_type', 'autocomplete', { type })
    else if (list.length > 0) place.note('choices_and_autocomplete', 'autocomplete')
  }
  if (list.length === 0) return 0
  if (!mayHaveChoices(type)) {
    place.note('not_for_type', 'choices', { type })
    return 0
  }
  let size = 0
  for (let index = 0; index < list.length; index++) size += checkChoice(option, list, new Place(place, 'choices', index))
  return size
}

interface Limits {
  readonly min: number
  readonly max: number
  readonly fractions?: true
}

type Bound = 'min_value' | 'max_value' | 'min_length' | 'max_length'

/** Bounds on a type that has none are refused; so is a least above the greatest, which no value could meet. */
function checkBounds(option: Option, bounds: readonly [Bound, Bound], place: Place): void {
  const { type } = option
  for (const field of bounds) {
    const value = option[field]
    if (value === undefined) continue
    const limits = limitsOf(field, type)
    if (limits) checkNumber(value, limits, { place, field })
    else place.note('not_for_type', field, { type })
  }
  const [min, max] = bounds.map((field) => option[field])
  if (typeof min === 'number' && typeof max === 'number' && min > max) place.note('over_maximum', bounds[0], { field: bounds[1], max })
}

/** Undefined where the type has no such bound. */
function limitsOf(field: Bound, type: unknown): Limits | undefined {
  const unknown = !isOptionType(type)
  const ofLength = field === 'min_length' ? MIN_LENGTH : field === 'max_length' && MAX_LENGTH
  if (ofLength) return type === STRING || unknown ? ofLength : undefined
  return type === WHOLE ? INTEGER : type === DECIMAL || unknown ? NUMBER : undefined
}

function checkNumber(value: unknown, { min, max, fractions }: Limits, { place, field }: { place: Place; field: string }): void {
  if (typeof value !== 'number' || !(fractions ? Number.isFinite(value) : Number.isInteger(value))) {
    place.wrong(fractions ? 'a number' : 'a whole number', field)
  } else if (value < min || value > max) place.note('out_of_range', field, { min, max })
}

function checkChoice(option: Option, list: readonly unknown[], place: Place): number {
  const choice = list[place.index]
  if (!isObject<keyof ApplicationCommandOptionChoice>(choice)) {
    place.wrong('an object')
    return 0
  }
  const { name, value } = choice
  // Two of one name: a player could not tell them apart. Two of one value are fine.
  const first = typeof name === 'string' ? indexOfName(list, name) : place.index
  if (first < place.index) place.note('name_taken', 'name', { first })
  checkChoiceValue(option, value, place)
  const size = checkText({ text: name, dictionary: choice.name_localizations, optional: false }, CHOICE_LABEL, place)
  return typeof value === 'string' ? size + countCharacters(value) : size
}

function indexOfName(list: readonly unknown[], name: string): number {
  let index = 0
  for (const choice of list) {
    if (isObject<keyof ApplicationCommandOptionChoice>(choice) && choice.name === name) break
    index++
  }
  return index
}

/** A value is of the option's own type, and within the bounds that the option itself sets. */
function checkChoiceValue(option: Option, value: unknown, place: Place): void {
  const { type } = option
  if (value === undefined) return place.note('required', 'value')
  const limits = limitsOf('min_value', type)
  if (limits && (isOptionType(type) || typeof value === 'number')) {
    return checkNumber(value, narrowed(limits, option.min_value, option.max_value), { place, field: 'value' })
  }
  if (typeof value !== 'string') return place.wrong('text', 'value')
  if (value.length <= CHOICE_VALUE.max && option.min_length === undefined && option.max_length === undefined) return
  const { min, max } = narrowed(CHOICE_VALUE, option.min_length, option.max_length)
  if (!hasLength(value, { min, max })) place.note('length', 'value', { min, max, actual: countCharacters(value) })
}

function narrowed({ min, max, ...rest }: Limits, least: unknown, greatest: unknown): Limits {
  return {
    ...rest,
    min: typeof least === 'number' ? Math.max(min, least) : min,
    max: typeof greatest === 'number' ? Math.min(max, greatest) : max,
  }
}
