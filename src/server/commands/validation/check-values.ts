/** Validates option values: bounds, lengths, choices and autocomplete (docs/interface/commands.md#options, docs/interface/commands.md#choices). */
import type { ApplicationCommandOption, ApplicationCommandOptionChoice } from '../../../shared/wire/command'
import { CHOICES, CHOICE_VALUE, INTEGER, MAX_LENGTH, MIN_LENGTH, NUMBER } from './command-limits'
import { CHOICE_LABEL } from './text-rule'
import { isObject, type Limits, ValidationContext, type Unread } from './validation-context'
import { checkText } from './check-text'

/** Unvalidated option. */
export type Option = Unread<keyof ApplicationCommandOption>

/** Placeholder for an unknown type: such an option may have any field. */
export const UNKNOWN = 0
const STRING = 3
const WHOLE = 4
const DECIMAL = 10

type ByType = Readonly<Record<number, Limits>>

const VALUES: ByType = { [UNKNOWN]: NUMBER, [WHOLE]: INTEGER, [DECIMAL]: NUMBER }

/** Bounds by option type, with their allowed values. */
const BOUNDS: Readonly<Record<`${'min' | 'max'}_${'value' | 'length'}`, ByType>> = {
  min_value: VALUES,
  max_value: VALUES,
  min_length: { [UNKNOWN]: MIN_LENGTH, [STRING]: MIN_LENGTH },
  max_length: { [UNKNOWN]: MAX_LENGTH, [STRING]: MAX_LENGTH },
}

const WITH_CHOICES: ReadonlySet<number> = new Set([UNKNOWN, STRING, WHOLE, DECIMAL])

/** Validates everything about the values of an option. Returns the number of characters of its choices. */
export function checkValues(option: Option, type: number, context: ValidationContext): number {
  const { choices, autocomplete } = option
  if (option.min_value !== undefined || option.max_value !== undefined)
    checkBounds(option, 'value', { type, context })
  if (option.min_length !== undefined || option.max_length !== undefined)
    checkBounds(option, 'length', { type, context })
  const list = choices === undefined ? [] : context.list(choices, 'choices', CHOICES)
  const fits = WITH_CHOICES.has(type)
  context.flag(autocomplete, 'autocomplete')
  if (autocomplete === true) {
    if (!fits) context.notForType('autocomplete', type)
    else if (list.length > 0) context.error('choices_and_autocomplete', 'autocomplete')
  }
  if (list.length === 0) return 0
  if (fits) return checkChoices(list, allowedOf(option, type), context)
  context.notForType('choices', type)
  return 0
}

/** Rejects bounds on types that do not support them, and `min > max`. */
function checkBounds(
  option: Option,
  of: 'value' | 'length',
  { type, context }: { type: number; context: ValidationContext },
): void {
  const [least, greatest] = [`min_${of}`, `max_${of}`] as const
  for (const field of [least, greatest]) {
    const limits = BOUNDS[field][type]
    if (option[field] === undefined) continue
    if (limits) context.number(option[field], limits, field)
    else context.notForType(field, type)
  }
  const { [least]: min, [greatest]: max } = option
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    context.error('over_maximum', least, { field: greatest, max })
}

/** Allowed choice values: of the option's type and within its own bounds. */
interface Allowed {
  readonly type: number
  /** Undefined for types without numeric values. */
  readonly numbers: Limits | undefined
  readonly lengths: Limits
}

function allowedOf({ min_value, max_value, min_length, max_length }: Option, type: number): Allowed {
  const numbers = VALUES[type]
  return {
    type,
    numbers: numbers && narrowed(numbers, min_value, max_value),
    lengths: narrowed(CHOICE_VALUE, min_length, max_length),
  }
}

function narrowed({ min, max, fractions = false }: Limits, least: unknown, greatest: unknown): Limits {
  return {
    min: typeof least === 'number' ? Math.max(min, least) : min,
    max: typeof greatest === 'number' ? Math.min(max, greatest) : max,
    fractions,
  }
}

function checkChoices(list: readonly unknown[], allowed: Allowed, context: ValidationContext): number {
  let size = 0
  for (let index = 0; index < list.length; index++) {
    const at = new ValidationContext(context, 'choices', index)
    const choice = list[index]
    if (!isObject<keyof ApplicationCommandOptionChoice>(choice)) at.wrongType('an object')
    else {
      const { name, value, name_localizations: dictionary } = choice
      // Choices with equal names are indistinguishable for players. Equal values are allowed.
      const first = list.findIndex((other) => isObject<'name'>(other) && other.name === name)
      if (first < index && typeof name === 'string') at.error('name_taken', 'name', { first })
      size +=
        checkChoiceValue(value, allowed, at) +
        checkText({ text: name, dictionary, optional: false }, CHOICE_LABEL, at)
    }
  }
  return size
}

/** Returns the number of characters of the value. */
function checkChoiceValue(
  value: unknown,
  { type, numbers, lengths }: Allowed,
  context: ValidationContext,
): number {
  if (value === undefined) context.error('required', 'value')
  else if (numbers && (type !== UNKNOWN || typeof value === 'number')) context.number(value, numbers, 'value')
  else if (typeof value === 'string') return context.length(value, lengths, 'value')
  else context.wrongType('a string', 'value')
  return 0
}
