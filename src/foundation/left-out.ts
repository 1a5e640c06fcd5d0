/** What stands for a part that a smaller script lacks. */
import { ConfigurationError } from './errors'

/** @throws ConfigurationError `unsupported`. */
export async function leftOut(): Promise<never> {
  throw new ConfigurationError('unsupported', 'foyer.core.umd.js', { remedy: 'It has sign-in and sessions only: load index.umd.js' })
}
