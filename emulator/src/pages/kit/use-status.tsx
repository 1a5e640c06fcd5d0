/** Status line of an action: a turning circle while it runs, then its result or the reason of its failure. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Busy } from './busy.js'

export interface Status {
  readonly isRunning: boolean
  /** Content of the line. */
  readonly shown: ComponentChildren
  /** Runs the work, which resolves with the words to show; a rejection shows its message. */
  readonly run: (words: string, work: () => Promise<string>) => Promise<void>
  readonly say: (words: string) => void
}

export function useStatus(): Status {
  const [{ words, isRunning }, set] = useState({ words: '', isRunning: false })
  return {
    isRunning,
    shown: isRunning ? <Busy text={words} /> : words,
    say: (text) => set({ words: text, isRunning: false }),
    async run(text, work) {
      set({ words: text, isRunning: true })
      const outcome = await work().catch((error: unknown) =>
        error instanceof Error ? error.message : String(error),
      )
      set({ words: outcome, isRunning: false })
    },
  }
}
