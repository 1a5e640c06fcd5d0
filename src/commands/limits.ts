/** How much of everything is allowed: the interface's own table (S:343-369), as far as commands go. */

/** Commands of a scope, by type: global ones of an application, or those of one guild (S:347-351). */
export const COMMANDS_PER_SCOPE = {
  global: { 1: 100, 2: 15, 3: 15, 4: 1 },
  guild: { 1: 100, 2: 15, 3: 15, 4: 0 },
} as const

/** Commands created a day, for each guild and for the global scope (S:352). */
export const CREATES_PER_DAY = 200

/** Characters, counted as code points. */
export const COMMAND_NAME = { min: 1, max: 32 } as const
export const DESCRIPTION = { min: 1, max: 100 } as const
export const CHOICE_NAME = { min: 1, max: 100 } as const
export const CHOICE_VALUE = { min: 0, max: 100 } as const

/** Options of a command, of a subcommand or group; choices of an option (S:355). */
export const OPTIONS = 25
export const CHOICES = 25

/** Names, descriptions and values of a slash command together, the longest variant of each (S:358). */
export const COMMAND_SIZE = 8000

/** What `min_length` and `max_length` may be (S:359-360). */
export const MIN_LENGTH = { min: 0, max: 6000 } as const
export const MAX_LENGTH = { min: 1, max: 6000 } as const

/** What INTEGER and NUMBER values may be (S:96, S:102). */
export const INTEGER = { min: -(2 ** 53) + 1, max: 2 ** 53 - 1 } as const
export const NUMBER = { min: -(2 ** 53), max: 2 ** 53, fractions: true } as const

/** Entries that allow or forbid one command in a guild (S:361). */
export const OVERWRITES = 100

/** The largest set of permission bits that a service is known to take: 2^54 - 1 (supplement A.1). */
export const PERMISSION_BITS = 2n ** 54n - 1n

/** The locales that are known (supplement A.1); the interface shows no list. */
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

/** Whose text is shown where a locale has none (S:173). One step, no chain. */
export const FALLBACKS: ReadonlyMap<string, string> = new Map([
  ['en-US', 'en-GB'],
  ['en-GB', 'en-US'],
  ['es-419', 'es-ES'],
])
