/** A line of a check's result. */

export interface Finding {
  result: 'passed' | 'warning' | 'failed'
  /** The checked item. */
  what: string
  /** What was found, and what to do if it is not good. */
  text: string
}

export const WORDS = { passed: 'Passed', warning: 'Warning', failed: 'Failed' } as const

export function summary(findings: readonly Finding[]): string {
  const count = (result: Finding['result']) => findings.filter((finding) => finding.result === result).length
  const warnings = count('warning')
  return `${count('passed')} passed, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}, ${count('failed')} failed.`
}
