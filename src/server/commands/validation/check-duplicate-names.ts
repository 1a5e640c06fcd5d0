/** Finds the forbidden ones among equal option names (docs/interface/commands.md#options, docs/interface/commands.md#localization). */
import { isRecord } from '../../../shared/foundation/untrusted-values'
import type { ApplicationCommandOption } from '../../../shared/wire/command'
import { FALLBACKS } from './command-limits'
import type { CommandPlace } from './command-issues'
import { isObject } from './validation-rules'

/** Runs only if equal names were found, so speed does not matter. `at` is the place of the options. */
export function checkDuplicateNames(options: readonly unknown[], at: CommandPlace): void {
  const named = options.map(read)
  const defaults = new Map<unknown, number>()
  for (const [index, { name }] of named.entries()) {
    const first = firstOf(name, index, defaults)
    if (first !== index) at.element(index).field('name').add('name_taken', { first })
  }
  const owners = new Map<unknown, number>()
  for (const [index, { name, texts }] of named.entries()) {
    for (const [locale, text] of Object.entries(texts)) {
      // A translation equal to its default is ignored (docs/interface/commands.md#localization), so it conflicts with nothing.
      if (text === name || typeof text !== 'string') continue
      const first = defaults.get(text) ?? firstOf(`${locale}=${text}`, index, owners)
      if (first !== index)
        at.element(index).field('name_localizations').entry(locale).add('name_taken', { first })
    }
  }
  for (const fallback of FALLBACKS) warnOfFallback(named, fallback, at)
}

type Named = ReturnType<typeof read>

/** Warns about two options with equal names in a locale that uses a fallback. */
function warnOfFallback(
  named: readonly Named[],
  [locale, other]: readonly [string, string],
  at: CommandPlace,
): void {
  const shown = new Map<unknown, number>()
  const falls = (index: number) => named[index]?.texts[locale] === undefined
  for (const [index, { texts }] of named.entries()) {
    const text = texts[locale] ?? texts[other]
    const first = firstOf(text, index, shown)
    if (first === index) continue
    const [falling, beside] = falls(index) ? [index, first] : [first, index]
    if (falls(falling))
      at.element(falling)
        .field('name_localizations')
        .entry(other)
        .add('shown_twice', { locale, first: beside })
  }
}

/** Returns the index of the first occurrence of a string, which may be this one. */
function firstOf(text: unknown, index: number, seen: Map<unknown, number>): number {
  if (typeof text !== 'string') return index
  const first = seen.get(text) ?? index
  seen.set(text, first)
  return first
}

function read(option: unknown) {
  const { name, name_localizations: texts } = isObject<keyof ApplicationCommandOption>(option) ? option : {}
  return { name, texts: isRecord(texts) ? texts : {} }
}
