/** Looks closer at an options array in which two names are alike: which of them the interface forbids (S:73, S:172). */
import { isRecord } from '../foundation/encoding'
import type { ApplicationCommandOption } from '../wire/command'
import { FALLBACKS } from './limits'
import { isObject, keyed, Place } from './place'

interface Named {
  readonly index: number
  readonly name: unknown
  readonly texts: ReadonlyMap<string, string>
}

/** Only called when there is something to find, so it need not be fast. `place` is the one that holds the options. */
export function explainNeighbours(options: readonly unknown[], place: Place): void {
  const named = options.map(read)
  const defaults = firstOwners(named.map(({ index, name }) => ({ index, text: name })))
  for (const { index, name } of named) {
    const first = defaults.get(name)
    if (first !== undefined && first !== index) option(place, index).note('name_taken', 'name', { first })
  }
  for (const locale of new Set(named.flatMap(({ texts }) => [...texts.keys()]))) checkLocale(named, locale, { place, defaults })
  for (const [locale, other] of FALLBACKS) warnOfFallbacks(named, [locale, other], place)
}

interface Surroundings {
  readonly place: Place
  readonly defaults: ReadonlyMap<unknown, number>
}

/** A text like its own default is ignored (S:171), so it can be like nothing else either. */
function checkLocale(named: readonly Named[], locale: string, { place, defaults }: Surroundings): void {
  const owners = new Map<string, number>()
  for (const { index, name, texts } of named) {
    const text = texts.get(locale)
    if (text === undefined || text === name) continue
    const first = defaults.get(text) ?? owners.get(text)
    if (first === undefined) owners.set(text, index)
    else option(place, index).note('name_taken', keyed('name_localizations', locale), { first })
  }
}

/** Two options that show one name to players of a locale, since one of them falls back to another locale. */
function warnOfFallbacks(named: readonly Named[], [locale, other]: readonly [string, string], place: Place): void {
  const shown = named.map(({ index, texts }) => ({ index, text: texts.get(locale) ?? texts.get(other), falls: !texts.has(locale) }))
  const owners = firstOwners(shown)
  for (const { index, text } of shown) {
    const first = owners.get(text)
    if (text === undefined || first === undefined || first === index) continue
    const falling = [shown[index], shown[first]].find((each) => each?.falls)
    if (falling) option(place, falling.index).note('shown_twice', keyed('name_localizations', other), { locale, first })
  }
}

function firstOwners(texts: readonly { index: number; text: unknown }[]): Map<unknown, number> {
  const owners = new Map<unknown, number>()
  for (const { index, text } of texts) if (typeof text === 'string' && !owners.has(text)) owners.set(text, index)
  return owners
}

function read(option: unknown, index: number): Named {
  if (!isObject<keyof ApplicationCommandOption>(option)) return { index, name: undefined, texts: new Map() }
  const { name, name_localizations: dictionary } = option
  const texts = new Map<string, string>()
  if (isRecord(dictionary)) {
    for (const locale of Object.keys(dictionary)) {
      const text = dictionary[locale]
      if (typeof text === 'string') texts.set(locale, text)
    }
  }
  return { index, name, texts }
}

const option = (place: Place, index: number): Place => new Place(place, 'options', index)
