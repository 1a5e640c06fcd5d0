/** Checks a presence before it leaves the game: a window may pass anything. Pure. */
import type { ActivityPresence } from '../../../client/activity/presence-sender'
import { type Issue, ValidationError } from '../../../shared/foundation/errors'
import { isRecord } from '../../../shared/foundation/untrusted-values'

/** Characters of a shown text, an id or a secret. */
const TEXT = { min: 2, max: 128 } as const
/** Characters of an image's name or address. */
const IMAGE = { min: 1, max: 300 } as const
/** Maximum length in characters of the whole presence as JSON; the service's own library sends no more. */
const MAX_LENGTH = 16_384

/** Each text of a presence with its length. */
export const PRESENCE_TEXTS: Readonly<Record<string, { readonly min: number; readonly max: number }>> = {
  details: TEXT,
  state: TEXT,
  'party.id': TEXT,
  'secrets.join': TEXT,
  'secrets.match': TEXT,
  'assets.largeText': TEXT,
  'assets.smallText': TEXT,
  'assets.largeImage': IMAGE,
  'assets.smallImage': IMAGE,
}

/** @throws ValidationError `invalid_argument` with all issues. */
export function requirePresence(presence: ActivityPresence | null): void {
  const issues = presence === null ? [] : issuesOf(presence)
  if (issues.length > 0) throw new ValidationError('invalid_argument', issues)
}

function issuesOf(presence: unknown): Issue[] {
  if (!isRecord(presence)) return [issue('', 'presence', 'Give an object, or null')]
  const texts = Object.entries(PRESENCE_TEXTS).flatMap(([path, { min, max }]) => {
    const value = valueAt(presence, path)
    const fits =
      value === undefined || (typeof value === 'string' && value.length >= min && value.length <= max)
    return fits
      ? []
      : [{ ...issue(path, 'length', `Give ${min} to ${max} characters`), params: { min, max } }]
  })
  const isLong = JSON.stringify(presence).length > MAX_LENGTH
  return isLong ? [...texts, issue('', 'length', `Give at most ${MAX_LENGTH} characters of JSON`)] : texts
}

const issue = (path: string, code: string, message: string): Issue => ({
  path,
  code,
  message,
  params: {},
  level: 'error',
})

/** Undefined and null are no value. */
function valueAt(presence: unknown, path: string): unknown {
  const found = path
    .split('.')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), presence)
  return found ?? undefined
}
