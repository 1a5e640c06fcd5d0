/** The outcome of one check of an answer, as the log steps `authorization.checked` and `id_token.checked` report it. */
export interface Check {
  /** What was checked: a parameter of the callback, a claim, or `signature`. */
  check: string
  /** `absent`: what may be left out was left out, so that there was nothing to check. */
  result: 'passed' | 'absent' | 'failed'
  /** What had to stand there, in words or as text. */
  expected?: string
  /** What stood there. Never a secret: those are `[secret]`. */
  got?: string
}

/** Visible ASCII, and not much of it: it may come from anyone. */
export const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).replace(/[^ -~]/g, '?').slice(0, 128)
