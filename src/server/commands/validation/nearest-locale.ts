/** Finds the locale of the service that another spelling means. */
import { LOCALES } from './command-limits'

/** Languages with several locales, and the one that a bare language means. */
const USUAL: ReadonlyMap<string, string> = new Map([
  ['en', 'en-US'],
  ['es', 'es-ES'],
  ['zh', 'zh-CN'],
])

/** The same locale in other letters, or one of the same language: `EN_us` and `en` mean `en-US`. Undefined for a language without one. */
export function nearestLocale(given: string): string | undefined {
  const wanted = given.toLowerCase().replaceAll('_', '-')
  const [language = ''] = wanted.split('-')
  const known = [...LOCALES]
  return (
    known.find((locale) => locale.toLowerCase() === wanted) ??
    USUAL.get(language) ??
    known.find((locale) => locale.toLowerCase().split('-')[0] === language)
  )
}
