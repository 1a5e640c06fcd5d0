/** Faults found in an input. */

/** A fault of an input. `path` names the field, for example `scopes`; `params` holds the figures of the rule. */
export interface Issue {
  /** Path of the field, for example `options[0].name`; empty for the whole input. */
  path: string
  /** Stable code of the rule. */
  code: string
  /** Explanation for developers. */
  message: string
  /** Figures of the rule, for example `{ max: 32 }`. */
  params: Record<string, unknown>
  /** Errors are rejected; warnings are not. */
  level: 'error' | 'warning'
}
