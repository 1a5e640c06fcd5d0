/** Bodies of lobbies, their members, and their messages' moderation. */
import type { Metadata } from '../model/lobby.js'
import type { LobbyBehavior } from '../state/lobby-behavior.js'
import { anyText, shownText } from './message-parts.js'
import { problem } from './problems.js'
import {
  also,
  apart,
  both,
  dictionary,
  flag,
  integer,
  lengthOf,
  list,
  nullish,
  object,
  oneOf,
  omittable,
  refine,
  snowflake,
  text,
  type Schema,
  type ValueOf,
} from './schema.js'
import { fieldsOf } from '../foundation/values.js'

const HOUR = 3_600_000

export const LOBBY_LIMITS = {
  /** Keys and values of a dictionary together. */
  metadata: 1000,
  metadataKeys: 25,
  /** Members in one body; a lobby may have more. */
  membersInBody: 25,
  members: 1000,
  idleSeconds: { smallest: 5, usual: 300, largest: 604_800 },
  secret: 250,
  additionalName: 80,
  eventsUrl: 512,
  messages: { usual: 50, largest: 200, life: 72 * HOUR },
  moderation: { keys: 5, keyLength: 1024, valueLength: 2000 },
} as const

type Rules = Pick<LobbyBehavior, 'metadataUnit'>

const METADATA_TOO_LONG = problem(
  'BASE_TYPE_MAX_LENGTH',
  `Must be ${LOBBY_LIMITS.metadata} or fewer in length.`,
  `must have at most ${LOBBY_LIMITS.metadata} characters, keys and values together`,
)
const NOT_URL = problem('URL_TYPE_INVALID_URL', 'Not a well formed URL.', 'must be a URL')
const BLANK = problem('BASE_TYPE_REQUIRED', 'This field is required', 'must have more than blanks')
const EMPTY = problem('BASE_TYPE_MIN_LENGTH', 'Must be 1 or more in length.', 'must not be an empty list')

export function metadataOf({ metadataUnit }: Rules): Schema<Metadata | undefined> {
  const texts = dictionary(anyText(), { most: LOBBY_LIMITS.metadataKeys, key: anyText() })
  return nullish(
    refine(texts, (metadata, at) => {
      if (sizes[metadataUnit](metadata) > LOBBY_LIMITS.metadata) at.add(METADATA_TOO_LONG)
    }),
  )
}

const sizes: Record<LobbyBehavior['metadataUnit'], (metadata: Record<string, string>) => number> = {
  characters: (metadata) => sum(Object.entries(metadata).flat(), lengthOf),
  bytes: (metadata) => sum(Object.entries(metadata).flat(), (each) => Buffer.byteLength(each)),
  json: (metadata) => JSON.stringify(metadata).length,
}

function sum(texts: string[], size: (text: string) => number): number {
  return texts.reduce((total, each) => total + size(each), 0)
}

const choiceOf = (...values: number[]) => nullish(both(integer(), oneOf(values)))
const idleSeconds = nullish(integer(LOBBY_LIMITS.idleSeconds.smallest, LOBBY_LIMITS.idleSeconds.largest))
const eventsUrl = nullish(
  refine(text({ least: 1, most: LOBBY_LIMITS.eventsUrl }), (url, at) => {
    if (!URL.canParse(url)) at.add(NOT_URL)
  }),
)

const memberFields = (rules: Rules) => ({ metadata: metadataOf(rules), flags: choiceOf(0, 1) })
/** Additional names cannot be set in a list of members, only for one member at a time. */
const memberIn = (rules: Rules) => object({ id: snowflake, ...memberFields(rules) })
const additionalName = nullish(shownText(1, LOBBY_LIMITS.additionalName))

function membersOf<Member>(member: Schema<Member>, size: { least?: number } = {}): Schema<Member[]> {
  const members = list(member, { ...size, most: LOBBY_LIMITS.membersInBody, empty: EMPTY })
  return also(members, (value, at) => apart(value, at, (item) => fieldsOf(item)['id'], { path: ['id'] }))
}

/** The meaning of the flags is not documented: they are checked, and not kept (docs/interface/lobbies.md#lobby). */
export const lobbyBody = (rules: Rules) =>
  object({
    metadata: metadataOf(rules),
    members: nullish(membersOf(memberIn(rules))),
    idle_timeout_seconds: idleSeconds,
    flags: choiceOf(1),
    override_event_webhooks_url: eventsUrl,
  })

const secret = refine(shownText(1, LOBBY_LIMITS.secret), (given, at) => {
  if (given.trim() === '') at.add(BLANK)
})

export const joinBody = (rules: Rules) =>
  object({
    secret,
    idle_timeout_seconds: idleSeconds,
    lobby_metadata: metadataOf(rules),
    member_metadata: metadataOf(rules),
    flags: choiceOf(1),
  })

export const memberBody = (rules: Rules) =>
  object({ ...memberFields(rules), additional_name: additionalName })

export const bulkBody = (rules: Rules) =>
  membersOf(
    object({
      id: snowflake,
      ...memberFields(rules),
      additional_name: additionalName,
      remove_member: omittable(flag),
    }),
    { least: 1 },
  )

const { keys, keyLength, valueLength } = LOBBY_LIMITS.moderation

export const moderationBody = dictionary(anyText(valueLength), {
  most: keys,
  key: shownText(1, keyLength),
})

export type LobbyBody = ValueOf<ReturnType<typeof lobbyBody>>
export type JoinBody = ValueOf<ReturnType<typeof joinBody>>
export type MemberBody = ValueOf<ReturnType<typeof memberBody>>
export type BulkBody = ValueOf<ReturnType<typeof bulkBody>>
