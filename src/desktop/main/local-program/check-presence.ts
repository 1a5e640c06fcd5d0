/** Checks a presence before it leaves the game: a window may pass anything. Pure. */
import type { ActivityPresence } from '../../../client/activity/presence-sender'
import type { Issue } from '../../../shared/foundation/errors'
import { collectIssues, IssueList, type Place, refuse } from '../../../shared/foundation/rules'
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

const MESSAGES = { length: 'must have {min} to {max} characters', wrong_type: 'must be {expected}' }

/** @throws ValidationError `invalid_argument` with all issues. */
export function requirePresence(presence: ActivityPresence | null): void {
  if (presence !== null) refuse('invalid_argument', issuesOf(presence))
}

const issuesOf = (presence: unknown): readonly Issue[] =>
  collectIssues(new IssueList(MESSAGES), (at) => {
    if (!isRecord(presence)) return at.add('wrong_type', { expected: 'an object, or null' })
    for (const [path, bounds] of Object.entries(PRESENCE_TEXTS)) {
      const value = valueAt(presence, path)
      const fits =
        value === undefined ||
        (typeof value === 'string' && value.length >= bounds.min && value.length <= bounds.max)
      if (!fits) placeAt(at, path).add('length', bounds)
    }
    if (JSON.stringify(presence).length > MAX_LENGTH) at.add('length', { min: 2, max: MAX_LENGTH })
  })

const placeAt = (at: Place, path: string): Place =>
  path.split('.').reduce((place, name) => place.field(name), at)

/** Undefined and null are no value. */
function valueAt(presence: unknown, path: string): unknown {
  const found = path
    .split('.')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), presence)
  return found ?? undefined
}
