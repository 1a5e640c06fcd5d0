/** What is wrong with an input, one fault at a time. */

/** One fault of an input. `path` names the field, for example `scopes`; `params` holds the figures of the rule. */
export interface Issue {
  path: string
  code: string
  message: string
  params: Record<string, unknown>
  level: 'error' | 'warning'
}
