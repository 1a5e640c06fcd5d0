/** The fields that lobbies and their members have in common, each checked by itself. */
import { isRecord } from '../foundation/encoding'
import { isSnowflake } from '../foundation/ids'
import type { LobbyIssues } from './lobby-issue'
import { ADDITIONAL_NAME, METADATA } from './lobby-limits'

export function checkMember(issues: LobbyIssues, member: Readonly<Record<string, unknown>>, path: string): void {
  const at = (field: string) => (path ? `${path}.${field}` : field)
  const { flags, additional_name: name } = member
  checkMetadata(issues, member['metadata'], at('metadata'))
  if (isGiven(flags)) {
    if (!Number.isInteger(flags)) issues.note(at('flags'), 'wrong_type', { expected: 'a whole number' })
    else if (flags !== 0 && flags !== 1) issues.note(at('flags'), 'unknown_value', { allowed: [0, 1] })
  }
  if (!isGiven(name)) return
  if (typeof name !== 'string') return issues.note(at('additional_name'), 'wrong_type', { expected: 'text' })
  const actual = countCharacters(name)
  if (actual < ADDITIONAL_NAME.min || actual > ADDITIONAL_NAME.max) {
    issues.note(at('additional_name'), 'length', { ...ADDITIONAL_NAME, actual })
  }
}

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
