/** Which text a player sees, and which a list of commands holds for a locale (S:167-176, S:277). */
import { isRecord } from '../foundation/encoding'
import { requireRecord } from '../foundation/require'
import type { ApplicationCommand, ApplicationCommandOption, ApplicationCommandOptionChoice } from '../wire/command'
import { FALLBACKS, LOCALES } from './limits'

/** A text with its translations. */
export interface LocalizeInput {
  default: string
  localizations?: Readonly<Record<string, unknown>> | null | undefined
  /** The locale of the player who looks at it. */
  locale: string
}

export interface Localized {
  value: string
  /** `exact`: the locale's own text. `fallback`: that of a neighbouring locale. `default`: there is no better one. */
  source: 'exact' | 'fallback' | 'default'
  /** Whose text it is, for `fallback`. */
  locale?: string
}

/**
 * The text that a player of a locale sees: the locale's own, else that of its one fallback (en-US and en-GB for each other, es-ES for es-419),
 * else the default. A text that is the same as the default still keeps a fallback from being shown.
 */
export function localize(input: LocalizeInput): Localized {
  requireRecord(input, 'input')
  const { default: text, localizations, locale } = input
  const exact = textOf(localizations, locale)
  if (exact !== undefined) return { value: exact, source: 'exact' }
  const other = FALLBACKS.get(locale)
  const fallback = other === undefined ? undefined : textOf(localizations, other)
  return other === undefined || fallback === undefined
    ? { value: text, source: 'default' }
    : { value: fallback, source: 'fallback', locale: other }
}

/** What tells the locale of whoever asks for a list. */
export interface RequesterLocaleInput {
  /** The value of the service's own header, `X-Service-Locale` unless its brand word says otherwise. */
  header?: string | null | undefined
  /** The value of `Accept-Language`. */
  acceptLanguage?: string | null | undefined
  /** From the user's settings. */
  userLocale?: string | null | undefined
}

/** Without any of them, as for a bot. */
const NOBODYS_LOCALE = 'en-US'

/**
 * The locale that a list answer is made for: the header's, else the first that `Accept-Language` prefers, else the user's own (S:277).
 * A header is taken as it is, known locale or not. Of the ranges of `Accept-Language`, which mind no case, the best that is a known locale wins,
 * else the best.
 */
export function requesterLocale(input: RequesterLocaleInput): string {
  const { header, acceptLanguage, userLocale } = { ...input }
  return header?.trim() || preferred(acceptLanguage ?? '') || userLocale || NOBODYS_LOCALE
}

/** The range of the highest weight; `*` is none. Of ranges that are equal the first (RFC 9110 section 12.5.4). */
function preferred(acceptLanguage: string): string | undefined {
  const ranges = acceptLanguage.split(',').map((part) => {
    const [range = '', ...parameters] = part.split(';').map((each) => each.trim())
    const weight = parameters.find((each) => /^q=/i.test(each))
    return { range, weight: weight === undefined ? 1 : Number(weight.slice(2)) }
  })
  const usable = ranges.filter(({ range, weight }) => range !== '' && range !== '*' && weight > 0)
  const best = usable.sort((a, b) => b.weight - a.weight)
  for (const { range } of best) {
    const known = [...LOCALES].find((locale) => locale.toLowerCase() === range.toLowerCase())
    if (known !== undefined) return known
  }
  return best[0]?.range
}

/** What a list has in the place of dictionaries. */
export interface LocalizedTexts {
  name_localized?: string
  description_localized?: string
}

type Dictionaries = 'name_localizations' | 'description_localizations'

export type LocalizedChoice = Omit<ApplicationCommandOptionChoice, Dictionaries> & LocalizedTexts
export type LocalizedOption = Omit<ApplicationCommandOption, Dictionaries | 'options' | 'choices'> &
  LocalizedTexts & { options?: readonly LocalizedOption[]; choices?: readonly LocalizedChoice[] }
export type LocalizedCommand<T> = Omit<T, Dictionaries | 'options'> & LocalizedTexts & { options?: readonly LocalizedOption[] }

/**
 * A command as a list holds it for a locale (S:220, S:277): no dictionaries, and the locale's own texts where it has them. A list knows no
 * fallbacks; what a player is shown is told by `localize`.
 */
export function localizedFields<T extends Partial<Pick<ApplicationCommand, Dictionaries | 'options'>>>(
  command: T,
  locale: string,
): LocalizedCommand<T> {
  requireRecord(command, 'command')
  const { name_localizations: names, description_localizations: descriptions, options, ...rest } = command
  return {
    ...rest,
    ...localizedTexts(names, descriptions, locale),
    ...(options && { options: options.map((option) => localizedOption(option, locale)) }),
  }
}

function localizedOption(option: ApplicationCommandOption, locale: string): LocalizedOption {
  const { name_localizations: names, description_localizations: descriptions, options, choices, ...rest } = option
  return {
    ...rest,
    ...localizedTexts(names, descriptions, locale),
    ...(options && { options: options.map((inner) => localizedOption(inner, locale)) }),
    ...(choices && { choices: choices.map((choice) => localizedChoice(choice, locale)) }),
  }
}

function localizedChoice({ name_localizations: names, ...rest }: ApplicationCommandOptionChoice, locale: string): LocalizedChoice {
  return { ...rest, ...localizedTexts(names, undefined, locale) }
}

function localizedTexts(names: unknown, descriptions: unknown, locale: string): LocalizedTexts {
  const name = textOf(names, locale)
  const description = textOf(descriptions, locale)
  return { ...(name !== undefined && { name_localized: name }), ...(description !== undefined && { description_localized: description }) }
}

/** Only what stands in the dictionary itself: `constructor` is no locale. */
function textOf(dictionary: unknown, locale: string): string | undefined {
  const text = isRecord(dictionary) && Object.hasOwn(dictionary, locale) ? dictionary[locale] : undefined
  return typeof text === 'string' ? text : undefined
}
