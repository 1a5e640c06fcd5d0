/** Localizes a command for the picker. */
import type { Command, Dictionary, Option } from '../../model/stored-command.js'

/** Fallback locale for a missing one. */
const SUBSTITUTES: Record<string, string> = { 'en-US': 'en-GB', 'en-GB': 'en-US', 'es-419': 'es-ES' }

export interface ShownOption extends Omit<
  Option,
  'name_localizations' | 'description_localizations' | 'choices' | 'options'
> {
  /** Localized text; `name` is sent to the backend. */
  label: string
  choices?: { label: string; value: string | number }[]
  options?: ShownOption[]
}

export interface ShownCommand {
  id: string
  version: string
  type: number
  label: string
  description: string
  handler: number | undefined
  nsfw: boolean
  /** True for a guild command. */
  local: boolean
  options: ShownOption[]
}

export function inLanguage({ id, version, place, definition }: Command, locale: string): ShownCommand {
  const {
    type,
    name,
    name_localizations: names,
    description,
    description_localizations: descriptions,
    options = [],
  } = definition
  return {
    id,
    version,
    type,
    label: textIn(names, locale, name),
    description: textIn(descriptions, locale, description),
    handler: definition.handler,
    nsfw: definition.nsfw,
    local: place.guildId !== undefined,
    options: options.map((option) => optionIn(option, locale)),
  }
}

function optionIn(option: Option, locale: string): ShownOption {
  const {
    name_localizations: names,
    description_localizations: descriptions,
    choices,
    options,
    ...rest
  } = option
  return {
    ...rest,
    label: textIn(names, locale, option.name),
    description: textIn(descriptions, locale, option.description),
    ...(choices === undefined
      ? {}
      : {
          choices: choices.map((one) => ({
            label: textIn(one.name_localizations, locale, one.name),
            value: one.value,
          })),
        }),
    ...(options === undefined ? {} : { options: options.map((inner) => optionIn(inner, locale)) }),
  }
}

/** Text in the player's locale, its fallback locale, or the default. */
export function textIn(dictionary: Dictionary | null | undefined, locale: string, fallback: string): string {
  const substitute = SUBSTITUTES[locale]
  return (
    own(dictionary, locale) ??
    (substitute === undefined ? undefined : own(dictionary, substitute)) ??
    fallback
  )
}

function own(dictionary: Dictionary | null | undefined, locale: string): string | undefined {
  return dictionary !== null && dictionary !== undefined && Object.hasOwn(dictionary, locale)
    ? dictionary[locale]
    : undefined
}
