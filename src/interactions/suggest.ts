/** Serves autocomplete: suggestions in time, or none. */
import { isRecord } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import type { AutocompleteChoice } from '../wire/interaction-response'

const MAX_CHOICES = 25
const MAX_NAME = 100

/** The answer of a handler as choices. Bare values are their own names; what the service would refuse is cut. */
export function toChoices(suggestions: unknown): AutocompleteChoice[] {
  if (!Array.isArray(suggestions)) throw new ConfigurationError('invalid_argument', 'suggestions: a list')
  const choices: AutocompleteChoice[] = []
  for (const each of suggestions.slice(0, MAX_CHOICES)) {
    const choice = isValue(each) ? { name: String(each), value: each } : each
    if (!isChoice(choice)) throw new ConfigurationError('invalid_argument', 'suggestions: a value, or { name, value }')
    if (choice.name) choices.push({ ...choice, name: choice.name.slice(0, MAX_NAME) })
  }
  return choices
}

const isValue = (value: unknown): value is string | number => typeof value === 'string' || Number.isFinite(value)

const isChoice = (value: unknown): value is AutocompleteChoice =>
  isRecord(value) && typeof value['name'] === 'string' && isValue(value['value'])
