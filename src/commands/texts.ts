/** Checks a text and its translations, and gives how long the longest of them is. */
import { countCharacters } from './characters'
import { LOCALES } from './limits'
import type { TextRule } from './names'
import { keyed, type Place } from './place'
import { isRecord } from '../foundation/encoding'

/** The names of an options array. Almost all differ; only where two are alike does anybody look closer. */
export class Neighbours {
  /** Of the option that is read. */
  index = 0
  alike = false
  readonly #owners = new Map<string, number>()

  add(text: string): void {
    const owner = this.#owners.get(text)
    if (owner === undefined) this.#owners.set(text, this.index)
    else if (owner !== this.index) this.alike = true
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
  for (const locale of Object.keys(dictionary)) {
    const variant = dictionary[locale]
    if (!LOCALES.has(locale)) place.note('unknown_locale', keyed(rule.dictionary, locale))
    if (typeof variant !== 'string') {
      place.wrong('text', keyed(rule.dictionary, locale))
      continue
    }
    if (!rule.accepts(variant)) rule.explain(variant, place, keyed(rule.dictionary, locale))
    if (variant.length > longest) longest = Math.max(longest, countCharacters(variant))
    neighbours?.add(variant)
  }
  if (dictionary['en-GB'] !== dictionary['en-US']) warnOfFallback({ text, dictionary }, rule, place)
  return longest
}

/** A default that is not repeated under its own locale is hidden by the neighbouring English (S:173-174). */
function warnOfFallback({ text, dictionary }: Pick<Translated, 'text'> & { dictionary: Texts }, rule: TextRule, place: Place): void {
  const { 'en-GB': british, 'en-US': american } = dictionary
  const value = british ?? american
  const missing = british === undefined || american === undefined
  if (missing && value !== text)
    place.note('missing_own_locale', rule.dictionary, { locale: british === undefined ? 'en-GB' : 'en-US', value })
}

type Texts = Readonly<Record<string, unknown>>
