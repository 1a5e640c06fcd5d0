/** Locale of a list of commands: from `X-Service-Locale`, from `Accept-Language`, or from the settings of the caller. */
import type { Context } from 'hono'
import { isObject } from '../foundation/type-guards.js'
import type { Caller } from '../auth/caller.js'
import type { Dictionary } from '../model/stored-command.js'

const KNOWN =
  'ar bg cs da de el en-GB en-US es-419 es-ES fi fr he hi hr hu id it ja ko lt nl no pl pt-BR ro ru sv-SE th tr uk vi zh-CN zh-TW'
const LOCALE_OF_BOTS = 'en-US'
const LOCALIZED: Record<string, string> = { name_localizations: 'name_localized', description_localizations: 'description_localized' }

export function requesterLocale(c: Context, caller: Caller): string {
  const own = c.req.header('x-service-locale')?.trim() ?? ''
  if (own !== '') return own
  return preferred(c.req.header('accept-language') ?? '') ?? (caller.kind === 'bot' ? LOCALE_OF_BOTS : caller.player.locale)
}

/** The preferred known locale; without a known one, the preferred one. */
function preferred(header: string): string | undefined {
  const wanted = header
    .split(',')
    .map(readRange)
    .filter(({ tag, weight }) => tag !== '' && tag !== '*' && weight > 0)
    .sort((left, right) => right.weight - left.weight)
  for (const { tag } of wanted) {
    const locale = KNOWN.split(' ').find((name) => name.toLowerCase() === tag.toLowerCase())
    if (locale !== undefined) return locale
  }
  return wanted[0]?.tag
}

function readRange(text: string): { tag: string; weight: number } {
  const [tag = '', ...parameters] = text.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => /^q=/i.test(parameter))?.slice(2)
  return { tag, weight: weight === undefined ? 1 : Number(weight) || 0 }
}

/** Replaces each dictionary of a command by its text in exactly this locale, if it has one. */
export function localize(value: unknown, locale: string): unknown {
  if (Array.isArray(value)) return value.map((item) => localize(item, locale))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, content]) => localizeField([key, content], locale)))
}

function localizeField([key, content]: [string, unknown], locale: string): [string, unknown][] {
  const name = LOCALIZED[key]
  if (name !== undefined) return isDictionary(content) && Object.hasOwn(content, locale) ? [[name, content[locale]]] : []
  return [[key, key === 'options' || key === 'choices' ? localize(content, locale) : content]]
}

function isDictionary(value: unknown): value is Dictionary {
  return isObject(value)
}
