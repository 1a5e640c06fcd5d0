/** The last wrapper of a public call: whatever is thrown inside leaves as an error of the SDK. */
import { ConfigurationError, FoyerError } from './errors'

const REMEDY = 'See cause: is an argument of the wrong kind, or does this platform lack something?'

/** Errors of the SDK are returned as they are. @param subject name of the call. */
export function toTypedError(error: unknown, subject: string): FoyerError {
  return error instanceof FoyerError ? error : new ConfigurationError('unexpected', subject, { cause: error, remedy: REMEDY })
}

/** Runs a public call. @throws FoyerError. */
export async function withTypedErrors<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw toTypedError(error, subject)
  }
}
