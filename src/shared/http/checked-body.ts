/** The body of a request: it exists only for a value that a check has found to be right, and what was checked is what is sent. */
import { type Issue, ValidationError } from '../foundation/errors'
import { ownCopy } from '../foundation/untrusted-values'

/** Finds what is wrong with a body. Warnings do not keep it from being sent. */
export type BodyCheck = (given: unknown) => readonly Issue[]

type ErrorCode = 'invalid_body' | 'invalid_argument'

interface BodyRule {
  readonly check: BodyCheck
  /** Of the error. `invalid_argument`: the issues name arguments of a call. Default: `invalid_body`. */
  readonly code?: ErrorCode
}

/** Also for a value that JSON cannot hold. A getter may throw: its message may contain anything, so it is not repeated. */
const UNREADABLE: Issue = { path: '', code: 'unreadable', message: 'unreadable', params: {}, level: 'error' }

/** A checked value, and its JSON. `CheckedBody.of` alone makes one, so that a call which checks nothing has nothing to send. */
export class CheckedBody<Value = unknown> {
  /** The checked value: a copy with own fields, which nobody else has. */
  readonly value: Value
  readonly warnings: readonly Issue[]
  #text: string | undefined

  private constructor(value: Value, warnings: readonly Issue[]) {
    this.value = value
    this.warnings = warnings
  }

  /**
   * Reads the value once, and checks the copy.
   * @throws ValidationError with all issues; `unreadable` for a value that cannot be read, or that JSON cannot hold.
   */
  static of<Value>(given: Value, { check, code = 'invalid_body' }: BodyRule): CheckedBody<Value> {
    const own = readable(code, () => ownCopy(given))
    const issues = check(own)
    const errors = issues.filter(({ level }) => level === 'error')
    if (errors.length > 0) throw new ValidationError(code, errors)
    const body = new CheckedBody(own, issues)
    // No text at all for what JSON leaves out, such as a function.
    if (readable(code, () => body.text) === undefined) throw unreadable(code)
    return body
  }

  /** JSON. */
  get text(): string {
    return (this.#text ??= JSON.stringify(this.value))
  }

  /** The checked value as the service names its fields, or as a part of a larger body. */
  map<Next>(write: (value: Value) => Next): CheckedBody<Next> {
    return new CheckedBody(write(this.value), this.warnings)
  }
}

function readable<T>(code: ErrorCode, read: () => T): T {
  try {
    return read()
  } catch {
    throw unreadable(code)
  }
}

const unreadable = (code: ErrorCode): ValidationError => new ValidationError(code, [UNREADABLE])
