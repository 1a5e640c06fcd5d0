/** Converts the result of an autocomplete handler to choices within the service's limits. */
import { ConfigurationError } from '../../shared/foundation/errors'
import { Place, text } from '../../shared/foundation/rules'
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import type { AutocompleteChoice } from '../../shared/wire/interaction-response'
import { choiceValue } from '../commands/validation/check-values'
import { CommandIssues, type CommandPlace, type CommandRule } from '../commands/validation/command-issues'
import { CHOICE_NAME } from '../commands/validation/command-limits'

const MAX_CHOICES = 25
const STRING = 3
const TRANSLATION: CommandRule = { is: text, ...CHOICE_NAME, visible: true }

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
  const at = new Place(new CommandIssues())
  const { issues } = at.state
  let dropped = 0
  for (const [index, each] of suggestions.entries()) {
    const choice = isValue(each) ? { name: String(each), value: each } : each
    if (!isChoice(choice))
      throw new ConfigurationError('invalid_argument', 'suggestions: a value, or { name, value }')
    const before = issues.length
    checkChoice(choice, option, at.element(index))
    if (issues.length > before) dropped += 1
    else choices.push({ ...choice, name: truncate(choice.name) })
    if (choices.length === MAX_CHOICES) break
  }
  const [first] = issues
  if (first) onDropped?.(`${first.path}: ${first.message}`, dropped)
  return choices
}

/** The name may be too long, since it is truncated. A truncated value would be a different value. */
function checkChoice(
  { name, name_localizations: localizations, value }: AutocompleteChoice,
  option: SuggestedOption | undefined,
  at: CommandPlace,
): void {
  if (name.trim() === '') at.field('name').add('name_blank')
  for (const [locale, label] of Object.entries({ ...localizations }))
    TRANSLATION.is(label, at.field('name_localizations').entry(locale), TRANSLATION)
  const { type = typeof value === 'string' ? STRING : undefined, min, max } = ownFields({ ...option })
  const rule = choiceValue(type, min, max)
  rule.is(value, at.field('value'), rule)
}

/** Splits between code points, never inside one. */
const truncate = (name: string): string => Array.from(name).slice(0, CHOICE_NAME.max).join('')

const isValue = (value: unknown): value is string | number =>
  typeof value === 'string' || Number.isFinite(value)

const isChoice = (value: unknown): value is AutocompleteChoice =>
  isRecord(value) && typeof value['name'] === 'string' && isValue(value['value'])
