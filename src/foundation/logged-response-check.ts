/** The outcome of one check of a response, as the log steps `authorization.checked` and `id_token.checked` report it. */
export interface Check {
  /** The checked item: a parameter of the callback, a claim, or `signature`. */
  check: string
  /** `absent`: the item is optional and was left out, so there was nothing to check. */
  result: 'passed' | 'absent' | 'failed'
  /** The required value or a description of it. */
  expected?: string
  /** The actual value. Secrets are replaced by `[secret]`. */
  got?: string
}

/** Formats an untrusted value for a log: visible ASCII, 128 characters at most. */
export const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/[^ -~]/g, '?').slice(0, 128)
