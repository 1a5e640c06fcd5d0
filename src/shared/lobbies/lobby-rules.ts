/** Rules of the bodies of lobby calls, for both sides: limits, texts of issues, fields, and what a player may send (docs/interface/lobbies.md). */
import {
  IssueList,
  type Place,
  countCharacters,
  type Parameters,
  type Rule,
  type Shape,
  text,
  checkRecord,
  collectIssues,
  whole,
} from '../foundation/rules'
import { isSnowflake } from '../foundation/ids'
import { isRecord } from '../foundation/untrusted-values'
import type { Issue } from '../foundation/errors'

const TEXTS = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  unknown_field: 'is no field{hint}',
  foreign_field: '{instead}',
  number_id: 'must be a string: a number loses the last digits of an id',
  unknown_value: 'must be one of {allowed}',
  out_of_range: 'must be {min} to {max}{unit}',
  length: 'must have {min} to {max} characters, has {actual}',
  too_large: 'has {actual} characters in keys and values, at most {max} are allowed',
  too_many: 'must hold at most {max}, holds {actual}',
  empty: 'must not be empty',
  duplicate: 'is given at {first} already',
  lone_surrogate: 'holds half of a surrogate pair, which is no character',
  unreadable: 'must be readable',
  replaces_members: 'replaces the whole list: who is not in it is removed',
} as const

/** Code of a lobby validation issue. */
export type LobbyIssueCode = keyof typeof TEXTS

/** Issues of one check. */
export class LobbyIssues extends IssueList<typeof TEXTS> {
  constructor() {
    super(TEXTS, ['replaces_members'])
  }
}

/** Place in what is checked. */
export type LobbyPlace = Place<LobbyIssues>

/** Maximum number of characters of all keys and values of one dictionary, in code points (docs/interface/lobbies.md#limits). */
export const METADATA_SIZE = 1000

/** Maximum number of keys of one dictionary (docs/interface/lobbies.md#metadata). */
export const METADATA_KEYS = 25

/** Maximum number of members in one list (docs/interface/lobbies.md#limits). */
export const MEMBERS = 25

/** Idle time-out in seconds (docs/interface/lobbies.md#limits). */
export const IDLE_TIMEOUT = { min: 5, max: 604_800 } as const

/** Length of a member's additional name in characters (docs/interface/lobbies.md#lobby-member). */
export const ADDITIONAL_NAME = { min: 1, max: 80 } as const

/** Rule of a value in the body of a lobby call. */
export type LobbyRule = Rule<LobbyIssues>
export type LobbyShape = Shape<LobbyIssues>

/** Null clears the metadata. */
export const METADATA: LobbyRule = { is: metadata, max: METADATA_SIZE, nullable: true }
export const ID: LobbyRule = { is: playerId, required: true, nullable: true }

/** Half of a surrogate pair is what cutting a text in the middle of an emoji leaves (docs/interface/lobbies.md). */
const isCut = (value: unknown): boolean => typeof value === 'string' && /\p{Surrogate}/u.test(value)

/** A text of whole characters, as every text of a lobby. */
export function characters(value: unknown, at: LobbyPlace, rule: Parameters): void {
  text(value, at, rule)
  if (isCut(value)) at.add('lone_surrogate')
}

/** Texts by key. The maximum counts the characters of all keys and values. */
function metadata(this: Parameters, value: unknown, at: LobbyPlace): void {
  if (!isPlain(value)) return at.add('wrong_type', { expected: 'an object of strings' })
  const { max = Infinity } = this
  let actual = 0
  const entries = Object.entries(value)
  if (entries.length > METADATA_KEYS) at.add('too_many', { max: METADATA_KEYS, actual: entries.length })
  for (const [key, entry] of entries) {
    actual += countCharacters(key)
    if (typeof entry === 'string') actual += countCharacters(entry)
    else at.entry(key).add('wrong_type', { expected: 'a string' })
    if (isCut(key) || isCut(entry)) at.entry(key).add('lone_surrogate')
  }
  if (actual > max) at.add('too_large', { max, actual })
}

/** An id, often written by hand. */
function playerId(value: unknown, at: LobbyPlace): void {
  if (typeof value === 'number') at.add('number_id')
  else if (!isSnowflake(value))
    at.add('wrong_type', { expected: 'an id: a whole number below 2^64, as a string without blanks' })
}

/** A date or a map, for example, has no fields that would be sent. An object of another realm or a class with fields of its own has. */
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.prototype.toString.call(value) === '[object Object]'

/** Bounds in characters (docs/interface/lobbies.md#player-endpoints). */
export const SECRET: LobbyRule = { is: characters, min: 1, max: 250, visible: true, required: true }
export const CONTENT: LobbyRule = { is: characters, min: 1, max: 2000, visible: true, required: true }

/** Bodies that a page asks its backend to send. */
export const PLAYER_BODIES = {
  join: {
    secret: SECRET,
    lobby_metadata: METADATA,
    member_metadata: METADATA,
    idle_timeout_seconds: { is: whole, ...IDLE_TIMEOUT, unit: ' seconds', nullable: true },
  },
  message: { content: CONTENT, metadata: METADATA },
  link: { channel_id: { ...ID, required: false } },
} satisfies Record<string, LobbyShape>

/** Names of the shapes. */
export type PlayerBody = keyof typeof PLAYER_BODIES

/** Returns all issues of a body's named fields. Accepts any value and never throws. */
export const validatePlayerBody = (body: unknown, name: PlayerBody): readonly Issue[] =>
  collectIssues(new LobbyIssues(), (at) => {
    checkRecord(body, PLAYER_BODIES[name], at)
  })
