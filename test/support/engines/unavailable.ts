/** Skips a test with the reason if an engine is not installed; on CI the test fails. */

export interface Skip {
  skip(note?: string): unknown
}

export function unavailable(test: Skip, reason: string): never {
  if (process.env['CI']) throw new Error(`No browser to test in: ${reason}.`)
  console.warn(`Skipped, no browser to test in: ${reason}.`)
  test.skip(reason)
  throw new Error('skip() came back.')
}
