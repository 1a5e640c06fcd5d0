/** Checks a text and its translations, and gives how long the longest of them is. */
import { countCharacters } from './characters'
import { LOCALES } from './limits'
import type { TextRule } from './names'
import { keyed, type Place } from './place'
import { isRecord } from '../foundation/encoding'

/** The names of an options array. Almost all differ; only where two are alike does anybody look closer. */
export class Neighbours {
  readonly #texts = new Set<string>()
  #count = 0

  add(text: string): void {
    this.#count++
    this.#texts.add(text)
  }

  get alike(): boolean {
    return this.#texts.size !== this.#count
  }
}

/** A field that has translations, as it was given. */
export interface Translated {
  text: unknown
  dictionary: unknown
  /** Whether the text may be missing. */
  optional: boolean
  neighbours?: Neighbours | undefined
}

/** The characters of the longest variant: what counts towards the size of a command. */
export function checkText({ text, dictionary, optional, neighbours }: Translated, rule: TextRule, place: Place): number {
  let longest = 0
  if (typeof text === 'string') {
    if (!rule.accepts(text)) rule.explain(text, place, rule.field)
    longest = countCharacters(text)
    neighbours?.add(text)
  } else if (text !== undefined) place.wrong('text', rule.field)
  else if (!optional) place.note('required', rule.field)
  if (dictionary === undefined || dictionary === null) return longest
  if (!isRecord(dictionary)) {
    place.wrong('an object of texts by locale', rule.dictionary)
    return longest
  }
  // The loop is the hottest of all; `in` reads a property of the loop's own object several times faster than a list of keys does.
  for (const locale in dictionary) {
    const variant = dictionary[locale]
    if (!LOCALES.has(locale)) {
      // What a page has hung on the prototype of all objects is no locale of anybody's.
      if (!Object.hasOwn(dictionary, locale)) continue
      place.note('unknown_locale', keyed(rule.dictionary, locale))
    }
    if (typeof variant !== 'string') {
      place.wrong('text', keyed(rule.dictionary, locale))
      continue
    }
    if (!rule.accepts(variant)) rule.explain(variant, place, keyed(rule.dictionary, locale))
    if (variant.length > longest) longest = Math.max(longest, countCharacters(variant))
    if (variant !== text) neighbours?.add(variant)
  }
  if (dictionary['en-GB'] !== dictionary['en-US']) warnOfFallback({ text, dictionary }, rule, place)
  return longest
}

/** A default that is not repeated under its own locale is hidden by the neighbouring English (S:173-174). */
function warnOfFallback({ text, dictionary }: Pick<Translated, 'text'> & { dictionary: Texts }, rule: TextRule, place: Place): void {
  const { 'en-GB': british, 'en-US': american } = dictionary
  const value = british ?? american
  const missing = british === undefined || american === undefined
  if (missing && typeof value === 'string' && value !== text)
    place.note('missing_own_locale', rule.dictionary, { locale: british === undefined ? 'en-GB' : 'en-US', value })
}

type Texts = Readonly<Record<string, unknown>>
