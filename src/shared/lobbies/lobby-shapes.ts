/** Fields of lobbies and members with their bounds (docs/interface/lobbies.md), as data. */
import { countCharacters, type Parameters, type Rule, type Shape, text } from '../foundation/rules'
import { isSnowflake } from '../foundation/ids'
import { isRecord } from '../foundation/untrusted-values'
import type { LobbyIssues, LobbyPlace } from './lobby-issues'
import { METADATA_KEYS, METADATA_SIZE } from './lobby-limits'

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
