/** Validates lobbies, and the moderation of their messages, before sending (docs/interface/lobbies.md). */
import type { Issue } from '../../shared/foundation/errors'
import { absent, checkObject, collectIssues, flag, list, object, whole } from '../../shared/foundation/rules'
import { isRecord } from '../../shared/foundation/untrusted-values'
import {
  LobbyIssues,
  ADDITIONAL_NAME,
  IDLE_TIMEOUT,
  MEMBERS,
  characters,
  ID,
  type LobbyPlace,
  type LobbyRule,
  type LobbyShape,
  METADATA,
} from '../../shared/lobbies/lobby-rules'

const OF_MEMBER: LobbyShape = {
  metadata: METADATA,
  flags: { is: whole, values: [0, 1], nullable: true },
}

/** A member in the list of a lobby body. */
const LISTED_MEMBER: LobbyShape = { id: ID, ...OF_MEMBER }

/** A member, of whom the id is known. Unlike the list of a lobby body, it may hold an additional name (docs/interface/lobbies.md#lobby-member). */
const MEMBER: LobbyShape = {
  ...OF_MEMBER,
  additional_name: { is: characters, ...ADDITIONAL_NAME, nullable: true },
}

/** Fields of lobbies elsewhere, with what this service has instead. */
const ELSEWHERE: readonly (readonly [names: RegExp, instead: string])[] = [
  [
    /^(?:max|min)_?(?:members|players|clients|size)$|^(?:size|capacity)$/i,
    'a lobby has no size: count its members before you add one',
  ],
  [
    /^(?:is_?)?(?:private|public|joinable)$|^(?:visibility|password)$/i,
    'only members that you add are in a lobby of the backend',
  ],
  [/^(?:name|title|lobby_?name|type|state)$/i, 'put it into metadata, which is yours'],
]

/** Names fields that a game may know from elsewhere. */
function addForeign(body: Readonly<Record<string, unknown>>, at: LobbyPlace): void {
  for (const name of Object.keys(body)) {
    const [, instead] = ELSEWHERE.find(([names]) => names.test(name)) ?? []
    if (instead !== undefined) at.field(name).add('foreign_field', { instead })
  }
}

const LOBBY: LobbyShape = {
  metadata: METADATA,
  members: {
    is: list,
    of: { is: object, fields: LISTED_MEMBER },
    max: MEMBERS,
    distinct: 'id',
    nullable: true,
  },
  // As the player's client calls it.
  idleTimeout: { is: absent, expected: 'written as idle_timeout_seconds, in seconds' },
  idle_timeout_seconds: { is: whole, ...IDLE_TIMEOUT, unit: ' seconds', nullable: true },
}
const UPDATE: LobbyShape = { id: ID, ...MEMBER, remove_member: { is: flag, nullable: true } }
const UPDATES: LobbyRule = { is: list, of: { is: object, fields: UPDATE }, max: MEMBERS, distinct: 'id' }

/**
 * Returns all issues of a lobby body. Without an issue of level `error`, the service accepts the body, as far as that depends on the body
 * alone. Accepts any value and never throws.
 */
export function validateLobby(body: unknown, operation: 'create' | 'edit'): Issue[] {
  return collectIssues(new LobbyIssues(), (at) => {
    if (!checkObject(body, LOBBY, at)) return
    addForeign(body, at)
    if (operation === 'edit' && (body['members'] ?? undefined) !== undefined)
      at.field('members').add('replaces_members')
  })
}

/** Returns all issues of a member body (docs/interface/lobbies.md#backend-endpoints). Accepts any value and never throws. */
export function validateLobbyMember(body: unknown): Issue[] {
  return collectIssues(new LobbyIssues(), (at) => {
    checkObject(body, MEMBER, at)
  })
}

/** Returns all issues of a bulk member update (docs/interface/lobbies.md#backend-endpoints). Accepts any value and never throws. */
export function validateLobbyMembers(members: unknown): Issue[] {
  return collectIssues(new LobbyIssues(), (at) => {
    UPDATES.is(members, at, UPDATES)
    if (Array.isArray(members) && members.length === 0) at.add('empty')
  })
}

const MODERATION_KEYS = 5
const MODERATION_KEY: LobbyRule = { is: characters, min: 1, max: 1024 }
const MODERATION_VALUE: LobbyRule = { is: characters, max: 2000 }

/** Returns all issues of moderation metadata (docs/interface/lobbies.md#backend-endpoints). */
export function validateModeration(metadata: unknown): readonly Issue[] {
  return collectIssues(new LobbyIssues(), (at) => {
    if (!isRecord(metadata)) return at.add('wrong_type', { expected: 'an object of strings' })
    const entries = Object.entries(metadata)
    if (entries.length > MODERATION_KEYS) at.add('too_many', { max: MODERATION_KEYS, actual: entries.length })
    for (const [key, value] of entries) {
      const entry = at.entry(key.slice(0, 32))
      MODERATION_KEY.is(key, entry, MODERATION_KEY)
      MODERATION_VALUE.is(value, entry, MODERATION_VALUE)
    }
  })
}
