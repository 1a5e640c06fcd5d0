/** Parts that messages and forms share: shown texts, addresses, emoji, and what may be absent. */
import { problem, REQUIRED, type Problem } from './problems.js'
import { also, flag, nullish, object, omittable, snowflake, text, type Schema } from './schema.js'

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

const LONE_SURROGATE = problem(
  'STRING_TYPE_UNICODE',
  'Text must be valid Unicode.',
  'must not hold half of a surrogate pair',
)

/** A text that people see, or that identifies what they see. */
export function anyText(most?: number): Schema<string> {
  return unicode(text(most === undefined ? {} : { most }))
}

/** As `anyText`; an empty one is missing. */
export function shownText(least: number, most: number): Schema<string> {
  return unicode(text({ least, most, empty: REQUIRED }))
}

/** As `shownText`; white space at both ends does not count. */
export function trimmedText(least: number, most: number): Schema<string> {
  return unicode(text({ least, most, empty: REQUIRED, trims: true }))
}

function unicode(schema: Schema<string>): Schema<string> {
  return also(schema, (value, at) => {
    if (typeof value === 'string' && /\p{Cs}/u.test(value)) at.add(LONE_SURROGATE)
  })
}

export const WEB: readonly string[] = ['http', 'https']
/** `attachment://` names a file of the message. */
export const PICTURE: readonly string[] = [...WEB, 'attachment']

export function url(schemes: readonly string[], most = 2048): Schema<string> {
  const { check } = text({ most })
  return {
    check(value, at) {
      check(value, at)
      if (typeof value !== 'string' || value.length > most) return
      const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(value)?.[1]?.toLowerCase()
      if (scheme === undefined) at.add(NOT_URL)
      else if (!schemes.includes(scheme)) at.add(badScheme(scheme, schemes))
      else if (scheme === 'attachment' ? value.length === 'attachment://'.length : !isWebUrl(value))
        at.add(NOT_URL)
    },
  }
}

const isWebUrl = (value: string): boolean =>
  !/\s/.test(value) && /^https?:\/\/[^/?#]/i.test(value) && URL.parse(value) !== null

const NOT_URL = problem('URL_TYPE_INVALID_URL', 'Not a well formed URL.', 'must be a well-formed address')

function badScheme(scheme: string, schemes: readonly string[]): Problem {
  const names = schemes.map((each) => `'${each}'`).join(', ')
  return problem(
    'URL_TYPE_INVALID_SCHEME',
    `Scheme "${scheme}" is not supported. Scheme must be one of (${names}).`,
    `must begin with ${schemes.map((each) => `${each}://`).join(' or ')}`,
  )
}

const INVALID_EMOJI = problem('BUTTON_COMPONENT_INVALID_EMOJI', 'Invalid emoji', 'must have an id or a name')

/** A custom emoji by its id, or a character by its name. */
export const emoji = object(
  { id: nullish(snowflake), name: nullish(shownText(1, 32)), animated: omittable(flag) },
  ({ id, name }, at) => {
    if (!isGiven(id) && !isGiven(name)) at.add(INVALID_EMOJI)
  },
)
