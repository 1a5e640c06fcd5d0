/** What happens where an engine is not installed: the test is skipped with the reason, and on CI it fails. */

export interface Skip {
  skip(note?: string): unknown
}

export function unavailable(test: Skip, reason: string): never {
  if (process.env['CI']) throw new Error(`No browser to test in: ${reason}.`)
  console.warn(`Skipped, no browser to test in: ${reason}.`)
  test.skip(reason)
  throw new Error('skip() came back.')
}
