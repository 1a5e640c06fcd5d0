/** Rejects invalid bodies before sending. */
import { type Issue, ValidationError } from '../../shared/foundation/errors'

/** Throws if there are errors or the body cannot be serialized as JSON; ignores warnings. @throws ValidationError `invalid_body`. */
export function assertValid(issues: readonly Issue[], body: unknown): void {
  const errors = issues.filter(({ level }) => level === 'error')
  if (errors.length === 0 && !isJson(body)) errors.push(UNREADABLE)
  if (errors.length > 0) throw new ValidationError('invalid_body', errors)
}

const UNREADABLE: Issue = { path: '', code: 'unreadable', message: 'unreadable', params: {}, level: 'error' }

function isJson(body: unknown): boolean {
  try {
    return JSON.stringify(body) !== undefined
  } catch {
    return false
  }
}
