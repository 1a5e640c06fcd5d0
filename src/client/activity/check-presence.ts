/** Checks a presence before it leaves the game, for the host window of an Activity and for the program of a desktop: neither says what is wrong. Pure. */
import type { Issue } from '../../shared/foundation/errors'
import { closestName } from '../../shared/foundation/options'
import { collectIssues, IssueList, type Place, refuse } from '../../shared/foundation/rules'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { camelFields } from './rename-fields'

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

/** Names by the object that they belong in; empty for the presence itself. A host may know more of them. */
export const PRESENCE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '': ['type', 'details', 'detailsUrl', 'state', 'stateUrl', 'instance'],
  timestamps: ['start', 'end'],
  assets: ['largeImage', 'largeText', 'largeUrl', 'smallImage', 'smallText', 'smallUrl'],
  party: ['id', 'size', 'lobbyId', 'max'],
  secrets: ['join', 'match'],
}

/** Names of RPC libraries for desktops, whose presence is flat. */
const FLAT: ReadonlyMap<string, string> = new Map([
  ['startTimestamp', 'timestamps: { start }'],
  ['endTimestamp', 'timestamps: { end }'],
  ['largeImageKey', 'assets: { largeImage }'],
  ['largeImageText', 'assets: { largeText }'],
  ['smallImageKey', 'assets: { smallImage }'],
  ['smallImageText', 'assets: { smallText }'],
  ['partyId', 'party: { id }'],
  ['partySize', 'party: { size: [current, max] }'],
  ['partyMax', 'party: { size: [current, max] }'],
  ['joinSecret', 'secrets: { join }'],
  ['matchSecret', 'secrets: { match }'],
])

/** Playing, listening, watching, competing. */
const TYPES: ReadonlySet<unknown> = new Set([0, 2, 3, 5])

const MESSAGES = {
  length: 'must have {min} to {max} characters',
  wrong_type: 'must be {expected}',
  unknown_field: 'is not known. Did you mean {meant}?',
  required: 'needs {needed}',
} as const

type PresencePlace = Place<IssueList<typeof MESSAGES>>

/** @throws ValidationError `invalid_argument` with all issues. */
export function requirePresence(presence: unknown): void {
  // Null removes it.
  if (presence !== null) refuse('invalid_argument', issuesOf(presence))
}

const issuesOf = (given: unknown): readonly Issue[] =>
  collectIssues(new IssueList(MESSAGES), (at) => {
    // A field may have the host's own name too.
    const presence = camelFields(given)
    if (!isRecord(presence)) return at.add('wrong_type', { expected: 'an object, or null' })
    checkNames(presence, at)
    for (const [path, bounds] of Object.entries(PRESENCE_TEXTS)) {
      const value = valueAt(presence, path)
      const fits =
        value === undefined ||
        (typeof value === 'string' && value.length >= bounds.min && value.length <= bounds.max)
      if (!fits) placeAt(at, path).add('length', bounds)
    }
    checkValues(presence, at)
    if (JSON.stringify(presence).length > MAX_LENGTH) at.add('length', { min: 2, max: MAX_LENGTH })
  })

/** A name in the wrong place, or a misspelt one, would have no effect. */
function checkNames(presence: Readonly<Record<string, unknown>>, at: PresencePlace): void {
  const objects = Object.keys(PRESENCE_FIELDS)
  for (const [owner, own] of Object.entries(PRESENCE_FIELDS)) {
    const part = owner === '' ? presence : presence[owner]
    const names = owner === '' ? [...own, ...objects] : own
    const place = owner === '' ? at : at.field(owner)
    for (const name of Object.keys(isRecord(part) ? part : {})) {
      if (names.includes(name)) continue
      const home = objects.find((each) => PRESENCE_FIELDS[each]?.includes(name))
      const meant =
        home === ''
          ? `${name} beside ${owner}`
          : home === undefined
            ? (FLAT.get(name) ?? closestName(name, names))
            : `${home}: { ${name} }`
      if (meant !== undefined) place.field(name.slice(0, 32)).add('unknown_field', { meant })
    }
  }
}

function checkValues(presence: Readonly<Record<string, unknown>>, at: PresencePlace): void {
  if (!TYPES.has(presence['type'] ?? 0)) at.field('type').add('wrong_type', { expected: '0, 2, 3 or 5' })
  const size = valueAt(presence, 'party.size')
  const [current, max]: unknown[] = Array.isArray(size) && size.length === 2 ? size : []
  const isSize = typeof current === 'number' && typeof max === 'number' && current >= 1 && max >= current
  if (size !== undefined && !isSize)
    placeAt(at, 'party.size').add('wrong_type', { expected: '[current, max], with 1 <= current <= max' })
  const party = valueAt(presence, 'party.id') ?? valueAt(presence, 'party.lobbyId')
  if (valueAt(presence, 'secrets.join') !== undefined && party === undefined)
    placeAt(at, 'secrets.join').add('required', { needed: 'a party: { lobbyId, max }, or { id }' })
}

const placeAt = (at: PresencePlace, path: string): PresencePlace =>
  path.split('.').reduce((place, name) => place.field(name), at)

/** Undefined and null are no value. */
function valueAt(presence: unknown, path: string): unknown {
  const found = path
    .split('.')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), presence)
  return found ?? undefined
}
