/** Result of one check of the doctor. */

export interface Diagnosis {
  check: string
  result: 'passed' | 'warning' | 'failed'
  /** Finding, or the remedy. */
  text: string
}

export type Finding = Omit<Diagnosis, 'check'>

export const passed = (text: string): Finding => ({ result: 'passed', text })
export const warning = (text: string): Finding => ({ result: 'warning', text })
export const failed = (text: string): Finding => ({ result: 'failed', text })
