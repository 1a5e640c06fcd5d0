/** The fields that lobbies and their members have in common, each checked by itself. */
import { isRecord } from '../foundation/encoding'
import { isSnowflake } from '../foundation/ids'
import type { LobbyIssues } from './lobby-issue'
import { ADDITIONAL_NAME, METADATA } from './lobby-limits'

type Fields = Readonly<Record<string, unknown>>

/** What a list may say of a member. */
export function checkListed(issues: LobbyIssues, { metadata, flags }: Fields, path: string): void {
  checkMetadata(issues, metadata, at(path, 'metadata'))
  if (!isGiven(flags)) return
  if (!Number.isInteger(flags)) issues.note(at(path, 'flags'), 'wrong_type', { expected: 'a whole number' })
  else if (flags !== 0 && flags !== 1) issues.note(at(path, 'flags'), 'unknown_value', { allowed: [0, 1] })
}

/** What may be said of one member alone, and in bulk: a list of a lobby's body gives no other names (supplement A.2.1). */
export function checkMember(issues: LobbyIssues, member: Fields, path: string): void {
  checkListed(issues, member, path)
  const { additional_name: name } = member
  if (!isGiven(name)) return
  if (typeof name !== 'string') return issues.note(at(path, 'additional_name'), 'wrong_type', { expected: 'text' })
  const actual = countCharacters(name)
  if (actual >= ADDITIONAL_NAME.min && actual <= ADDITIONAL_NAME.max) return
  issues.note(at(path, 'additional_name'), 'length', { ...ADDITIONAL_NAME, actual })
}

const at = (path: string, field: string): string => (path ? `${path}.${field}` : field)

/** Null empties it. Its total is judged only of what is text. */
export function checkMetadata(issues: LobbyIssues, value: unknown, path: string): void {
  if (!isGiven(value)) return
  if (!isRecord(value)) return issues.note(path, 'wrong_type', { expected: 'an object of texts' })
  let actual = 0
  for (const [key, text] of Object.entries(value)) {
    actual += countCharacters(key)
    if (typeof text === 'string') actual += countCharacters(text)
    else issues.note(`${path}['${key.replace(/['\\]/g, '\\$&')}']`, 'wrong_type', { expected: 'text' })
  }
  if (actual > METADATA) issues.note(path, 'too_large', { max: METADATA, actual })
}

/** Whether it is an id; notes why it is none. */
export function checkId(issues: LobbyIssues, id: unknown, path: string): boolean {
  if (isSnowflake(id)) return true
  if (id === undefined || id === null) issues.note(path, 'required')
  else if (typeof id === 'number') issues.note(path, 'number_id')
  else issues.note(path, 'wrong_type', { expected: 'an id: a whole number below 2^64, written as text' })
  return false
}

/** Code points: a surrogate pair is one character. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null
