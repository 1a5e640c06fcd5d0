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

/** Resolves with the code of the error that the work threw or rejected with. */
export const codeOf = async (work: () => unknown): Promise<unknown> =>
  Reflect.get(Object(await rejection(work)), 'code')

/** Resolves when all promises that are already settled have called their callbacks. */
export const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
