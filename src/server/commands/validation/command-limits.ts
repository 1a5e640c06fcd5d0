/** Limits of commands from the service's table (docs/interface/commands.md#limits). */

/** Maximum number of commands by type, per application for global ones, per guild otherwise (docs/interface/commands.md#limits). */
export const COMMANDS_PER_SCOPE = {
  global: { 1: 100, 2: 15, 3: 15, 4: 1 },
  guild: { 1: 100, 2: 15, 3: 15, 4: 0 },
} as const

/** Commands created per day, for each guild and for the global scope (docs/interface/commands.md#daily-creates). */
export const CREATES_PER_DAY = 200

/** Lengths in characters, counted as code points. */
export const COMMAND_NAME = { min: 1, max: 32 } as const
export const DESCRIPTION = { min: 1, max: 100 } as const
export const CHOICE_NAME = { min: 1, max: 100 } as const
export const CHOICE_VALUE = { min: 0, max: 100 } as const

/** Maximum number of options of a command, subcommand or group, and of choices of an option (docs/interface/commands.md#limits). */
export const OPTIONS = 25
export const CHOICES = 25

/**
 * Maximum total length of names, descriptions and values of a slash command, with the longest variant of each
 * (docs/interface/commands.md#limits).
 */
export const COMMAND_SIZE = 8000

/** Allowed values of `min_length` and `max_length` (docs/interface/commands.md#limits). */
export const MIN_LENGTH = { min: 0, max: 6000 } as const
export const MAX_LENGTH = { min: 1, max: 6000 } as const

/** Allowed INTEGER and NUMBER values (docs/interface/commands.md#option-types). */
export const INTEGER = { min: -(2 ** 53) + 1, max: 2 ** 53 - 1 } as const
export const NUMBER = { min: -(2 ** 53), max: 2 ** 53 } as const

/** Maximum number of permission entries of one command in a guild (docs/interface/commands.md#limits). */
export const OVERWRITES = 100

/** Largest known set of permission bits: 2^54 - 1 (docs/interface/commands.md#command). */
export const PERMISSION_BITS = 2n ** 54n - 1n

/** Known locales (docs/interface/commands.md#locales). */
export const LOCALES: ReadonlySet<string> = new Set([
  'id',
  'da',
  'de',
  'en-GB',
  'en-US',
  'es-ES',
  'es-419',
  'fr',
  'hr',
  'it',
  'lt',
  'hu',
  'nl',
  'no',
  'pl',
  'pt-BR',
  'ro',
  'fi',
  'sv-SE',
  'vi',
  'tr',
  'cs',
  'el',
  'bg',
  'ru',
  'uk',
  'hi',
  'th',
  'zh-CN',
  'ja',
  'zh-TW',
  'ko',
  'ar',
  'he',
])

/** Fallback locales (docs/interface/commands.md#localization). One step only. */
export const FALLBACKS: ReadonlyMap<string, string> = new Map([
  ['en-US', 'en-GB'],
  ['en-GB', 'en-US'],
  ['es-419', 'es-ES'],
])
