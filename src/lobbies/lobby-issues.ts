/** Validation issues of lobbies: codes, messages, and a list to collect them. */
import type { Issue } from '../foundation/errors'

const MESSAGES = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  number_id: 'must be a string: a number loses the last digits of an id',
  blank: 'must have no blank around it: trim()',
  unknown_value: 'must be one of {allowed}',
  out_of_range: 'must be {min} to {max}',
  misspelt: 'is no field here: write {meant}',
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

/** Each with an example. */
const UNITS = { ms: 'ms: a minute is 60000', s: 's: a minute is 60' } as const

/** The only code with level `warning`. */
const WARNING: LobbyIssueCode = 'replaces_members'

/** Collects issues by path. */
export class LobbyIssues {
  readonly list: Issue[] = []

  add(path: string, code: LobbyIssueCode, params: Record<string, unknown> = {}): void {
    const message = MESSAGES[code].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
    this.list.push({ path, code, message, params, level: code === WARNING ? 'warning' : 'error' })
  }

  /** A time out of its range. The message names the unit: seconds are easily given for milliseconds, and the reverse. */
  addTime(path: string, range: { min: number; max: number }, unit: keyof typeof UNITS): void {
    const message = `must be ${range.min} to ${range.max} ${UNITS[unit]}`
    this.list.push({ path, code: 'out_of_range', message, params: { ...range }, level: 'error' })
  }
}
