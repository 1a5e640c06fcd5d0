/** Error for an input that breaks rules. */
import type { ValidationErrorCode } from './error-code'
import { FoyerError } from './error-classes'
import type { Issue } from './issue'

/** The input breaks a rule: fix the input. Holds every issue at once. */
export class ValidationError extends FoyerError<ValidationErrorCode> {
  /** Name of the class. */
  static override get kind(): string {
    return 'ValidationError'
  }

  /** Name of the class, for logs. */
  declare readonly name: 'ValidationError'
  /** All issues of the input. */
  readonly issues: readonly Issue[]

  constructor(code: ValidationErrorCode, issues: readonly Issue[]) {
    super(code, issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; '), { remedy: '' })
    this.issues = issues
  }
}
