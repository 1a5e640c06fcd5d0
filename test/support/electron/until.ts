/** Waiting for what another process does. */

/** Asks again until there is an answer; the test's own deadline ends it. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
