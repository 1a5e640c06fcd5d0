/** Validation of fields that lobbies and members share. */
import { isRecord } from '../foundation/untrusted-values'
import { isSnowflake } from '../foundation/ids'
import type { LobbyIssues } from './lobby-issues'
import { ADDITIONAL_NAME, METADATA } from './lobby-limits'

type Fields = Readonly<Record<string, unknown>>

/** Validates a member in the list of a lobby body. */
export function checkListed(issues: LobbyIssues, { metadata, flags }: Fields, path: string): void {
  checkMetadata(issues, metadata, at(path, 'metadata'))
  if (!isGiven(flags)) return
  if (!Number.isInteger(flags)) issues.add(at(path, 'flags'), 'wrong_type', { expected: 'a whole number' })
  else if (flags !== 0 && flags !== 1) issues.add(at(path, 'flags'), 'unknown_value', { allowed: [0, 1] })
}

/**
 * Validates a single or bulk member body. Unlike the list of a lobby body, it may contain an additional name
 * (docs/interface/lobbies.md#lobby-member).
 */
export function checkMember(issues: LobbyIssues, member: Fields, path: string): void {
  checkListed(issues, member, path)
  const { additional_name: name } = member
  if (!isGiven(name)) return
  if (typeof name !== 'string')
    return issues.add(at(path, 'additional_name'), 'wrong_type', { expected: 'a string' })
  const actual = countCharacters(name)
  if (actual >= ADDITIONAL_NAME.min && actual <= ADDITIONAL_NAME.max) return
  issues.add(at(path, 'additional_name'), 'length', { ...ADDITIONAL_NAME, actual })
}

const at = (path: string, field: string): string => (path ? `${path}.${field}` : field)

/** Null clears the metadata. The total counts string values only. */
export function checkMetadata(issues: LobbyIssues, value: unknown, path: string): void {
  if (!isGiven(value)) return
  if (!isPlain(value)) return issues.add(path, 'wrong_type', { expected: 'an object of strings' })
  let actual = 0
  for (const [key, text] of Object.entries(value)) {
    actual += countCharacters(key)
    if (typeof text === 'string') actual += countCharacters(text)
    else issues.add(`${path}['${key.replace(/['\\]/g, '\\$&')}']`, 'wrong_type', { expected: 'a string' })
  }
  if (actual > METADATA) issues.add(path, 'too_large', { max: METADATA, actual })
}

/** Returns true for a valid id; otherwise adds an issue. */
export function checkId(issues: LobbyIssues, id: unknown, path: string): boolean {
  if (isSnowflake(id)) return true
  if (id === undefined || id === null) issues.add(path, 'required')
  else if (typeof id === 'number') issues.add(path, 'number_id')
  else
    issues.add(path, 'wrong_type', {
      expected: 'an id: a whole number below 2^64, as a string without blanks',
    })
  return false
}

/** Counts code points: a surrogate pair is one character. */
function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** A date or a map, for example, has no fields that would be sent. An object of another realm or a class with fields of its own has. */
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isRecord(value) && Object.prototype.toString.call(value) === '[object Object]'

const isGiven = (value: unknown): boolean => value !== undefined && value !== null
