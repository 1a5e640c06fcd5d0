/** The body of a request: it exists only for a value that a check has found to be right, and what was checked is what is sent. */
import type { Issue } from '../foundation/errors'
import { collectIssues, IssueList, type Place, refuse } from '../foundation/rules'
import { ownCopy } from '../foundation/untrusted-values'

/** Finds what is wrong with a body. Warnings do not keep it from being sent. */
export type BodyCheck = (given: unknown) => readonly Issue[]

type ErrorCode = 'invalid_body' | 'invalid_argument'

interface BodyRule {
  readonly check: BodyCheck
  /** Of the error. `invalid_argument`: the issues name arguments of a call. Default: `invalid_body`. */
  readonly code?: ErrorCode
}

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
   * Reads the value once, and checks the copy. What `write` makes of it is the body, if it is given: the value itself is never written as
   * JSON then, since it may hold the bytes of files.
   * @throws ValidationError with all issues; `unreadable` for a value that cannot be read, or that JSON cannot hold.
   */
  static of<Value>(given: Value, rule: BodyRule): CheckedBody<Value>
  static of<Value, Next>(
    given: Value,
    rule: BodyRule & { readonly write: (value: Value) => Next },
  ): CheckedBody<Next>
  static of<Value, Next>(
    given: Value,
    { check, code = 'invalid_body', write }: BodyRule & { readonly write?: (value: Value) => Next },
  ): CheckedBody<Value | Next> {
    let own = given
    requireReadable(code, () => {
      own = ownCopy(given)
    })
    const issues = check(own)
    if (issues.length > 0) refuse(code, issues)
    const body = new CheckedBody<Value | Next>(write ? write(own) : own, issues)
    requireReadable(code, (at) => {
      // JSON leaves out what it cannot hold, such as a function: then there is no text. It holds each text.
      if (typeof own !== 'string' && typeof body.text !== 'string') at.add('unreadable')
    })
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

/** @throws ValidationError `unreadable` if that is added, or anything is thrown. */
function requireReadable(code: ErrorCode, read: (at: Place) => void): void {
  const issues = collectIssues(new IssueList({}), read)
  if (issues.length > 0) refuse(code, issues)
}
