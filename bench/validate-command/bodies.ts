/** Command bodies to validate: a typical one, and the largest that the interface allows. */

const LOCALES = ['de', 'fr', 'ja']
/** Maximum size that the interface allows (docs/interface/commands.md#limits). */
const SIZE = 8000

export interface Text {
  name: string
  name_localizations?: Record<string, string>
  description: string
  description_localizations?: Record<string, string>
}

export interface Body extends Text {
  type?: number
  required?: boolean
  choices?: { name: string; value: string; name_localizations?: Record<string, string> }[]
  options?: Body[]
}

export const SIMPLE: Body = {
  name: 'give',
  description: 'Gives an item to another player',
  options: [
    { type: 6, name: 'player', description: 'Who gets it', required: true },
    { type: 3, name: 'item', description: 'What is given' },
  ],
}

/** 25 subcommands of 25 options, two choices each, every string in three languages. */
export function maximal(): Body {
  const options = numbered(25, (i) => ({
    type: 1,
    ...text(letters(i), 'g'),
    options: numbered(25, (j) => ({ type: 3, ...text(letters(j), 'd'), choices: numbered(2, choice) })),
  }))
  const body = { name: 'all', description: 'e', options }
  pad(options, SIZE - measure(body))
  return body
}

const text = (name: string, description: string): Text => ({
  name,
  name_localizations: translated(name),
  description,
  description_localizations: translated(description),
})

const choice = (k: number) => ({
  name: letters(k),
  name_localizations: translated(letters(k)),
  value: letters(k),
})

/** A different string of the same length for every locale. */
const translated = (of: string) =>
  Object.fromEntries(LOCALES.map((locale) => [locale, of.slice(0, -1) + locale.slice(0, 1)]))

/** Two characters, of which the second depends on the locale. */
const letters = (index: number): string => `${String.fromCharCode(97 + index)}0`

const numbered = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** Lengthens descriptions until the size is reached. */
function pad(options: readonly Body[], missing: number): void {
  const parts = options.flatMap(({ options: inner = [] }) => inner)
  const more = Math.floor(missing / parts.length)
  const rest = missing - more * parts.length
  for (const [index, part] of parts.entries()) lengthen(part, index < rest ? more + 1 : more)
}

function lengthen(part: Text, by: number): void {
  part.description += 'd'.repeat(by)
  part.description_localizations = translated(part.description)
}

function measure({ name, description, choices = [], options = [] }: Body): number {
  const own =
    name.length +
    description.length +
    choices.reduce((sum, each) => sum + each.name.length + each.value.length, 0)
  return options.reduce((sum, option) => sum + measure(option), own)
}
