/** Validates names, descriptions and choice names with their translations (docs/interface/commands.md#names). */
import { countCharacters, text as plain } from '../../../shared/foundation/rules'
import { isRecord } from '../../../shared/foundation/untrusted-values'
import type { CommandPlace, CommandRule } from './command-issues'
import { CHOICE_NAME, COMMAND_NAME, DESCRIPTION, LOCALES } from './command-limits'

/** Rule of a text and of each of its translations. */
export interface TextRule extends CommandRule {
  readonly field: 'name' | 'description'
  readonly dictionary: 'name_localizations' | 'description_localizations'
  readonly min: number
  readonly max: number
}

const NAME = { field: 'name', dictionary: 'name_localizations' } as const

/** Names of slash commands and options: rules 1 and 2 of docs/interface/commands.md#names. */
export const SLASH_NAME: TextRule = { is: slashName, ...NAME, ...COMMAND_NAME }
/** Names of user, message and entry point commands, with upper case and spaces (docs/interface/commands.md#names). */
export const MENU_NAME: TextRule = { is: menuName, ...NAME, ...COMMAND_NAME }
/** Names of commands of unknown type: rules common to all types. */
export const SOME_NAME: TextRule = { is: plain, ...NAME, ...COMMAND_NAME }
export const CHOICE_LABEL: TextRule = { is: plain, ...NAME, ...CHOICE_NAME }
export const DESCRIPTION_TEXT: TextRule = {
  is: plain,
  field: 'description',
  dictionary: 'description_localizations',
  ...DESCRIPTION,
}

/** Characters that are not allowed. `u` matches code points; the `v` flag does not accept this class. */
const NOT_ALLOWED = /[^-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]/gu
// eslint-disable-next-line no-control-regex -- this is what it looks for
const CONTROL = /[\0-\x1f\x7f-\x9f\u2028\u2029]/

function slashName(value: unknown, at: CommandPlace, rule: CommandRule): void {
  plain(value, at, rule)
  if (typeof value !== 'string') return
  const allowed = value.replace(NOT_ALLOWED, '')
  if (allowed !== value) at.add('name_characters')
  if (allowed.toLowerCase() !== allowed) at.add('name_capitals', { expected: value.toLowerCase() })
}

function menuName(value: unknown, at: CommandPlace, rule: CommandRule): void {
  plain(value, at, rule)
  if (typeof value !== 'string') return
  const trimmed = value.trim()
  if (value && !trimmed) return at.add('name_blank')
  if (trimmed !== value) at.add('untrimmed')
  if (CONTROL.test(value)) at.add('control_character')
}

/** Fast path: returns true if a text is valid without further checks. */
function isFine(value: unknown, { is, min, max }: TextRule): value is string {
  if (typeof value !== 'string' || value.length < min || value.length > max) return false
  return is === plain || isPlainName(value)
}

/** Matches a-z 0-9 - _ ', several times faster than a regular expression. */
function isPlainName(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const isLetter = unit >= 97 && unit <= 122
    if (!isLetter && !(unit >= 48 && unit <= 57) && unit !== 45 && unit !== 95 && unit !== 39) return false
  }
  return true
}

/** Unvalidated field with translations. */
export interface Translated {
  text: unknown
  dictionary: unknown
  /** True if the text may be missing. */
  optional: boolean
  /** Collects the text and its translations for comparison with other options. */
  siblingNames?: string[]
}

/** Returns the length of the longest variant, which counts towards the size of a command. `at` is the owner of the text. */
export function checkText(
  { text, dictionary, optional, siblingNames }: Translated,
  rule: TextRule,
  at: CommandPlace,
): number {
  const { field } = rule
  let longest = 0
  if (typeof text === 'string') {
    longest = countCharacters(text)
    siblingNames?.push(text)
  }
  if (text === undefined) {
    if (!optional) at.field(field).add('required')
  } else if (!isFine(text, rule)) rule.is(text, at.field(field), rule)
  if (dictionary === undefined || dictionary === null) return longest
  if (!isRecord(dictionary)) {
    at.field(rule.dictionary).add('wrong_type', { expected: 'an object of strings by locale' })
    return longest
  }
  const { locales } = at.state
  // Hot loop: `for in` is several times faster here than `Object.keys`.
  let count = 0
  for (const locale in dictionary) {
    if (!Object.hasOwn(dictionary, locale)) continue
    const variant = dictionary[locale]
    if (locales[count++] !== locale) {
      const known = LOCALES.has(locale)
      if (known) locales[count - 1] = locale
      else refuseLocale(locale, at.field(rule.dictionary).entry(locale))
    }
    if (!isFine(variant, rule)) rule.is(variant, at.field(rule.dictionary).entry(locale), rule)
    if (typeof variant !== 'string') continue
    if (variant.length > longest) longest = Math.max(longest, countCharacters(variant))
    if (variant !== text) siblingNames?.push(variant)
  }
  warnOfHidden(text, dictionary, { rule, at })
  return longest
}

/** Names the locale that was probably meant. */
function refuseLocale(locale: string, at: CommandPlace): void {
  const meant = nearestLocale(locale)
  const hint = meant === undefined ? `they are ${[...LOCALES].join(', ')}` : `did you mean ${meant}?`
  at.add('unknown_locale', { hint, meant })
}

/** Warns if the default is hidden by a translation for the other English locale (docs/interface/commands.md#localization). */
function warnOfHidden(
  text: unknown,
  dictionary: Readonly<Record<string, unknown>>,
  { rule, at }: { rule: TextRule; at: CommandPlace },
): void {
  const value = dictionary['en-GB'] ?? dictionary['en-US']
  const locale = dictionary['en-GB'] === undefined ? 'en-GB' : 'en-US'
  if (typeof value !== 'string' || value === text || dictionary[locale] !== undefined) return
  at.field(rule.dictionary).add('missing_own_locale', { locale, value })
}

/** Languages with several locales, and the one that a bare language means. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ['en', 'en-US'],
  ['es', 'es-ES'],
  ['zh', 'zh-CN'],
])

/** The same locale in other letters, or one of the same language: `EN_us` and `en` mean `en-US`. Undefined for a language without one. */
function nearestLocale(given: string): string | undefined {
  const wanted = given.toLowerCase().replaceAll('_', '-')
  const [language = ''] = wanted.split('-')
  const known = [...LOCALES]
  return (
    known.find((locale) => locale.toLowerCase() === wanted) ??
    USUAL.get(language) ??
    known.find((locale) => locale.toLowerCase().split('-')[0] === language)
  )
}
