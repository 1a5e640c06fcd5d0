/** Issues of the arguments of a call that belong to no subject with issues of its own. */
import { IssueList } from '../shared/foundation/rules'

const TEXTS = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  unreadable: 'must be readable',
} as const

/** Issues of one call. */
export class ArgumentIssues extends IssueList<typeof TEXTS> {
  constructor() {
    super(TEXTS)
  }
}
