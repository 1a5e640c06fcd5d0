/** Runs the game's own code: what it throws reaches the page's error handler, and stops nothing here. */
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
