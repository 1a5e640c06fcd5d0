/** Checks what the values of an option may be: bounds, lengths, choices, suggestions (S:78-87, S:105-111). */
import type { ApplicationCommandOption, ApplicationCommandOptionChoice } from '../../wire/command'
import { CHOICES, CHOICE_VALUE, INTEGER, MAX_LENGTH, MIN_LENGTH, NUMBER } from '../limits'
import { CHOICE_LABEL } from './names'
import { isObject, type Limits, ValidationContext, type Unread } from './validation-context'
import { checkText } from './texts'

/** An option as it was given. */
export type Option = Unread<keyof ApplicationCommandOption>

/** Stands for a type that is none of the interface's: such an option may have any field. */
export const UNKNOWN = 0
const STRING = 3
const WHOLE = 4
const DECIMAL = 10

type ByType = Readonly<Record<number, Limits>>

const VALUES: ByType = { [UNKNOWN]: NUMBER, [WHOLE]: INTEGER, [DECIMAL]: NUMBER }

/** Which types have which bounds, and what those may be. */
const BOUNDS: Readonly<Record<`${'min' | 'max'}_${'value' | 'length'}`, ByType>> = {
  min_value: VALUES,
  max_value: VALUES,
  min_length: { [UNKNOWN]: MIN_LENGTH, [STRING]: MIN_LENGTH },
  max_length: { [UNKNOWN]: MAX_LENGTH, [STRING]: MAX_LENGTH },
}

const WITH_CHOICES: ReadonlySet<number> = new Set([UNKNOWN, STRING, WHOLE, DECIMAL])

/** Everything about an option's values. Gives how many characters its choices have. */
export function checkValues(option: Option, type: number, context: ValidationContext): number {
  const { choices, autocomplete } = option
  if (option.min_value !== undefined || option.max_value !== undefined) checkBounds(option, 'value', { type, context })
  if (option.min_length !== undefined || option.max_length !== undefined) checkBounds(option, 'length', { type, context })
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

/** Bounds on a type that has none are refused; so is a least above the greatest, which no value could meet. */
function checkBounds(option: Option, of: 'value' | 'length', { type, context }: { type: number; context: ValidationContext }): void {
  const [least, greatest] = [`min_${of}`, `max_${of}`] as const
  for (const field of [least, greatest]) {
    const limits = BOUNDS[field][type]
    if (option[field] === undefined) continue
    if (limits) context.number(option[field], limits, field)
    else context.notForType(field, type)
  }
  const { [least]: min, [greatest]: max } = option
  if (typeof min === 'number' && typeof max === 'number' && min > max) context.error('over_maximum', least, { field: greatest, max })
}

/** What the values of choices may be: of the option's own type, and within the bounds that the option itself sets. */
interface Allowed {
  readonly type: number
  /** Absent where no value is a number. */
  readonly numbers: Limits | undefined
  readonly lengths: Limits
}

function allowedOf({ min_value, max_value, min_length, max_length }: Option, type: number): Allowed {
  const numbers = VALUES[type]
  return { type, numbers: numbers && narrowed(numbers, min_value, max_value), lengths: narrowed(CHOICE_VALUE, min_length, max_length) }
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
      // Two of one name: a player could not tell them apart. Two of one value are fine.
      const first = list.findIndex((other) => isObject<'name'>(other) && other.name === name)
      if (first < index && typeof name === 'string') at.error('name_taken', 'name', { first })
      size += checkChoiceValue(value, allowed, at) + checkText({ text: name, dictionary, optional: false }, CHOICE_LABEL, at)
    }
  }
  return size
}

/** Gives how many characters it has. */
function checkChoiceValue(value: unknown, { type, numbers, lengths }: Allowed, context: ValidationContext): number {
  if (value === undefined) context.error('required', 'value')
  else if (numbers && (type !== UNKNOWN || typeof value === 'number')) context.number(value, numbers, 'value')
  else if (typeof value === 'string') return context.length(value, lengths, 'value')
  else context.wrongType('text', 'value')
  return 0
}
