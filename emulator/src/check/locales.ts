/** Locales of the service, and the one that somebody meant. */
import { problem } from './problems.js'
import { type Schema } from './schema.js'

export const LOCALES: readonly string[] =
  'ar bg cs da de el en-GB en-US es-419 es-ES fi fr he hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi zh-CN zh-TW'.split(
    ' ',
  )

/** The usual one of a language that has several. */
const USUAL: Readonly<Record<string, string>> = { en: 'en-US', es: 'es-ES', zh: 'zh-CN' }

/** The locale of the same language, in any case; undefined if there is none. */
function nearestLocale(text: string): string | undefined {
  const given = text.toLowerCase().replaceAll('_', '-')
  const [language = ''] = given.split('-')
  return (
    LOCALES.find((each) => each.toLowerCase() === given) ??
    (Object.hasOwn(USUAL, language) ? USUAL[language] : undefined) ??
    LOCALES.find((each) => each.split('-')[0] === language)
  )
}

/** The key of a dictionary of texts by locale. */
export const locale: Schema<string> = {
  check(value, at) {
    if (typeof value !== 'string' || LOCALES.includes(value)) return
    const nearest = nearestLocale(value)
    const all = LOCALES.join(', ')
    const rule = `is no locale of the service: ${nearest === undefined ? `they are ${all}` : `use ${nearest}`}`
    at.add(problem('DICT_TYPE_KEY', `Key must be one of {${all}}.`, rule))
  },
}
