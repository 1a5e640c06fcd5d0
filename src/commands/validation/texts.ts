/** Checks a text and its translations, and gives how long the longest of them is. */
import { isRecord } from '../../foundation/encoding'
import { countCharacters } from './characters'
import { LOCALES } from '../limits'
import { explainText, isFine, type TextRule } from './names'
import { keyed, type ValidationContext } from './validation-context'

/** A field that has translations, as it was given. */
export interface Translated {
  text: unknown
  dictionary: unknown
  /** Whether the text may be missing. */
  optional: boolean
  /** Where it and its translations are added, to be compared with those of other options. */
  neighbours?: string[]
}

/** The characters of the longest variant: what counts towards the size of a command. */
export function checkText({ text, dictionary, optional, neighbours }: Translated, rule: TextRule, context: ValidationContext): number {
  const { field } = rule
  let longest = 0
  if (typeof text === 'string') {
    longest = countCharacters(text)
    neighbours?.push(text)
  }
  if (text === undefined) {
    if (!optional) context.error('required', field)
  } else if (!isFine(text, rule)) explainText(text, rule, { context, field })
  if (dictionary === undefined || dictionary === null) return longest
  if (!isRecord(dictionary)) {
    context.wrongType('an object of texts by locale', rule.dictionary)
    return longest
  }
  // The loop is the hottest of all; `in` reads a property of the loop's own object several times faster than a list of keys does.
  let count = 0
  for (const locale in dictionary) {
    const variant = dictionary[locale]
    if (context.locales[count++] !== locale) {
      const known = LOCALES.has(locale)
      if (known) context.locales[count - 1] = locale
      // What a page has hung on the prototype of all objects is no locale of anybody's.
      else if (Object.hasOwn(dictionary, locale)) context.warn('unknown_locale', keyed(rule.dictionary, locale))
      else continue
    }
    if (!isFine(variant, rule)) explainText(variant, rule, { context, field: keyed(rule.dictionary, locale) })
    if (typeof variant !== 'string') continue
    if (variant.length > longest) longest = Math.max(longest, countCharacters(variant))
    if (variant !== text) neighbours?.push(variant)
  }
  warnOfHidden(text, dictionary, { rule, context })
  return longest
}

/** A default that is not repeated under its own locale is hidden by the neighbouring English (S:173-174). */
function warnOfHidden(
  text: unknown,
  dictionary: Readonly<Record<string, unknown>>,
  { rule, context }: { rule: TextRule; context: ValidationContext },
): void {
  const value = dictionary['en-GB'] ?? dictionary['en-US']
  const locale = dictionary['en-GB'] === undefined ? 'en-GB' : 'en-US'
  if (typeof value !== 'string' || value === text || dictionary[locale] !== undefined) return
  context.warn('missing_own_locale', rule.dictionary, { locale, value })
}
