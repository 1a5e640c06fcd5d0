/** What all errors of the SDK have in common. */

/** What an error may carry beside its code. `cause` is kept as it is, so it must never hold a secret. */
export interface ErrorDetails {
  cause?: unknown
  retryable?: boolean
  /** Of a `ProtocolError`. */
  path?: string
  /** Of a `ProtocolError`. */
  expected?: string
}

/** The base of every rejection of every public call. Safe to log and to serialize: it never holds a token, a code, a full URL or a body. */
export abstract class FoyerError<Code extends string = string> extends Error {
  /** Stable, for `switch`. The message is for people and may change. */
  declare readonly code: Code
  /** `true` when the same call may succeed later without a change to the code or the input. */
  declare readonly retryable: boolean

  /** The message is the code in words, and the `subject` that it is about. What to do is told in docs/errors.md. */
  constructor(code: Code, subject = '', { cause, ...details }: ErrorDetails = {}) {
    super(code.replace(/_/g, ' ') + (subject && `: ${subject}`))
    Object.assign(this, { code, retryable: false, ...details })
    // Not the second argument of `Error`: engines that run the UMD build ignore it.
    if (cause !== undefined) Object.defineProperty(this, 'cause', { value: cause })
  }

  /** Plain data that may cross a process or reach a log: name, code, message, and what the class adds. */
  toJSON(): Record<string, unknown> {
    return Object.assign<Record<string, unknown>, this>({ message: this.message }, this)
  }
}
