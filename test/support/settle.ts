/** How work ended, as a value. */

/** Begins the work at once. What it threw or rejected with; undefined when it succeeded. */
export async function rejection(work: () => unknown): Promise<unknown> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error
  }
}
