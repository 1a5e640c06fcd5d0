/** Validates option values: bounds, lengths, choices and autocomplete (docs/interface/commands.md#options, docs/interface/commands.md#choices). */
import { checkList, flag, number, text, whole, countCharacters } from '../../../shared/foundation/rules'
import type { ApplicationCommandOption, ApplicationCommandOptionChoice } from '../../../shared/wire/command'
import type { CommandPlace, CommandRule } from './command-issues'
import { CHOICES, CHOICE_VALUE, INTEGER, MAX_LENGTH, MIN_LENGTH, NUMBER } from './command-limits'
import { CHOICE_EXAMPLE, choiceLike } from './choice-like'
import { CHOICE_LABEL, checkText } from './check-text'
import { isObject, type Unread } from './validation-rules'

/** Unvalidated option. */
export type Option = Unread<keyof ApplicationCommandOption>

/** Placeholder for an unknown type: such an option may have any field. */
export const UNKNOWN = 0
const STRING = 3
const WHOLE = 4
const DECIMAL = 10

type ByType = Readonly<Record<number, CommandRule>>

/** Rules of numbers by option type. */
const NUMBERS: ByType = {
  [UNKNOWN]: { is: number, ...NUMBER },
  [WHOLE]: { is: whole, ...INTEGER },
  [DECIMAL]: { is: number, ...NUMBER },
}
const LEAST_LENGTH: CommandRule = { is: whole, ...MIN_LENGTH }
const MOST_LENGTH: CommandRule = { is: whole, ...MAX_LENGTH }
const CHOICE_TEXT: CommandRule = { is: text, ...CHOICE_VALUE }

/** Bounds by option type. */
const BOUNDS: Readonly<Record<`${'min' | 'max'}_${'value' | 'length'}`, ByType>> = {
  min_value: NUMBERS,
  max_value: NUMBERS,
  min_length: { [UNKNOWN]: LEAST_LENGTH, [STRING]: LEAST_LENGTH },
  max_length: { [UNKNOWN]: MOST_LENGTH, [STRING]: MOST_LENGTH },
}

const CHOICE_LIST = { max: CHOICES, read: 2 * CHOICES, expected: `a list: [${CHOICE_EXAMPLE}]` }
const WITH_CHOICES: ReadonlySet<number> = new Set([UNKNOWN, STRING, WHOLE, DECIMAL])

/** Validates everything about the values of an option. Returns the number of characters of its choices. */
export function checkValues(option: Option, type: number, at: CommandPlace): number {
  const { choices, autocomplete } = option
  if (option.min_value !== undefined || option.max_value !== undefined)
    checkBounds(option, 'value', { type, at })
  if (option.min_length !== undefined || option.max_length !== undefined)
    checkBounds(option, 'length', { type, at })
  const list = choices === undefined ? [] : checkList(choices, at.field('choices'), CHOICE_LIST)
  const fits = WITH_CHOICES.has(type)
  if (autocomplete !== undefined) flag(autocomplete, at.field('autocomplete'))
  if (autocomplete === true) {
    if (!fits) at.field('autocomplete').add('not_for_type', { type })
    else if (list.length > 0) at.field('autocomplete').add('choices_and_autocomplete')
  }
  if (list.length === 0) return 0
  if (fits) return checkChoices(list, allowedOf(option, type), at.field('choices'))
  at.field('choices').add('not_for_type', { type })
  return 0
}

/** Rejects bounds on types that do not support them, and `min > max`. */
function checkBounds(
  option: Option,
  of: 'value' | 'length',
  { type, at }: { type: number; at: CommandPlace },
): void {
  const [least, greatest] = [`min_${of}`, `max_${of}`] as const
  for (const field of [least, greatest]) {
    const rule = BOUNDS[field][type]
    if (option[field] === undefined) continue
    if (rule) rule.is(option[field], at.field(field), rule)
    else at.field(field).add('not_for_type', { type })
  }
  const { [least]: min, [greatest]: max } = option
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    at.field(least).add('over_maximum', { field: greatest, max })
}

/** Allowed choice values: of the option's type and within its own bounds. */
interface Allowed {
  readonly type: number
  /** Undefined for types without numeric values. */
  readonly number: CommandRule | undefined
  readonly text: CommandRule
}

function allowedOf({ min_value, max_value, min_length, max_length }: Option, type: number): Allowed {
  const rule = NUMBERS[type]
  return {
    type,
    number: rule && narrowed(rule, min_value, max_value),
    text: narrowed(CHOICE_TEXT, min_length, max_length),
  }
}

/** Rule of the value of a choice, within the option's own bounds. Without a type, it is a number. */
export function choiceValue(type: number = UNKNOWN, least?: unknown, greatest?: unknown): CommandRule {
  return narrowed(NUMBERS[type] ?? CHOICE_TEXT, least, greatest)
}

function narrowed(rule: CommandRule, least: unknown, greatest: unknown): CommandRule {
  const { min = -Infinity, max = Infinity } = rule
  return {
    ...rule,
    min: typeof least === 'number' ? Math.max(min, least) : min,
    max: typeof greatest === 'number' ? Math.min(max, greatest) : max,
  }
}

function checkChoices(list: readonly unknown[], allowed: Allowed, at: CommandPlace): number {
  let size = 0
  for (let index = 0; index < list.length; index++) {
    const place = at.element(index)
    const choice = list[index]
    if (!isObject<keyof ApplicationCommandOptionChoice>(choice))
      place.add('wrong_type', { expected: choiceLike(choice) })
    else {
      const { name, value, name_localizations: dictionary } = choice
      // Choices with equal names are indistinguishable for players. Equal values are allowed.
      const first = list.findIndex((other) => isObject<'name'>(other) && other.name === name)
      if (first < index && typeof name === 'string') place.field('name').add('name_taken', { first })
      size +=
        checkChoiceValue(value, allowed, place.field('value')) +
        checkText({ text: name, dictionary, optional: false }, CHOICE_LABEL, place)
    }
  }
  return size
}

/** Returns the number of characters of the value. */
function checkChoiceValue(
  value: unknown,
  { type, number: numeric, text: textual }: Allowed,
  at: CommandPlace,
): number {
  if (value === undefined) at.add('required')
  else if (numeric && (type !== UNKNOWN || typeof value === 'number')) numeric.is(value, at, numeric)
  else {
    textual.is(value, at, textual)
    if (typeof value === 'string') return countCharacters(value)
  }
  return 0
}
