/** Validates a text with its translations and returns the longest length. */
import { isRecord } from '../../../shared/foundation/untrusted-values'
import { countCharacters } from '../../../shared/foundation/count-characters'
import { LOCALES } from './command-limits'
import { nearestLocale } from './nearest-locale'
import { explainText, isFine, type TextRule } from './text-rule'
import { keyed, type ValidationContext } from './validation-context'

/** Unvalidated field with translations. */
export interface Translated {
  text: unknown
  dictionary: unknown
  /** True if the text may be missing. */
  optional: boolean
  /** Collects the text and its translations for comparison with other options. */
  siblingNames?: string[]
}

/** Returns the length of the longest variant, which counts towards the size of a command. */
export function checkText(
  { text, dictionary, optional, siblingNames }: Translated,
  rule: TextRule,
  context: ValidationContext,
): number {
  const { field } = rule
  let longest = 0
  if (typeof text === 'string') {
    longest = countCharacters(text)
    siblingNames?.push(text)
  }
  if (text === undefined) {
    if (!optional) context.error('required', field)
  } else if (!isFine(text, rule)) explainText(text, rule, { context, field })
  if (dictionary === undefined || dictionary === null) return longest
  if (!isRecord(dictionary)) {
    context.wrongType('an object of strings by locale', rule.dictionary)
    return longest
  }
  // Hot loop: `for in` is several times faster here than `Object.keys`.
  let count = 0
  for (const locale in dictionary) {
    if (!Object.hasOwn(dictionary, locale)) continue
    const variant = dictionary[locale]
    if (context.locales[count++] !== locale) {
      const known = LOCALES.has(locale)
      if (known) context.locales[count - 1] = locale
      else refuseLocale(locale, rule, context)
    }
    if (!isFine(variant, rule)) explainText(variant, rule, { context, field: keyed(rule.dictionary, locale) })
    if (typeof variant !== 'string') continue
    if (variant.length > longest) longest = Math.max(longest, countCharacters(variant))
    if (variant !== text) siblingNames?.push(variant)
  }
  warnOfHidden(text, dictionary, { rule, context })
  return longest
}

/** Names the locale that was probably meant. */
function refuseLocale(locale: string, { dictionary }: TextRule, context: ValidationContext): void {
  const meant = nearestLocale(locale)
  const hint = meant === undefined ? `they are ${[...LOCALES].join(', ')}` : `did you mean ${meant}?`
  context.error('unknown_locale', keyed(dictionary, locale), { hint, meant })
}

/** Warns if the default is hidden by a translation for the other English locale (docs/interface/commands.md#localization). */
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
