/** Outcome of a function or promise, as a value. */

/** Starts the work immediately. Resolves with the value that it threw or rejected with; undefined if it succeeded. */
export async function rejection(work: () => unknown): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error
  }
}
