/** Issues of the arguments of a call that belong to no subject with issues of its own. */
import { collectIssues, IssueList, refuse, type Rule } from '../shared/foundation/rules'

const TEXTS = {
  required: 'is required',
  wrong_type: 'must be {expected}',
  unknown_field: 'is no field{hint}',
  unreadable: 'must be readable',
} as const

/** Issues of one call. */
export class ArgumentIssues extends IssueList<typeof TEXTS> {
  constructor() {
    super(TEXTS)
  }
}

/** Applies a rule to one argument, which may not be left out. @throws ValidationError `invalid_argument`. */
export function requireArgument(value: unknown, name: string, rule: Rule): void {
  refuse(
    'invalid_argument',
    collectIssues(new ArgumentIssues(), (at) => rule.is(value, at.field(name), rule)),
  )
}
