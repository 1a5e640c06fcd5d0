/** Localization of commands: displayed texts, and texts in command lists (docs/interface/commands.md#localization). */
import { isRecord, ownFields } from '../../shared/foundation/untrusted-values'
import { callTyped, requireRecord } from '../../shared/foundation/options'
import type {
  ApplicationCommand,
  ApplicationCommandOption,
  ApplicationCommandOptionChoice,
} from '../../shared/wire/command'
import { FALLBACKS, LOCALES } from './validation/command-limits'

/** Input of `localize`: a string with its translations. */
export interface LocalizeInput {
  /** Text without a translation. */
  default: string
  /** Translations by locale; null or absent for none. */
  localizations?: Readonly<Record<string, unknown>> | null | undefined
  /** Locale of the player. */
  locale: string
}

/** Result of `localize`. */
export interface Localized {
  /** Text shown to the player. */
  value: string
  /** `exact`: translation of the locale. `fallback`: translation of its fallback locale. `default`: no translation. */
  source: 'exact' | 'fallback' | 'default'
  /** Locale of the translation, for `fallback`. */
  locale?: string
}

/**
 * Returns the text shown to a player: the translation of the locale, else of its fallback locale (en-US and en-GB for each other, es-ES for
 * es-419), else the default. A translation equal to the default still takes precedence over the fallback.
 *
 * @throws ConfigurationError `invalid_argument` unless `input` is an object.
 */
export function localize(input: LocalizeInput): Localized {
  return callTyped('localize', () => {
    requireRecord(input, 'input')
    const { default: text, localizations, locale } = input
    const exact = textOf(localizations, locale)
    if (exact !== undefined) return { value: exact, source: 'exact' }
    const other = FALLBACKS.get(locale)
    const fallback = other === undefined ? undefined : textOf(localizations, other)
    return other === undefined || fallback === undefined
      ? { value: text, source: 'default' }
      : { value: fallback, source: 'fallback', locale: other }
  })
}

/** Input of `requesterLocale`. */
export interface RequesterLocaleInput {
  /** Value of the service's locale header, by default `X-Service-Locale`. */
  header?: string | null | undefined
  /** Value of `Accept-Language`. */
  acceptLanguage?: string | null | undefined
  /** Locale from the user's settings. */
  userLocale?: string | null | undefined
}

/** Locale without any input, as for a bot. */
const NOBODYS_LOCALE = 'en-US'

/**
 * Returns the locale of a command list: from the service's header, else from `Accept-Language`, else from the user's settings
 * (docs/interface/commands.md#localization). Default: `en-US`. A header value is used as it is. From `Accept-Language`, the preferred known
 * locale is used, ignoring case, else the preferred range.
 */
export function requesterLocale(input: RequesterLocaleInput): string {
  const { header, acceptLanguage, userLocale } = ownFields({ ...input })
  return header?.trim() || preferred(acceptLanguage ?? '') || userLocale || NOBODYS_LOCALE
}

/** Returns the range with the highest weight, except `*`; the first of equal ones (RFC 9110 section 12.5.4). */
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

/** Localized texts that replace the dictionaries in a list. */
export interface LocalizedTexts {
  /** Translated name; absent without a translation. */
  name_localized?: string
  /** Translated description; absent without a translation. */
  description_localized?: string
}

type Dictionaries = 'name_localizations' | 'description_localizations'

/** Choice in a list for one locale. */
export type LocalizedChoice = Omit<ApplicationCommandOptionChoice, Dictionaries> & LocalizedTexts
/** Option in a list for one locale. */
export type LocalizedOption = Omit<ApplicationCommandOption, Dictionaries | 'options' | 'choices'> &
  LocalizedTexts & { options?: readonly LocalizedOption[]; choices?: readonly LocalizedChoice[] }
/** Command in a list for one locale. */
export type LocalizedCommand<T> = Omit<T, Dictionaries | 'options'> &
  LocalizedTexts & { options?: readonly LocalizedOption[] }

/**
 * Returns a command as it appears in a list for a locale (docs/interface/commands.md#global-commands,
 * docs/interface/commands.md#localization): without dictionaries, with the translations of the locale. Lists have no fallbacks; see
 * `localize` for the text shown to players.
 *
 * @throws ConfigurationError `invalid_argument` unless `command` is an object.
 */
export function localizedFields<T extends Partial<Pick<ApplicationCommand, Dictionaries | 'options'>>>(
  command: T,
  locale: string,
): LocalizedCommand<T> {
  return callTyped('localizedFields', () => {
    requireRecord(command, 'command')
    const { name_localizations: names, description_localizations: descriptions, options, ...rest } = command
    return {
      ...rest,
      ...localizedTexts(names, descriptions, locale),
      ...(options && { options: options.map((option) => localizedOption(option, locale)) }),
    }
  })
}

function localizedOption(option: ApplicationCommandOption, locale: string): LocalizedOption {
  const {
    name_localizations: names,
    description_localizations: descriptions,
    options,
    choices,
    ...rest
  } = option
  return {
    ...rest,
    ...localizedTexts(names, descriptions, locale),
    ...(options && { options: options.map((inner) => localizedOption(inner, locale)) }),
    ...(choices && { choices: choices.map((choice) => localizedChoice(choice, locale)) }),
  }
}

function localizedChoice(
  { name_localizations: names, ...rest }: ApplicationCommandOptionChoice,
  locale: string,
): LocalizedChoice {
  return { ...rest, ...localizedTexts(names, undefined, locale) }
}

function localizedTexts(names: unknown, descriptions: unknown, locale: string): LocalizedTexts {
  const name = textOf(names, locale)
  const description = textOf(descriptions, locale)
  return {
    ...(name !== undefined && { name_localized: name }),
    ...(description !== undefined && { description_localized: description }),
  }
}

/** Own properties only: `constructor` is no locale. */
function textOf(dictionary: unknown, locale: string): string | undefined {
  const text = isRecord(dictionary) && Object.hasOwn(dictionary, locale) ? dictionary[locale] : undefined
  return typeof text === 'string' ? text : undefined
}
