/** An input breaks rules. */
import { FoyerError } from './common'
import type { Issue } from './issue'

export type ValidationErrorCode = 'invalid_argument' | 'invalid_body'

/** The input breaks a rule: fix the input. Holds every issue at once. */
export class ValidationError extends FoyerError<ValidationErrorCode> {
  override readonly name = 'ValidationError'
  readonly issues: readonly Issue[]

  constructor(code: ValidationErrorCode, issues: readonly Issue[]) {
    super(code, issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '))
    this.issues = issues
  }
}
