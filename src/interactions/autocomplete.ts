/** Serves autocomplete: suggestions in time, or none. */
import { isRecord } from '../foundation/encoding'
import { ConfigurationError } from '../foundation/errors'
import type { AutocompleteChoice } from '../wire/interaction-response'

const MAX_CHOICES = 25
/** Of a name and of a text value, in characters (S:107-111). */
const LONGEST = 100

/** The answer of a handler as choices. Bare values are their own names. What the service would refuse them all for is cut or left out. */
export function toChoices(suggestions: unknown): AutocompleteChoice[] {
  if (!Array.isArray(suggestions)) throw new ConfigurationError('invalid_argument', 'suggestions: a list')
  const choices: AutocompleteChoice[] = []
  for (const each of suggestions) {
    const choice = isValue(each) ? { name: String(each), value: each } : each
    if (!isChoice(choice)) throw new ConfigurationError('invalid_argument', 'suggestions: a value, or { name, value }')
    // A value that was cut would be another one.
    if (choice.name && fits(choice.value)) choices.push({ ...choice, name: cut(choice.name) })
    if (choices.length === MAX_CHOICES) break
  }
  return choices
}

/** Between characters, never inside one. */
const cut = (text: string): string => Array.from(text).slice(0, LONGEST).join('')

const fits = (value: string | number): boolean => typeof value === 'number' || cut(value) === value

const isValue = (value: unknown): value is string | number => typeof value === 'string' || Number.isFinite(value)

const isChoice = (value: unknown): value is AutocompleteChoice =>
  isRecord(value) && typeof value['name'] === 'string' && isValue(value['value'])
