/** Collects unhandled errors, as they reach a page's error handler, or the process's, while a test expects them. */
export function strayErrors() {
  const errors: string[] = []
  const listeners = process.listeners('uncaughtException')
  const gather = (error: unknown) => void errors.push(String(error))
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', gather)
  return {
    /** Errors so far. */
    async errors(): Promise<readonly string[]> {
      await new Promise<void>((resolve) => void setImmediate(resolve))
      return errors
    },
    [Symbol.dispose]() {
      process.off('uncaughtException', gather)
      for (const listener of listeners) process.on('uncaughtException', listener)
    },
  }
}
