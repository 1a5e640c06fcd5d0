/** Converts the result of an autocomplete handler to choices within the service's limits. */
import { isRecord } from '../foundation/guard-untrusted-values'
import { ConfigurationError } from '../foundation/errors'
import type { AutocompleteChoice } from '../wire/interaction-response'

const MAX_CHOICES = 25
/** Maximum length of a name and of a string value, in characters (docs/interface/commands.md#choices). */
const MAX_LENGTH = 100

/**
 * Converts suggestions to choices. A bare value is its own name. Names are truncated, and values that are too long are left out, because
 * one invalid choice makes the service refuse all.
 */
export function toChoices(suggestions: unknown): AutocompleteChoice[] {
  if (!Array.isArray(suggestions)) throw new ConfigurationError('invalid_argument', 'suggestions: a list')
  const choices: AutocompleteChoice[] = []
  for (const each of suggestions) {
    const choice = isValue(each) ? { name: String(each), value: each } : each
    if (!isChoice(choice)) throw new ConfigurationError('invalid_argument', 'suggestions: a value, or { name, value }')
    // A truncated value would be a different value.
    if (choice.name && fits(choice.value)) choices.push({ ...choice, name: truncate(choice.name) })
    if (choices.length === MAX_CHOICES) break
  }
  return choices
}

/** Splits between code points, never inside one. */
const truncate = (text: string): string => Array.from(text).slice(0, MAX_LENGTH).join('')

const fits = (value: string | number): boolean => typeof value === 'number' || truncate(value) === value

const isValue = (value: unknown): value is string | number => typeof value === 'string' || Number.isFinite(value)

const isChoice = (value: unknown): value is AutocompleteChoice =>
  isRecord(value) && typeof value['name'] === 'string' && isValue(value['value'])
