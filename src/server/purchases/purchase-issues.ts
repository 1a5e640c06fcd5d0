/** Issues of calls about purchases: codes, texts, and a list to collect them. */
import { IssueList, type Place } from '../../shared/foundation/rules'

const TEXTS = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  unknown_value: 'must be one of {allowed}',
  unknown_field: 'is not known{hint}',
  too_few: 'must hold at least {min}, holds {actual}',
  too_many: 'must hold at most {max}, holds {actual}',
  one_owner: 'or guildId must be given, and not both',
  unreadable: 'must be readable',
} as const

/** Code of an issue of a call about purchases. */
export type PurchaseIssueCode = keyof typeof TEXTS

/** Issues of one call. */
export class PurchaseIssues extends IssueList<typeof TEXTS> {
  constructor() {
    super(TEXTS)
  }
}

/** Place in what is checked. */
export type PurchasePlace = Place<PurchaseIssues>
