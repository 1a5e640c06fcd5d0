/** Validation issues of lobbies: codes, messages, and a list to collect them. */
import type { Issue } from '../foundation/errors'

const MESSAGES = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  number_id: 'must be a string: a number loses the last digits of an id',
  unknown_value: 'must be one of {allowed}',
  out_of_range: 'must be {min} to {max}{unit}',
  length: 'must have {min} to {max} characters, has {actual}',
  too_large: 'has {actual} characters in keys and values, at most {max} are allowed',
  too_many: 'must hold at most {max}, holds {actual}',
  empty: 'must not be empty',
  duplicate: 'is given at index {first} already',
  unreadable: 'must be readable',
  replaces_members: 'replaces the whole list: who is not in it is removed',
} as const

/** Code of a lobby validation issue. */
export type LobbyIssueCode = keyof typeof MESSAGES

/** The only code with level `warning`. */
const WARNING: LobbyIssueCode = 'replaces_members'

/** Collects issues by path. */
export class LobbyIssues {
  readonly list: Issue[] = []

  add(path: string, code: LobbyIssueCode, { unit = '', ...params }: Record<string, unknown> = {}): void {
    const words: Record<string, unknown> = { unit, ...params }
    const message = MESSAGES[code].replace(/\{(\w+)\}/g, (_, name: string) => String(words[name]))
    this.list.push({ path, code, message, params, level: code === WARNING ? 'warning' : 'error' })
  }
}
