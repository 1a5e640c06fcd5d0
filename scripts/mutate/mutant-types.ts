/** Types of the mutation tests: mutants, the test files that execute them, and what a run of tests returns. */
import type { Instrumenter } from '@stryker-mutator/instrumenter'

export type Instrumented = Awaited<ReturnType<Instrumenter['instrument']>>['mutants'][number]

/** `timeout` and `failed test`: detected. `passed` and `not run`: survived. */
export type Outcome = 'failed test' | 'timeout' | 'passed'

export interface Mutant extends Pick<Instrumented, 'fileName' | 'location' | 'mutatorName' | 'replacement'> {
  /** Number that activates it. */
  id: string
  /** Folder or file of the sample. */
  folder: string
  /** The code that it replaces. */
  original: string
  /** True if it runs when its module is loaded. */
  isModuleLevel: boolean
  outcome?: Outcome | 'not run'
}

/** What a test file executes. `outside`: mutants that run outside of tests. */
export interface Coverage {
  file: string
  hash: string
  /** Duration in ms. */
  ms: number
  outside: string[]
  tests: { id: string; mutants: string[] }[]
}

/** Tests of a file: ids, or undefined for all. */
export interface Selection {
  file: string
  ms: number
  tests?: string[] | undefined
}

export interface SourceFile {
  /** Absolute path. */
  name: string
  content: string
}
