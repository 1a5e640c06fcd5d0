/** The body of a request: it exists only for a value that a check has found to be right, and what was checked is what is sent. */
import type { Issue } from '../foundation/errors'
import { guarded, IssueList, Place, refuse } from '../foundation/rules'
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
   * Reads the value once, and checks the copy.
   * @throws ValidationError with all issues; `unreadable` for a value that cannot be read, or that JSON cannot hold.
   */
  static of<Value>(given: Value, { check, code = 'invalid_body' }: BodyRule): CheckedBody<Value> {
    const at = new Place(new IssueList({}))
    let own = given
    guarded(at, () => {
      own = ownCopy(given)
    })
    refuse(code, at.state.issues)
    const issues = check(own)
    refuse(code, issues)
    const body = new CheckedBody(own, issues)
    guarded(at, () => {
      // JSON leaves out what it cannot hold, such as a function: then there is no text.
      if (typeof body.text !== 'string') at.add('unreadable')
    })
    refuse(code, at.state.issues)
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
