/** Rejects invalid bodies before sending. */
import type { Issue } from '../../shared/foundation/errors'
import { collectIssues, refuse } from '../../shared/foundation/rules'
import { CommandIssues } from './validation/command-issues'

/** Throws if there are errors or the body cannot be serialized as JSON; ignores warnings. @throws ValidationError `invalid_body`. */
export function assertValid(issues: readonly Issue[], body: unknown): void {
  refuse('invalid_body', issues)
  const unwritable = collectIssues(new CommandIssues(), (at) => {
    if (JSON.stringify(body) === undefined) at.add('unreadable')
  })
  refuse('invalid_body', unwritable)
}
