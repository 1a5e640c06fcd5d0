/** Validation issues of lobbies: codes, texts, and a list to collect them. */
import { IssueList, type Place } from '../foundation/rules'

const TEXTS = {
  required: 'is required',
  wrong_type: 'must be {expected}',
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
