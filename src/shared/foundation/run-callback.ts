/** Runs the game's own code. An error that it throws is reported to the page's error handler and does not interrupt the SDK. */
export function runCallback<T>(code: () => T): T | undefined {
  try {
    return code()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
    return undefined
  }
}
