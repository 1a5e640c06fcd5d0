/** Validation of moderation metadata (docs/interface/lobbies.md#backend-endpoints). */
import { isRecord } from '../../shared/foundation/untrusted-values'
import type { Issue } from '../../shared/foundation/errors'
import { LobbyIssues } from '../../shared/lobbies/lobby-issues'

const KEYS = 5
const KEY_LENGTH = { min: 1, max: 1024 }
const VALUE_LENGTH = { min: 0, max: 2000 }

/** Returns all issues of the metadata. */
export function validateModeration(metadata: unknown): readonly Issue[] {
  const issues = new LobbyIssues()
  if (!isRecord(metadata)) {
    issues.add('', 'wrong_type', { expected: 'an object of strings' })
    return issues.list
  }
  const entries = Object.entries(metadata)
  if (entries.length > KEYS) issues.add('', 'too_many', { max: KEYS, actual: entries.length })
  for (const [key, value] of entries) {
    const path = `['${key.slice(0, 32).replace(/['\\]/g, '\\$&')}']`
    checkLength(issues, key, { path, ...KEY_LENGTH })
    if (typeof value === 'string') checkLength(issues, value, { path, ...VALUE_LENGTH })
    else issues.add(path, 'wrong_type', { expected: 'a string' })
  }
  return issues.list
}

/** Counts code points. */
function checkLength(
  issues: LobbyIssues,
  text: string,
  { path, min, max }: { path: string; min: number; max: number },
): void {
  const actual = Array.from(text).length
  if (actual < min || actual > max) issues.add(path, 'length', { min, max, actual })
}
