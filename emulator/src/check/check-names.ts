/** Names, descriptions and their translations. */
import type { CommandBehavior } from '../state/command-behavior.js'
import { locale, LOCALES } from './locales.js'
import { problem } from './problems.js'
import { dictionary, nullish, refine, text, type Schema } from './schema.js'

/** `strict`: typed after a slash. `free`: chosen from a menu. */
export type Naming = 'strict' | 'free'

/** Whether keys of translations must be locales of the service. */
export type LocaleRules = Pick<CommandBehavior, 'otherLocales'>

/** Limits of commands. */
export const LIMITS = {
  /** Commands per type in one place: the global list, or one guild. */
  perType: { 1: 100, 2: 15, 3: 15, 4: 1 },
  dailyCreates: 200,
  nameLength: 32,
  descriptionLength: 100,
  /** Options in a command, in a subcommand, or in a group. */
  options: 25,
  choices: 25,
  choiceNameLength: 100,
  choiceValueLength: 100,
  /** Total characters of names, descriptions and values of a slash command; each localized string counts with its longest variant. */
  size: 8000,
  minLength: { smallest: 0, largest: 6000 },
  maxLength: { smallest: 1, largest: 6000 },
  overwrites: 100,
} as const

const STRICT_NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u

const WRONG_CHARACTERS = problem(
  'STRING_TYPE_REGEX',
  'String value did not match validation regex.',
  "must have letters, digits, - _ ' only",
)
const invalidName = (rule: string) =>
  problem('APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid', rule)
const UPPER_CASE = invalidName('must use the lowercase form of each letter that has one')
const BLANK = invalidName('must have more than blanks')

const nameText = text({ least: 1, most: LIMITS.nameLength })

const names: Readonly<Record<Naming, Schema<string>>> = {
  free: refine(nameText, (value, at) => {
    if (value.trim() === '') at.add(BLANK)
  }),
  strict: refine(nameText, (value, at) => {
    if (!STRICT_NAME.test(value)) at.add(WRONG_CHARACTERS)
    else if (Array.from(value).some((letter) => letter.toLowerCase() !== letter)) at.add(UPPER_CASE)
  }),
}

const description = text({ least: 1, most: LIMITS.descriptionLength })

/** Undefined, null or texts by locale. */
export function translationsOf(value: Schema<string>, { otherLocales }: LocaleRules) {
  const keys = otherLocales === 'accept' ? {} : { key: locale }
  return nullish(dictionary(value, { most: LOCALES.length, ...keys }))
}

/** A name with its translations. */
export const named = (naming: Naming, rules: LocaleRules) => ({
  name: names[naming],
  name_localizations: translationsOf(names[naming], rules),
})

/** A description with its translations. */
export const described = (rules: LocaleRules) => ({
  description,
  description_localizations: translationsOf(description, rules),
})
