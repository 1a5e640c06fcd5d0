/** Skips what needs a program that a machine may lack, and gives the report the reason. */

declare module 'vitest' {
  interface TaskMeta {
    skipReason?: string
  }
}

/** Options of a suite or a test. `missing` says what is not installed; undefined if nothing is. On CI nothing is skipped. */
export function skipIfMissing(missing: string | undefined) {
  if (missing === undefined || process.env['CI']) return { skip: false }
  return { skip: true, meta: { skipReason: missing } }
}
