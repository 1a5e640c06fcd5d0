/** Validation of moderation metadata (docs/interface/lobbies.md#backend-endpoints). */
import type { Issue } from '../../shared/foundation/errors'
import { collectIssues } from '../../shared/foundation/rules'
import { isRecord } from '../../shared/foundation/untrusted-values'
import { LobbyIssues } from '../../shared/lobbies/lobby-issues'
import { characters, type LobbyRule } from '../../shared/lobbies/lobby-shapes'

const KEYS = 5
const KEY: LobbyRule = { is: characters, min: 1, max: 1024 }
const VALUE: LobbyRule = { is: characters, max: 2000 }

/** Returns all issues of the metadata. */
export function validateModeration(metadata: unknown): readonly Issue[] {
  return collectIssues(new LobbyIssues(), (at) => {
    if (!isRecord(metadata)) return at.add('wrong_type', { expected: 'an object of strings' })
    const entries = Object.entries(metadata)
    if (entries.length > KEYS) at.add('too_many', { max: KEYS, actual: entries.length })
    for (const [key, value] of entries) {
      const entry = at.entry(key.slice(0, 32))
      KEY.is(key, entry, KEY)
      VALUE.is(value, entry, VALUE)
    }
  })
}
