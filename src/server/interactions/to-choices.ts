/** Converts the result of an autocomplete handler to choices within the service's limits. */
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import { ConfigurationError } from '../../shared/foundation/errors'
import type { AutocompleteChoice } from '../../shared/wire/interaction-response'

const MAX_CHOICES = 25
/** Maximum length of a name and of a string value, in characters (docs/interface/commands.md#choices). */
const MAX_LENGTH = 100
/** Largest number of an option, in both directions (docs/interface/commands.md#option-types). */
const MAX_NUMBER = 2 ** 53

/** The option that is being typed. */
export interface SuggestedOption {
  /** 3 STRING, 4 INTEGER, 10 NUMBER. */
  readonly type: number
  /** Bounds of a number, or of the length of a text. */
  readonly min?: number | undefined
  readonly max?: number | undefined
}

export interface ToChoicesOptions {
  /** Default: values of all types. */
  readonly option?: SuggestedOption | undefined
  /** Called once with the first problem and the number of choices that were left out. */
  readonly onDropped?: (problem: string, count: number) => void
}

/**
 * Converts suggestions to choices. A bare value is its own name. Names are truncated, and choices that the service would refuse are left
 * out, because one of them makes it refuse all.
 */
export function toChoices(
  suggestions: unknown,
  { option, onDropped }: ToChoicesOptions = {},
): AutocompleteChoice[] {
  if (!Array.isArray(suggestions)) throw new ConfigurationError('invalid_argument', 'suggestions: a list')
  const choices: AutocompleteChoice[] = []
  const problems: string[] = []
  for (const [index, each] of suggestions.entries()) {
    const choice = isValue(each) ? { name: String(each), value: each } : each
    if (!isChoice(choice))
      throw new ConfigurationError('invalid_argument', 'suggestions: a value, or { name, value }')
    const problem = problemOfLabels(choice) ?? problemOfValue(choice.value, option)
    if (problem) problems.push(`[${index}]${problem}`)
    else choices.push({ ...choice, name: truncate(choice.name) })
    if (choices.length === MAX_CHOICES) break
  }
  if (problems[0]) onDropped?.(problems[0], problems.length)
  return choices
}

function problemOfLabels({
  name,
  name_localizations: localizations,
}: AutocompleteChoice): string | undefined {
  if (!isLabel(name)) return '.name: blank'
  for (const [locale, label] of Object.entries({ ...localizations }))
    if (!isLabel(label) || truncate(label) !== label)
      return `.name_localizations.${locale}: 1 to ${MAX_LENGTH} characters`
  return undefined
}

/** A truncated value would be a different value. */
function problemOfValue(value: string | number, option: SuggestedOption | undefined): string | undefined {
  const { type, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = ownFields({ ...option })
  if (typeof value === 'string') {
    if (type !== undefined && type !== 3) return '.value: a number was expected'
    const { length } = Array.from(value)
    return length <= MAX_LENGTH && length >= min && length <= max
      ? undefined
      : '.value: its length is out of range'
  }
  if (type === 3) return '.value: a text was expected'
  if (type === 4 && !Number.isSafeInteger(value)) return '.value: a safe integer was expected'
  return Math.abs(value) <= MAX_NUMBER && value >= min && value <= max ? undefined : '.value: out of range'
}

const isLabel = (text: unknown): text is string => typeof text === 'string' && text.trim() !== ''

/** Splits between code points, never inside one. */
const truncate = (text: string): string => Array.from(text).slice(0, MAX_LENGTH).join('')

const isValue = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isFinite(value)

const isChoice = (value: unknown): value is AutocompleteChoice =>
  isRecord(value) && typeof value['name'] === 'string' && isValue(value['value'])
