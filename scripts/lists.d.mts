/** Types of the two lists. */
export interface Step {
  /** A shell command. */
  run: string
  /** On two cores, about. */
  minutes: number
  /** Debian's packages that it needs beside Node. */
  programs?: string[]
}
export declare const LISTS: Record<'merge' | 'proof', Record<string, Step>>
