/** What a check of a lobby may find: every code with its words, and the list that findings are noted in. */
import type { Issue } from '../foundation/errors'

const WORDS = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  number_id: 'must be text: a number loses the last digits of an id',
  unknown_value: 'must be one of {allowed}',
  out_of_range: 'must be {min} to {max}',
  length: 'must have {min} to {max} characters, has {actual}',
  too_large: 'has {actual} characters in keys and values, at most {max} are allowed',
  too_many: 'must hold at most {max}, holds {actual}',
  empty: 'must not be empty',
  duplicate: 'is given at index {first} already',
  unreadable: 'must be readable',
  replaces_members: 'replaces the whole list: who is not in it is removed',
} as const

export type LobbyIssueCode = keyof typeof WORDS

/** Only this one stops nothing. */
const WARNING: LobbyIssueCode = 'replaces_members'

/** Notes what is wrong at a path. */
export class LobbyIssues {
  readonly list: Issue[] = []

  note(path: string, code: LobbyIssueCode, params: Record<string, unknown> = {}): void {
    const message = WORDS[code].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
    this.list.push({ path, code, message, params, level: code === WARNING ? 'warning' : 'error' })
  }
}
