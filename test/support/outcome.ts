/** How work ended, as a value. */

/** What it threw or rejected with; undefined when it succeeded. */
export const caught = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => error,
    )
